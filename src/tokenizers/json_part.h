// A value inside a JSON file that knows its place, so that every complaint names file and key.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

class JsonPart {
 public:
  JsonPart(const nlohmann::json& value, std::string place, int depth = 0)
      : value_(&value), place_(std::move(place)), depth_(depth) {}

  const nlohmann::json& value() const { return *value_; }
  const std::string& place() const { return place_; }

  bool has(std::string_view key) const;  // present and not null
  JsonPart at(std::string_view key) const;
  std::string text(std::string_view key) const;
  std::string text_or(std::string_view key, std::string_view otherwise) const;
  bool flag_or(std::string_view key, bool otherwise) const;
  std::optional<bool> optional_flag(std::string_view key) const;
  int64_t integer(std::string_view key) const;
  // The elements of an array; nesting deeper than any real file is an error, not a stack overflow.
  std::vector<JsonPart> list(std::string_view key) const;

  std::string as_text() const;
  int64_t as_integer() const;

  // Throws Error(Checkpoint): "<place>: expected <expected>, found <value>".
  [[noreturn]] void fail(std::string_view expected) const;
  // The component of this kind is not one that this program has.
  [[noreturn]] void fail_unsupported(std::string_view component, std::string_view name) const;

 private:
  const nlohmann::json* value_;
  std::string place_;
  int depth_;
};

// Throws Error(Checkpoint) naming `place` and the byte where the text stops being JSON.
nlohmann::json parse_json(std::string_view bytes, const std::string& place);

}  // namespace normscope
