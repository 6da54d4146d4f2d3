// The same layers wired the other way, against the published model that is wired so.
#include <unistd.h>

#include "models/edited_checkpoint.h"
#include "models/save_model.h"

namespace normscope {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  if (const auto at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

ModelOptions wired(Placement placement) {
  auto options = exact_options();
  options.build.placement = placement;
  return options;
}

const std::vector<std::vector<int64_t>> kRows = {{5, 6, 7}, {8}, {9, 10, 11, 12, 13, 14, 15}};

// RoBERTa-PreLN is RoBERTa wired as Pre-LN with a final norm: its weights under RoBERTa's names must give its logits.
TEST(PlacementTwin, PreNormRobertaIsRobertaPreLayerNorm) {
  const EditedCheckpoint renamed("roberta_prelayernorm", {{"model_type", "roberta"}}, [](std::string name) {
    name = replaced(name, "roberta_prelayernorm.LayerNorm", "roberta.encoder.LayerNorm");
    name = replaced(name, "roberta_prelayernorm.", "roberta.");
    name = replaced(name, "attention.LayerNorm", "attention.output.LayerNorm");
    return replaced(name, "intermediate.LayerNorm", "output.LayerNorm");
  });
  const auto twin = load_model(renamed.open(), wired(Placement::PreNorm));
  EXPECT_TRUE(twin.is_placement_twin());
  EXPECT_TRUE(twin.drawn.empty());
  EXPECT_TRUE(twin.unused.empty());
  const auto published = load_model(open_checkpoint(model_fixture("roberta_prelayernorm").string()), exact_options());
  EXPECT_LT(largest_difference(logits_of(twin, rows_of(kRows)), logits_of(published, rows_of(kRows))), 1e-12);
}

TEST(PlacementTwin, PostNormRobertaPreLayerNormIsRoberta) {
  const EditedCheckpoint renamed("roberta", {{"model_type", "roberta-prelayernorm"}}, [](std::string name) {
    const bool is_feed_forward = name.find("attention") == std::string::npos;
    name = replaced(name, "roberta.", "roberta_prelayernorm.");
    name = replaced(name, "attention.output.LayerNorm", "attention.LayerNorm");
    return is_feed_forward ? replaced(name, "output.LayerNorm", "intermediate.LayerNorm") : name;
  });
  const auto twin = load_model(renamed.open(), wired(Placement::PostNorm));
  EXPECT_TRUE(twin.is_placement_twin());
  EXPECT_TRUE(twin.drawn.empty());
  const auto published = load_model(open_checkpoint(model_fixture("roberta").string()), exact_options());
  EXPECT_LT(largest_difference(logits_of(twin, rows_of(kRows)), logits_of(published, rows_of(kRows))), 1e-12);
}

class Twin : public testing::TestWithParam<std::string> {};

// Both wirings have the same layers; Pre-LN has one norm more, at the end.
TEST_P(Twin, HasTheSameLayersAndDiffersInTheFinalNormOnly) {
  const auto checkpoint = open_checkpoint(model_fixture(GetParam()).string());
  std::map<Placement, std::vector<std::string>> names;
  std::map<Placement, torch::Tensor> logits;
  for (const auto placement : {Placement::PreNorm, Placement::PostNorm}) {
    auto options = wired(placement);
    options.load.random_start = true;
    const auto model = load_model(checkpoint, options);
    EXPECT_EQ(model.network.placement, placement);
    EXPECT_EQ(model.is_placement_twin(), placement != model.architecture->placement);
    for (const auto& parameter : model.parameters.all()) names[placement].push_back(parameter->name);
    std::ranges::sort(names[placement]);
    EXPECT_EQ(model.norms.back()->site().role == NormRole::Final, placement == Placement::PreNorm);
    const auto rows = rows_of(kRows);
    logits[placement] = logits_of(model, rows);
    logits[placement].square().sum().backward();
    for (const auto& norm : model.norms) EXPECT_TRUE(norm->weight()->value.grad().defined()) << norm->site().name;
  }
  std::vector<std::string> more;
  std::ranges::set_difference(names[Placement::PreNorm], names[Placement::PostNorm], std::back_inserter(more));
  const auto norm_parameters = fixture_config(GetParam()).at("model_type") == "qwen2" ? 1u : 2u;
  EXPECT_EQ(more.size(), norm_parameters);
  EXPECT_EQ(names[Placement::PreNorm].size(), names[Placement::PostNorm].size() + norm_parameters);
  EXPECT_GT(largest_difference(logits[Placement::PreNorm], logits[Placement::PostNorm]), 1e-9);
}

// Whoever starts from a saved twin gets a twin, however often it is saved.
TEST(PlacementTwin, StaysOneWhenItIsSavedAndLoaded) {
  const auto folder = std::filesystem::temp_directory_path() / ("normscope_twin_" + std::to_string(::getpid()));
  auto options = wired(Placement::PreNorm);
  options.load.random_start = true;
  auto model = load_model(open_checkpoint(model_fixture("bert").string()), options);
  const auto logits = logits_of(model, rows_of(kRows));
  for (int time = 0; time < 2; ++time) {
    save_model(model, {}, folder);
    model = load_model(open_checkpoint(folder.string()), exact_options());
    EXPECT_TRUE(model.is_placement_twin());
    EXPECT_TRUE(model.drawn.empty());
    // Saved as float32.
    EXPECT_LT(largest_difference(logits_of(model, rows_of(kRows)), logits), 1e-5);
  }
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(All, Twin, testing::ValuesIn(text_fixtures()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace normscope
