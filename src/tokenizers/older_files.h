// Tokenizers from before tokenizer.json: vocab.txt, or vocab.json and merges.txt, with their settings files.
// Source: the *Tokenizer classes of transformers and its convert_slow_tokenizer.py.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

class OlderFiles {
 public:
  // Reads tokenizer_config.json, special_tokens_map.json, added_tokens.json and config.json where they exist.
  explicit OlderFiles(const std::filesystem::path& folder);

  // What the settings say of the padding token; nothing when they are silent.
  std::optional<std::string> pad_token() const;
  bool truncates_left() const;

  // The same tokenizer as a tokenizer.json would state it.
  // Throws Error(Checkpoint) when files are missing or the class is not one of ours.
  nlohmann::json to_tokenizer_json() const;
  // What errors in it are said to be in.
  std::string place() const;

 private:
  enum class Scheme { Bert, Roberta, Deberta, Gpt2, Qwen2 };

  nlohmann::json read_object(const char* name) const;
  Scheme scheme(const nlohmann::json& vocabulary) const;
  bool flag(const char* key, bool otherwise) const;
  // The file's special token for `role` ("mask_token", ...) as an entry of "added_tokens"; null when there is
  // none.
  nlohmann::json special_token(Scheme scheme, const std::string& role) const;
  std::string special_text(Scheme scheme, const std::string& role) const;
  nlohmann::json added_tokens(Scheme scheme) const;
  nlohmann::json post_processor(Scheme scheme, const nlohmann::json& vocabulary) const;

  std::filesystem::path folder_;
  nlohmann::json tokenizer_config_, special_tokens_map_, added_tokens_, config_;
};

// One token a line, its id the line's number from 0.
nlohmann::json parse_vocabulary_lines(std::string_view bytes, const std::string& place);
// "left right" a line, after a line that begins with "#version".
nlohmann::json parse_merges(std::string_view bytes, const std::string& place);

}  // namespace normscope
