// The byte-level alphabet: every byte is written as one printable character.
// Source: GPT-2 encoder.py, bytes_to_unicode.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace normscope {

// U+0021..U+0143: printable Latin-1 stands for itself, the other 68 bytes follow from U+0100 on.
char32_t byte_level_character(unsigned char byte);

std::string to_byte_level(std::string_view bytes);
// Nothing when a character stands for no byte.
std::optional<std::string> from_byte_level(std::string_view text);

}  // namespace normscope
