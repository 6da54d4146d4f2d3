// normscope tokenize
#include <iostream>
#include <nlohmann/json.hpp>

#include "checkpoints/checkpoint.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/text.h"
#include "tokenizers/tokenizer.h"

namespace normscope {
namespace {

std::string text_of_line(const std::string& line, bool is_jsonl, int64_t number) {
  const auto where = "standard input:" + std::to_string(number);
  require(find_invalid_utf8(line) == std::string::npos, ErrorKind::Data, where, ": is not UTF-8");
  if (!is_jsonl) return line;
  const auto json = nlohmann::json::parse(line, nullptr, false);
  require(json.is_object() && json.contains("text") && json["text"].is_string(), ErrorKind::Data, where,
          ": expected a JSON object with a string \"text\"");
  return json["text"];
}

}  // namespace

std::function<int()> add_tokenize(CLI::App& app) {
  struct Arguments {
    std::string source;
    bool json = false, jsonl = false, decode = false;
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("checkpoint", a->source, "Checkpoint folder or tokenizer.json")->required();
  app.add_flag("--json", a->json, "One JSON object a line");
  app.add_flag("--jsonl", a->jsonl, "Input lines are JSON objects with \"text\"");
  app.add_flag("--decode", a->decode, "Also the text that the ids decode to");
  return [a] {
    const bool is_path = std::filesystem::exists(a->source);
    const auto tokenizer =
        load_tokenizer(is_path ? std::filesystem::path(a->source) : open_checkpoint(a->source).folder());
    int64_t number = 0;
    for (std::string line; std::getline(std::cin, line);) {
      const auto encoding = tokenizer->encode(text_of_line(line, a->jsonl, ++number));
      if (!a->json) {
        for (size_t i = 0; i < encoding.ids.size(); ++i)
          std::cout << (i ? " " : "") << encoding.tokens[i] << ':' << encoding.ids[i];
        if (a->decode) std::cout << '\t' << tokenizer->decode(encoding.ids);
        std::cout << '\n';
        continue;
      }
      nlohmann::ordered_json out = {{"ids", encoding.ids}, {"tokens", encoding.tokens}, {"offsets", encoding.offsets}};
      if (a->decode) out["decoded"] = tokenizer->decode(encoding.ids);
      std::cout << out.dump() << '\n';
    }
    return 0;
  };
}

}  // namespace normscope
