// Small text questions that every layer asks: UTF-8, nearest names, hashes.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Byte position of the first invalid UTF-8 sequence, or npos. Overlong forms and surrogates are invalid.
size_t find_invalid_utf8(std::string_view text);

// The known name nearest to `name` by edit distance, or "" when none is near enough to suggest.
std::string nearest_name(std::string_view name, std::span<const std::string> known);

std::string join(std::span<const std::string> parts, std::string_view separator);

// FNV-1a of 64 bits, for keys of caches and content checks (not for security).
uint64_t content_hash(std::string_view bytes, uint64_t start = 0xcbf29ce484222325ULL);

// The last digits of a number to base 16, lower case.
std::string hexadecimal(uint64_t value, size_t num_digits = 16);

// The shortest decimal that reads back as the same double; "" for NaN (not defined).
std::string format_number(double value);

}  // namespace normscope
