// Tokens that were added to a model: found in the text before anything else, never cut.
#include "tokenizers/added_tokens.h"

#include <algorithm>

#include "tokenizers/unicode.h"

namespace normscope {
namespace {

bool ends_with(std::string_view text, uint8_t classes) {
  return !text.empty() && character_classes(code_point_before(text, text.size()).value) & classes;
}

bool starts_with(std::string_view text, uint8_t classes) {
  return !text.empty() && character_classes(code_point_at(text, 0).value) & classes;
}

size_t trailing_spaces(std::string_view text) {
  size_t end = text.size();
  while (ends_with(text.substr(0, end), kSpace)) end -= code_point_before(text, end).length;
  return text.size() - end;
}

size_t leading_spaces(std::string_view text) {
  size_t begin = 0;
  while (starts_with(text.substr(begin), kSpace)) begin += code_point_at(text, begin).length;
  return begin;
}

}  // namespace

void LiteralSet::add(std::string literal, int32_t id) {
  auto& same = by_first_byte_[static_cast<unsigned char>(literal[0])];
  const auto place = std::partition_point(
      same.begin(), same.end(), [&](uint32_t known) { return literals_[known].text.size() >= literal.size(); });
  same.insert(place, static_cast<uint32_t>(literals_.size()));
  literals_.push_back({std::move(literal), id});
}

size_t LiteralSet::find(std::string_view text, size_t from, int32_t& id, size_t& length) const {
  for (size_t i = from; i < text.size(); ++i) {
    for (const uint32_t candidate : by_first_byte_[static_cast<unsigned char>(text[i])]) {
      const Literal& literal = literals_[candidate];
      if (text.compare(i, literal.text.size(), literal.text) != 0) continue;
      id = literal.id;
      length = literal.text.size();
      return i;
    }
  }
  return std::string_view::npos;
}

AddedTokens::AddedTokens(const JsonPart& tokenizer, const Vocabulary& vocabulary, const Normalizer* normalizer)
    : next_id_(static_cast<int32_t>(vocabulary.size())) {
  if (!tokenizer.has("added_tokens")) return;
  for (const JsonPart& part : tokenizer.list("added_tokens")) {
    AddedToken token;
    token.content = part.text("content");
    token.single_word = part.flag_or("single_word", false);
    token.lstrip = part.flag_or("lstrip", false);
    token.rstrip = part.flag_or("rstrip", false);
    token.special = part.flag_or("special", false);
    token.normalized = part.flag_or("normalized", !token.special);
    if (!token.content.empty()) add(std::move(token), vocabulary);
  }
  std::vector<AddedToken*> ordered;
  for (auto& [id, token] : tokens_) ordered.push_back(&token);
  std::sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
  for (AddedToken* token : ordered) {
    if (token->special) special_.insert(token->content);
    token->shown = token->content;
    if (!token->normalized) {
      raw_.add(token->content, token->id);
      continue;
    }
    AlignedText content;
    content.assign(token->content, 0);
    if (normalizer != nullptr) normalizer->normalize(content);
    token->shown = content.text;
    if (!content.text.empty()) normalized_.add(content.text, token->id);
  }
}

void AddedTokens::add(AddedToken token, const Vocabulary& vocabulary) {
  const auto known = ids_.find(token.content);
  token.id = known != ids_.end() ? known->second : vocabulary.id(token.content);
  if (token.id < 0) {
    token.id = next_id_;
    ++num_beyond_;
  }
  next_id_ = std::max(next_id_, token.id + 1);
  ids_[token.content] = token.id;
  tokens_[token.id] = std::move(token);
}

void AddedTokens::split(std::string_view text, bool normalized, std::vector<Piece>& pieces) const {
  const LiteralSet& literals = normalized ? normalized_ : raw_;
  size_t done = 0;
  int32_t id = -1;
  size_t length = 0;
  for (size_t at = literals.empty() ? std::string_view::npos : literals.find(text, 0, id, length);
       at != std::string_view::npos; at = literals.find(text, at + length, id, length)) {
    const AddedToken& token = tokens_.at(id);
    size_t begin = at;
    size_t end = at + length;
    if (token.single_word && (ends_with(text.substr(0, begin), kWord) || starts_with(text.substr(end), kWord)))
      continue;
    if (token.lstrip) begin = std::max(begin - trailing_spaces(text.substr(0, begin)), done);
    if (token.rstrip) end += leading_spaces(text.substr(end));
    if (done < begin) pieces.push_back({static_cast<uint32_t>(done), static_cast<uint32_t>(begin)});
    pieces.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end), id});
    done = end;
  }
  if (done < text.size()) pieces.push_back({static_cast<uint32_t>(done), static_cast<uint32_t>(text.size())});
}

const AddedToken* AddedTokens::find(int64_t id) const {
  if (id < 0 || id > INT32_MAX) return nullptr;
  const auto found = tokens_.find(static_cast<int32_t>(id));
  return found == tokens_.end() ? nullptr : &found->second;
}

int32_t AddedTokens::id(std::string_view content) const {
  const auto found = ids_.find(std::string(content));
  return found == ids_.end() ? -1 : found->second;
}

}  // namespace normscope
