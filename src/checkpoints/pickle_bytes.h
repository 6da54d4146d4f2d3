// A cursor over a pickle's bytes that never leaves them.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/error.h"

namespace normscope {

class PickleBytes {
 public:
  PickleBytes(std::string_view bytes, const std::string& origin) : bytes_(bytes), origin_(origin) {}

  // Throws Error(Checkpoint) with the origin and the position in front, unless `ok`.
  template <typename... Parts>
  void demand(bool ok, const Parts&... message) const {
    require(ok, ErrorKind::Checkpoint, origin_, ": byte ", position_, ": ", message...);
  }

  std::string_view take(uint64_t size) {
    demand(size <= bytes_.size() - position_, "the pickle is cut short");
    const auto span = bytes_.substr(position_, size);
    position_ += size;
    return span;
  }

  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }

  std::string_view take_line() {
    const size_t end = bytes_.find('\n', position_);
    demand(end != std::string_view::npos, "the pickle is cut short");
    const auto line = take(end - position_);
    take(1);
    return line;
  }

  // A length of one byte and that many digits of a two's complement number.
  int64_t take_long() {
    const auto digits = take(number<uint8_t>());
    demand(digits.size() <= sizeof(int64_t), "a number of ", digits.size(), " bytes");
    uint64_t value = !digits.empty() && (digits.back() & 0x80) ? ~uint64_t{0} : 0;
    std::memcpy(&value, digits.data(), digits.size());
    return static_cast<int64_t>(value);
  }

 private:
  std::string_view bytes_;
  const std::string& origin_;
  uint64_t position_ = 0;
};

}  // namespace normscope
