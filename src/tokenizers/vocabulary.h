// The model's tokens and their ids, looked up in both directions.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizers/json_part.h"

namespace normscope {

class Vocabulary {
 public:
  // {"token": id, ...}: ids from 0, below 2^22, with holes where the file has them.
  explicit Vocabulary(const JsonPart& part);

  // -1 when there is none.
  int32_t id(std::string_view token) const;
  // Empty for an id that no token has.
  std::string_view token(int32_t id) const {
    return id >= 0 && static_cast<size_t>(id) < spans_.size() ? view(spans_[static_cast<size_t>(id)])
                                                              : std::string_view();
  }
  bool has_id(int64_t id) const {
    return id >= 0 && id < static_cast<int64_t>(spans_.size()) && spans_[static_cast<size_t>(id)].begin != kHole;
  }
  size_t size() const { return size_; }              // number of tokens
  size_t longest_bytes() const { return longest_; }  // of any token

 private:
  static constexpr uint32_t kHole = 0xffffffff;
  struct Span {
    uint32_t begin = kHole, length = 0;
  };
  struct Slot {
    uint32_t hash = 0;
    int32_t id = -1;
    Span span;
  };
  std::string_view view(Span span) const {
    return span.begin == kHole ? std::string_view() : std::string_view(bytes_).substr(span.begin, span.length);
  }

  std::string bytes_;        // every token, one after the other
  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
  std::vector<Span> spans_;  // by id
  size_t size_ = 0, longest_ = 0;
};

}  // namespace normscope
