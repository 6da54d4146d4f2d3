// Tokenizing rows on one thread: NORMSCOPE_BENCH_TEXTS (one text a line), NORMSCOPE_BENCH_TOKENIZER (folder
// or file). Without them: the mini vocabularies of the test fixtures on their own texts.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tokenizers/tokenizer.h"

namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

struct Setting {
  std::string tokenizer;
  std::vector<std::string> texts;
};

Setting setting(const char* kind) {
  const char* texts = std::getenv("NORMSCOPE_BENCH_TEXTS");
  const char* tokenizer = std::getenv("NORMSCOPE_BENCH_TOKENIZER");
  const std::string folder = std::string(NORMSCOPE_FIXTURES) + "/tokenizers/" + kind;
  Setting result{tokenizer == nullptr ? folder : tokenizer, {}};
  if (texts != nullptr) {
    result.texts = lines_of(texts);
  } else {
    for (const std::string& line : lines_of(folder + "/cases.jsonl"))
      result.texts.push_back(nlohmann::json::parse(line)["text"].get<std::string>());
  }
  return result;
}

void report(benchmark::State& state, const Setting& rows) {
  size_t bytes = 0;
  for (const std::string& text : rows.texts) bytes += text.size();
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * rows.texts.size()));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * bytes));
}

// Ids alone, as training takes them.
void encode_ids(benchmark::State& state, const char* kind) {
  const Setting rows = setting(kind);
  const auto tokenizer = normscope::load_tokenizer(rows.tokenizer);
  for (auto _ : state) benchmark::DoNotOptimize(normscope::encode_rows(*tokenizer, rows.texts, 512, 1));
  report(state, rows);
}

// Ids, tokens and offsets, which is what the Rust library always makes.
void encode(benchmark::State& state, const char* kind) {
  const Setting rows = setting(kind);
  const auto tokenizer = normscope::load_tokenizer(rows.tokenizer);
  for (auto _ : state)
    for (const std::string& text : rows.texts) benchmark::DoNotOptimize(tokenizer->encode(text));
  report(state, rows);
}

BENCHMARK_CAPTURE(encode_ids, wordpiece, "mini_wordpiece_uncased")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, wordpiece, "mini_wordpiece_uncased")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode_ids, byte_bpe, "mini_byte_bpe_gpt2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, byte_bpe, "mini_byte_bpe_gpt2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode_ids, qwen2, "mini_byte_bpe_qwen2")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, qwen2, "mini_byte_bpe_qwen2")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
