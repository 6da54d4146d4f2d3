// Puts one TOML value into a field, with its type, range and words checked.
#pragma once
#include <toml++/toml.h>

#include <string>

#include "recipe/field.h"

namespace normscope {

// Throws Error(Usage): "<where>: <key>: expected ..., found ...".
void read_value(const Field& field, const toml::node& node, const std::string& where);

// The same for text from the command line: a TOML value, else a bare word (a list: words between commas).
void read_text_value(const Field& field, const std::string& text, const std::string& where);

// What a value is, for messages: `text "three"`, `the integer 3`.
std::string describe_found(const toml::node& node);

}  // namespace normscope
