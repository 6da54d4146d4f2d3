#include "core/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace normscope {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

size_t find_invalid_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || i + length > text.size()) return i;
    uint32_t code = lead & (0x7f >> length);
    for (size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xc0) != 0x80) return i;
      code = code << 6 | (next & 0x3f);
    }
    constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kSmallest[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return i;
    i += length;
  }
  return std::string_view::npos;
}

std::string nearest_name(std::string_view name, std::span<const std::string> known) {
  size_t best = std::max<size_t>(2, name.size() / 3) + 1;
  std::string nearest;
  for (const auto& candidate : known) {
    const size_t distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (const auto& part : parts) {
    if (!text.empty() || &part != parts.data()) text += separator;
    text += part;
  }
  return text;
}

uint64_t content_hash(std::string_view bytes, uint64_t start) {
  for (const char c : bytes) start = (start ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return start;
}

std::string format_number(double value) {
  if (std::isnan(value)) return "";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string hexadecimal(uint64_t value, size_t num_digits) {
  std::string digits(num_digits, '0');
  for (size_t i = num_digits; i-- > 0; value >>= 4) digits[i] = "0123456789abcdef"[value & 15];
  return digits;
}

}  // namespace normscope
