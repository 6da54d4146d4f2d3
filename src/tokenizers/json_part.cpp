// A value inside a JSON file that knows its place, so that every complaint names file and key.
#include "tokenizers/json_part.h"

#include "core/error.h"

namespace normscope {
namespace {

constexpr int kMaxDepth = 32;

std::string shortened(const nlohmann::json& value) {
  std::string text = value.is_structured() ? std::string(value.is_array() ? "a list" : "an object")
                                           : value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 60) + "...";
  return text;
}

}  // namespace

bool JsonPart::has(std::string_view key) const {
  if (!value_->is_object()) return false;
  const auto found = value_->find(key);
  return found != value_->end() && !found->is_null();
}

JsonPart JsonPart::at(std::string_view key) const {
  if (!value_->is_object()) fail("an object");
  const auto found = value_->find(key);
  require(found != value_->end(), ErrorKind::Checkpoint, place_, ": expected the key \"", key, "\", found none");
  require(depth_ < kMaxDepth, ErrorKind::Checkpoint, place_, ": nested deeper than ", kMaxDepth, " levels");
  return {*found, place_ + "." + std::string(key), depth_ + 1};
}

std::string JsonPart::text(std::string_view key) const { return at(key).as_text(); }

std::string JsonPart::text_or(std::string_view key, std::string_view otherwise) const {
  return has(key) ? text(key) : std::string(otherwise);
}

bool JsonPart::flag_or(std::string_view key, bool otherwise) const { return optional_flag(key).value_or(otherwise); }

std::optional<bool> JsonPart::optional_flag(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  const JsonPart part = at(key);
  if (!part.value().is_boolean()) part.fail("true or false");
  return part.value().get<bool>();
}

int64_t JsonPart::integer(std::string_view key) const { return at(key).as_integer(); }

std::vector<JsonPart> JsonPart::list(std::string_view key) const {
  const JsonPart part = at(key);
  if (!part.value().is_array()) part.fail("a list");
  std::vector<JsonPart> parts;
  parts.reserve(part.value().size());
  for (const auto& element : part.value())
    parts.emplace_back(element, part.place_ + "[" + std::to_string(parts.size()) + "]", part.depth_ + 1);
  return parts;
}

std::string JsonPart::as_text() const {
  if (!value_->is_string()) fail("a string");
  return value_->get<std::string>();
}

int64_t JsonPart::as_integer() const {
  if (!value_->is_number_integer()) fail("an integer");
  if (value_->is_number_unsigned() && value_->get<uint64_t>() > INT64_MAX) fail("an integer of 63 bits");
  return value_->get<int64_t>();
}

void JsonPart::fail(std::string_view expected) const {
  throw Error(ErrorKind::Checkpoint, place_ + ": expected " + std::string(expected) + ", found " + shortened(*value_));
}

void JsonPart::fail_unsupported(std::string_view component, std::string_view name) const {
  throw Error(ErrorKind::Checkpoint,
              place_ + ": the " + std::string(component) + " \"" + std::string(name) + "\" is not supported");
}

nlohmann::json parse_json(std::string_view bytes, const std::string& place) {
  try {
    return nlohmann::json::parse(bytes);
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::Checkpoint, place + ": not valid JSON: " + error.what());
  }
}

}  // namespace normscope
