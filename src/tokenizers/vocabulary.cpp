// The model's tokens and their ids, looked up in both directions.
#include "tokenizers/vocabulary.h"

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "tokenizers/string_hash.h"

namespace normscope {
namespace {

constexpr int64_t kMaxId = 1 << 22;  // far above any published vocabulary; bounds the table by id

}  // namespace

Vocabulary::Vocabulary(const JsonPart& part) {
  const nlohmann::json& tokens = part.value();
  if (!tokens.is_object()) part.fail("an object of token: id");
  size_ = tokens.size();
  slots_.resize(std::bit_ceil(std::max<size_t>(size_, 1) * 2));
  for (const auto& [token, id] : tokens.items()) {
    const bool valid = id.is_number_unsigned() && id.get<uint64_t>() < kMaxId;
    if (!valid) JsonPart(id, part.place() + "[\"" + token + "\"]").fail("an id from 0 to 4194303");
    require(bytes_.size() + token.size() < kHole, ErrorKind::Checkpoint, part.place(), ": more than 4 GiB");
    const Span span{static_cast<uint32_t>(bytes_.size()), static_cast<uint32_t>(token.size())};
    bytes_ += token;
    longest_ = std::max(longest_, token.size());
    const auto number = id.get<uint32_t>();
    if (number >= spans_.size()) spans_.resize(number + 1);
    spans_[number] = span;
    const auto hash = static_cast<uint32_t>(string_hash(token));
    size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot].id >= 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {hash, static_cast<int32_t>(number), span};
  }
}

int32_t Vocabulary::id(std::string_view token) const {
  const auto hash = static_cast<uint32_t>(string_hash(token));
  for (size_t slot = hash & (slots_.size() - 1); slots_[slot].id >= 0; slot = (slot + 1) & (slots_.size() - 1))
    if (slots_[slot].hash == hash && view(slots_[slot].span) == token) return slots_[slot].id;
  return -1;
}

}  // namespace normscope
