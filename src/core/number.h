// Numbers as text.
#pragma once
#include <charconv>
#include <optional>
#include <string_view>

namespace normscope {

// The number that the whole of `text` is, as std::from_chars reads it; nothing for anything else.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace normscope
