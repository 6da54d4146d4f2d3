// A real checkpoint end to end: all-MiniLM-L6-v2's encoder on 20 texts against transformers
// (tests/fixtures/minilm).
#include <gtest/gtest.h>

#include <cstdlib>

#include "checkpoints/safetensors.h"
#include "core/file.h"
#include "experiments/open_model.h"
#include "experiments/prepared_data.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

// Where scripts/demo-data puts the checkpoint.
fs::path checkpoint_folder() {
  const auto variable = [](const char* name) {
    return std::getenv(name) == nullptr ? std::string() : std::string(std::getenv(name));
  };
  fs::path cache = variable("NORMSCOPE_CACHE");
  if (cache.empty())
    cache = (variable("XDG_CACHE_HOME").empty() ? fs::path(variable("HOME")) / ".cache"
                                                : fs::path(variable("XDG_CACHE_HOME"))) /
            "normscope";
  return cache / "demo-3" / "all-MiniLM-L6-v2";
}

// Keeps the input of the last norm; applied to it, the norm gives the encoder's output.
struct LastNorm : Observer {
  torch::Tensor input;
  torch::Tensor norm_input(const NormSite&, const torch::Tensor& x) override { return input = x; }
};

TEST(MiniLm, EncoderEqualsTransformersOnTwentyTexts) {
  const auto folder = checkpoint_folder();
  if (!fs::exists(folder / "model.safetensors")) GTEST_SKIP() << folder << " is absent; scripts/demo-data fetches it";
  const fs::path fixture = fs::path(NORMSCOPE_FIXTURES) / "minilm";
  Dataset texts;
  texts.texts =
      nlohmann::json::parse(read_file(fixture / "texts.json", ErrorKind::Data)).get<std::vector<std::string>>();
  texts.source_rows.resize(texts.texts.size());
  ASSERT_EQ(texts.size(), 20u);
  const MappedFile file(fixture / "expected.safetensors", ErrorKind::Data);
  const auto expected = parse_safetensors(file.bytes(), nullptr);
  const auto first = to_tensor(expected.at("first"), torch::kFloat64),
             mean = to_tensor(expected.at("mean"), torch::kFloat64);

  const auto opened = open_model(folder.string(), {});
  const auto rows = tokenize_rows(*load_tokenizer(folder), texts, 512, 2);
  std::vector<int64_t> all(20);
  for (int64_t i = 0; i < 20; ++i) all[static_cast<size_t>(i)] = i;
  auto tokens = rows.rows;
  tokens.labels.clear();
  const auto batch = make_batch(tokens, all, {});
  torch::NoGradGuard no_grad;
  LastNorm observer;
  Pass pass;
  pass.rows = batch.rows;
  pass.observer = &observer;
  opened.model.forward(batch.inputs, pass);
  pass.observer = nullptr;
  const auto output = (*opened.model.norms.back())(observer.input, pass).to(torch::kFloat64);
  for (int64_t row = 0; row < 20; ++row) {
    const auto hidden = output.narrow(0, pass.rows.offsets[static_cast<size_t>(row)], pass.rows.length(row));
    EXPECT_LT((hidden[0] - first[row]).abs().max().item<double>(), 1e-5) << texts.texts[static_cast<size_t>(row)];
    EXPECT_LT((hidden.mean(0) - mean[row]).abs().max().item<double>(), 1e-5) << texts.texts[static_cast<size_t>(row)];
  }
}

}  // namespace
}  // namespace normscope
