// Tokenizers from before tokenizer.json: what their settings files say.
#include "tokenizers/older_files.h"

#include <array>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "tokenizers/json_part.h"
#include "tokenizers/tokenizer.h"

namespace normscope {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// A special token stands as its text or as an object with its text and flags.
std::optional<std::string> text_of(const json& token) {
  if (token.is_string()) return token.get<std::string>();
  if (token.is_object() && token.contains("content") && token["content"].is_string())
    return token["content"].get<std::string>();
  return std::nullopt;
}

json special_entry(const json& token, bool lstrip) {
  json entry = {{"content", *text_of(token)}, {"lstrip", lstrip},    {"rstrip", false},
                {"single_word", false},       {"normalized", false}, {"special", true}};
  if (token.is_object()) {
    for (const char* flag : {"lstrip", "rstrip", "single_word", "normalized"})
      if (token.contains(flag)) entry[flag] = token[flag];
  }
  return entry;
}

bool contains_token(const json& entries, const std::string& content) {
  for (const json& entry : entries)
    if (text_of(entry) == content) return true;
  return false;
}

}  // namespace

OlderFiles::OlderFiles(const fs::path& folder)
    : folder_(folder),
      tokenizer_config_(read_object("tokenizer_config.json")),
      special_tokens_map_(read_object("special_tokens_map.json")),
      added_tokens_(read_object("added_tokens.json")),
      config_(read_object("config.json")) {}

json OlderFiles::read_object(const char* name) const {
  const fs::path path = folder_ / name;
  if (!fs::is_regular_file(path)) return json::object();
  json value = parse_json(read_file(path, ErrorKind::Checkpoint), path.string());
  if (!value.is_object()) JsonPart(value, path.string()).fail("an object");
  return value;
}

std::optional<std::string> OlderFiles::pad_token() const {
  for (const json* file : {&tokenizer_config_, &special_tokens_map_})
    if (const auto found = file->find("pad_token"); found != file->end())
      if (auto text = text_of(*found)) return text;
  return std::nullopt;
}

bool OlderFiles::truncates_left() const {
  return JsonPart(tokenizer_config_, (folder_ / "tokenizer_config.json").string())
             .text_or("truncation_side", "right") == "left";
}

bool OlderFiles::flag(const char* key, bool otherwise) const {
  return JsonPart(tokenizer_config_, (folder_ / "tokenizer_config.json").string()).flag_or(key, otherwise);
}

OlderFiles::Scheme OlderFiles::scheme(const json& vocabulary) const {
  static const std::map<std::string, Scheme> kClasses = {
      {"BertTokenizer", Scheme::Bert},          {"DistilBertTokenizer", Scheme::Bert},
      {"ElectraTokenizer", Scheme::Bert},       {"RobertaTokenizer", Scheme::Roberta},
      {"LongformerTokenizer", Scheme::Roberta}, {"DebertaTokenizer", Scheme::Deberta},
      {"GPT2Tokenizer", Scheme::Gpt2},          {"Qwen2Tokenizer", Scheme::Qwen2}};
  static const std::map<std::string, Scheme> kModelTypes = {
      {"bert", Scheme::Bert},       {"distilbert", Scheme::Bert},    {"electra", Scheme::Bert},
      {"roberta", Scheme::Roberta}, {"longformer", Scheme::Roberta}, {"roberta-prelayernorm", Scheme::Roberta},
      {"deberta", Scheme::Deberta}, {"gpt2", Scheme::Gpt2},          {"gpt_neo", Scheme::Gpt2},
      {"qwen2", Scheme::Qwen2}};
  if (const auto name = tokenizer_config_.find("tokenizer_class"); name != tokenizer_config_.end()) {
    std::string type = text_of(*name).value_or("");
    if (type.ends_with("Fast")) type.resize(type.size() - 4);
    const auto found = kClasses.find(type);
    if (found != kClasses.end()) return found->second;
    // The general classes say nothing; the model's type may.
    require(type.empty() || type.starts_with("PreTrainedTokenizer") || type == "TokenizersBackend",
            ErrorKind::Checkpoint, (folder_ / "tokenizer_config.json").string(), ": the tokenizer_class \"", type,
            "\" is not supported without a tokenizer.json");
  }
  if (const auto type = config_.find("model_type"); type != config_.end()) {
    const auto found = kModelTypes.find(text_of(*type).value_or(""));
    if (found != kModelTypes.end()) return found->second;
  }
  // Bare vocabularies are told apart by the special tokens that they hold.
  if (!fs::exists(folder_ / "vocab.json")) return Scheme::Bert;
  if (vocabulary.contains("<s>") && vocabulary.contains("</s>")) return Scheme::Roberta;
  if (vocabulary.contains("[CLS]") && vocabulary.contains("[SEP]")) return Scheme::Deberta;
  return added_tokens_.contains("<|im_start|>") ? Scheme::Qwen2 : Scheme::Gpt2;
}

json OlderFiles::special_token(Scheme scheme, const std::string& role) const {
  static const std::map<Scheme, std::map<std::string, const char*>> kDefaults = {
      {Scheme::Bert,
       {{"unk_token", "[UNK]"},
        {"sep_token", "[SEP]"},
        {"pad_token", "[PAD]"},
        {"cls_token", "[CLS]"},
        {"mask_token", "[MASK]"}}},
      {Scheme::Roberta,
       {{"bos_token", "<s>"},
        {"eos_token", "</s>"},
        {"sep_token", "</s>"},
        {"cls_token", "<s>"},
        {"unk_token", "<unk>"},
        {"pad_token", "<pad>"},
        {"mask_token", "<mask>"}}},
      {Scheme::Deberta,
       {{"bos_token", "[CLS]"},
        {"eos_token", "[SEP]"},
        {"sep_token", "[SEP]"},
        {"cls_token", "[CLS]"},
        {"unk_token", "[UNK]"},
        {"pad_token", "[PAD]"},
        {"mask_token", "[MASK]"}}},
      {Scheme::Gpt2, {{"bos_token", "<|endoftext|>"}, {"eos_token", "<|endoftext|>"}, {"unk_token", "<|endoftext|>"}}},
      {Scheme::Qwen2,
       {{"eos_token", "<|endoftext|>"}, {"unk_token", "<|endoftext|>"}, {"pad_token", "<|endoftext|>"}}}};
  // The mask of these two takes the blank before it along, unless it is stated as an object.
  const bool lstrip = role == "mask_token" && (scheme == Scheme::Roberta || scheme == Scheme::Deberta);
  // Newer tokenizer_config.json files hold every added token, and then special_tokens_map.json is not read.
  const bool is_newer = tokenizer_config_.contains("added_tokens_decoder");
  const std::array<const json*, 2> files = {is_newer ? &tokenizer_config_ : &special_tokens_map_,
                                            is_newer ? nullptr : &tokenizer_config_};
  for (const json* file : files) {
    if (file == nullptr || !file->contains(role)) continue;
    const json& token = (*file)[role];
    if (token.is_null()) return nullptr;
    if (text_of(token)) return special_entry(token, lstrip);
  }
  const auto& defaults = kDefaults.at(scheme);
  const auto found = defaults.find(role);
  return found == defaults.end() ? json(nullptr) : special_entry(json(found->second), lstrip);
}

std::string OlderFiles::special_text(Scheme scheme, const std::string& role) const {
  const json token = special_token(scheme, role);
  require(!token.is_null(), ErrorKind::Checkpoint, (folder_ / "tokenizer_config.json").string(), ": expected a ", role,
          ", found null");
  return token["content"].get<std::string>();
}

json OlderFiles::added_tokens(Scheme scheme) const {
  json specials = json::array();
  for (const char* role : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
    if (json token = special_token(scheme, role); !token.is_null()) specials.push_back(std::move(token));
  for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
    for (const json* file : {&tokenizer_config_, &special_tokens_map_}) {
      if (!file->contains(key) || !(*file)[key].is_structured()) continue;
      for (const json& token : (*file)[key])
        if (text_of(token)) specials.push_back(special_entry(token, false));
    }
  }
  // By id, so that those beyond the vocabulary are numbered as the file numbers them.
  std::map<int64_t, json> by_id;
  if (tokenizer_config_.contains("added_tokens_decoder") && tokenizer_config_["added_tokens_decoder"].is_object()) {
    for (const auto& [id, token] : tokenizer_config_["added_tokens_decoder"].items())
      if (text_of(token)) by_id[std::strtoll(id.c_str(), nullptr, 10)] = token;
  }
  for (const auto& [content, id] : added_tokens_.items()) {
    if (!id.is_number_integer()) JsonPart(id, (folder_ / "added_tokens.json").string()).fail("an id");
    const bool is_special = contains_token(specials, content);
    json token = special_entry(json(content), false);
    token["normalized"] = !is_special;
    token["special"] = is_special;
    by_id.emplace(id.get<int64_t>(), std::move(token));
  }
  json tokens = json::array();
  for (auto& [id, token] : by_id) tokens.push_back(std::move(token));
  for (json& token : specials)
    if (!contains_token(tokens, *text_of(token))) tokens.push_back(std::move(token));
  return tokens;
}

json OlderFiles::post_processor(Scheme scheme, const json& vocabulary) const {
  const auto id_of = [&](const std::string& token) {
    const auto found = vocabulary.find(token);
    require(found != vocabulary.end(), ErrorKind::Checkpoint, place(), ": expected the special token \"", token,
            "\" in the vocabulary, found none");
    return *found;
  };
  std::vector<std::string> before, after;
  if (scheme == Scheme::Roberta) {
    const std::string sep = special_text(scheme, "sep_token");
    const std::string cls = special_text(scheme, "cls_token");
    return {{"type", "RobertaProcessing"},
            {"sep", {sep, id_of(sep)}},
            {"cls", {cls, id_of(cls)}},
            {"trim_offsets", flag("trim_offsets", true)},
            {"add_prefix_space", flag("add_prefix_space", false)}};
  }
  if (scheme == Scheme::Bert || scheme == Scheme::Deberta) {
    before.push_back(special_text(scheme, "cls_token"));
    after.push_back(special_text(scheme, "sep_token"));
  } else if (scheme == Scheme::Gpt2) {
    if (flag("add_bos_token", false)) before.push_back(special_text(scheme, "bos_token"));
    if (flag("add_eos_token", false)) after.push_back(special_text(scheme, "eos_token"));
  }
  if (before.empty() && after.empty()) return nullptr;
  json single = json::array();
  json known = json::object();
  const auto append = [&](const std::string& token) {
    single.push_back({{"SpecialToken", {{"id", token}, {"type_id", 0}}}});
    known[token] = {{"id", token}, {"ids", {id_of(token)}}, {"tokens", {token}}};
  };
  for (const std::string& token : before) append(token);
  single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
  for (const std::string& token : after) append(token);
  return {{"type", "TemplateProcessing"}, {"single", single}, {"special_tokens", known}};
}

std::string OlderFiles::place() const {
  return (folder_ / (fs::exists(folder_ / "vocab.json") ? "vocab.json" : "vocab.txt")).string();
}

json OlderFiles::to_tokenizer_json() const {
  const fs::path words = folder_ / "vocab.txt";
  const fs::path bytes = folder_ / "vocab.json";
  const fs::path merges = folder_ / "merges.txt";
  const bool has_bytes = fs::exists(bytes);
  require(has_bytes || fs::exists(words), ErrorKind::Checkpoint, folder_.string(),
          ": expected a tokenizer.json, a vocab.txt, or a vocab.json with merges.txt, found none");
  json vocabulary = has_bytes ? parse_json(read_file(bytes, ErrorKind::Checkpoint), bytes.string())
                              : parse_vocabulary_lines(read_file(words, ErrorKind::Checkpoint), words.string());
  if (!vocabulary.is_object()) JsonPart(vocabulary, place()).fail("an object of token: id");
  const Scheme kind = scheme(vocabulary);
  require(has_bytes == (kind != Scheme::Bert), ErrorKind::Checkpoint, folder_.string(), ": expected a ",
          has_bytes ? "vocab.txt" : "vocab.json with merges.txt", " for its tokenizer class, found ",
          has_bytes ? "vocab.json" : "vocab.txt");
  json file = {{"added_tokens", added_tokens(kind)}, {"post_processor", post_processor(kind, vocabulary)}};
  if (kind == Scheme::Bert) {
    const bool lowercase = flag("do_lower_case", true);
    json strip_accents = tokenizer_config_.value("strip_accents", json(nullptr));
    file["normalizer"] = {{"type", "BertNormalizer"},
                          {"clean_text", true},
                          {"handle_chinese_chars", flag("tokenize_chinese_chars", true)},
                          {"strip_accents", std::move(strip_accents)},
                          {"lowercase", lowercase}};
    file["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
    file["decoder"] = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
    file["model"] = {{"type", "WordPiece"}, {"unk_token", special_text(kind, "unk_token")}};
  } else {
    json cut = {{"type", "ByteLevel"},
                {"add_prefix_space", flag("add_prefix_space", false)},
                {"use_regex", kind != Scheme::Qwen2}};
    if (kind == Scheme::Qwen2) {
      // The expression of the released Qwen2 tokenizer.json.
      constexpr const char* kWords =
          R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
      file["normalizer"] = {{"type", "NFC"}};
      cut = {
          {"type", "Sequence"},
          {"pretokenizers",
           {{{"type", "Split"}, {"pattern", {{"Regex", kWords}}}, {"behavior", "Isolated"}, {"invert", false}}, cut}}};
    }
    file["pre_tokenizer"] = std::move(cut);
    file["decoder"] = {{"type", "ByteLevel"}};
    file["model"] = {{"type", "BPE"},
                     {"merges", parse_merges(read_file(merges, ErrorKind::Checkpoint), merges.string())}};
  }
  file["model"]["vocab"] = std::move(vocabulary);
  return file;
}

std::vector<fs::path> tokenizer_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const char* name : {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
                           "vocab.txt", "vocab.json", "merges.txt", "chat_template.jinja"})
    if (fs::is_regular_file(folder / name)) files.push_back(folder / name);
  return files;
}

}  // namespace normscope
