// TOML values and bare words to fields.
#include "recipe/value.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "core/text.h"

namespace normscope {
namespace {

constexpr size_t kMaxShown = 60;  // bytes of a wrong value that a message repeats

class ValueReader {
 public:
  ValueReader(const Field& field, const toml::node& node, const std::string& where)
      : field_(field), node_(node), where_(where) {}

  void operator()(std::string* target) const { *target = text_of(node_); }

  void operator()(std::vector<std::string>* target) const {
    if (!node_.is_array()) refuse(node_);
    std::vector<std::string> texts;
    std::set<std::string> seen;
    for (const auto& item : *node_.as_array()) {
      // Classes are often numbers; their names are texts all the same.
      const bool is_class_number = field_.rule.words.empty() && item.is_integer();
      texts.push_back(is_class_number ? std::to_string(item.as_integer()->get()) : text_of(item));
      if (!seen.insert(texts.back()).second) fail("expected different names, found \"" + texts.back() + "\" twice");
    }
    *target = std::move(texts);
  }

  void operator()(int64_t* target) const { *target = integer(node_); }
  void operator()(std::optional<int64_t>* target) const { *target = integer(node_); }
  void operator()(double* target) const { *target = number(node_); }

  void operator()(std::optional<double>* target) const {
    if (node_.is_string() && node_.as_string()->get() == field_.rule.absent)
      target->reset();
    else
      *target = number(node_);
  }

  void operator()(bool* target) const {
    if (!node_.is_boolean()) refuse(node_);
    *target = node_.as_boolean()->get();
  }

  void operator()(std::array<double, 2>* target) const {
    const auto* items = node_.as_array();
    if (items == nullptr || items->size() != 2) refuse(node_);
    *target = {number((*items)[0]), number((*items)[1])};
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw Error(ErrorKind::Usage, where_ + ": " + field_.key + ": " + message);
  }
  [[noreturn]] void refuse(const toml::node& node) const {
    fail("expected " + describe_expected(field_) + ", found " + describe_found(node));
  }

  std::string text_of(const toml::node& node) const {
    if (!node.is_string()) refuse(node);
    const std::string& text = node.as_string()->get();
    const auto& words = field_.rule.words;
    if (!words.empty() && std::find(words.begin(), words.end(), text) == words.end()) {
      const std::string near = nearest_name(text, words);
      fail("expected " + describe_expected(field_) + ", found " + describe_found(node) +
           (near.empty() ? "" : "; did you mean " + near + "?"));
    }
    if (field_.rule.check != nullptr) {
      try {
        field_.rule.check(text);
      } catch (const Error& error) {
        fail(error.what());
      }
    }
    return text;
  }

  void check_range(double value, const toml::node& node) const {
    const Rule& rule = field_.rule;
    const bool is_low = rule.excludes_low ? value <= rule.low : value < rule.low;
    const bool is_high = rule.excludes_high ? value >= rule.high : value > rule.high;
    if (is_low || is_high || !std::isfinite(value)) refuse(node);
  }

  int64_t integer(const toml::node& node) const {
    if (!node.is_integer()) refuse(node);
    const int64_t value = node.as_integer()->get();
    check_range(static_cast<double>(value), node);
    return value;
  }

  double number(const toml::node& node) const {
    if (!node.is_integer() && !node.is_floating_point()) refuse(node);
    const double value =
        node.is_integer() ? static_cast<double>(node.as_integer()->get()) : node.as_floating_point()->get();
    check_range(value, node);
    return value;
  }

  const Field& field_;
  const toml::node& node_;
  const std::string& where_;
};

// The one value of `text` read as TOML, or nothing; a line break could smuggle a second key in.
std::optional<toml::table> parse_one_value(const std::string& text) {
  if (text.find_first_of("\r\n") != std::string::npos) return std::nullopt;
  try {
    toml::table table = toml::parse("value = " + text);
    if (table.size() == 1 && table.contains("value")) return table;
  } catch (const toml::parse_error&) {
  }
  return std::nullopt;
}

toml::array split_words(const std::string& text) {
  toml::array words;
  for (size_t begin = 0; begin <= text.size() && !text.empty();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace

std::string describe_found(const toml::node& node) {
  std::ostringstream shown;
  switch (node.type()) {
    case toml::node_type::string:
      shown << quote_toml(node.as_string()->get());
      break;
    case toml::node_type::integer:
      shown << "the integer " << node.as_integer()->get();
      break;
    case toml::node_type::floating_point:
      shown << "the number " << node.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      shown << (node.as_boolean()->get() ? "true" : "false");
      break;
    case toml::node_type::array:
      shown << "a list of " << node.as_array()->size();
      break;
    case toml::node_type::table:
      shown << "a table";
      break;
    default:
      shown << "a date or a time";
      break;
  }
  std::string text = shown.str();
  if (text.size() <= kMaxShown) return text;
  text.resize(kMaxShown);
  while (find_invalid_utf8(text) != std::string::npos) text.pop_back();
  return text + "...";
}

void read_value(const Field& field, const toml::node& node, const std::string& where) {
  std::visit(ValueReader(field, node, where), field.target);
}

void read_text_value(const Field& field, const std::string& text, const std::string& where) {
  require(find_invalid_utf8(text) == std::string::npos, ErrorKind::Usage, where, ": ", field.key,
          ": expected UTF-8 text");
  const bool wants_text = std::holds_alternative<std::string*>(field.target);
  const bool wants_list = std::holds_alternative<std::vector<std::string>*>(field.target);
  const auto parsed = parse_one_value(text);
  const toml::node* node = parsed ? parsed->get("value") : nullptr;
  if (wants_list && (node == nullptr || !node->is_array()))
    read_value(field, split_words(node != nullptr && node->is_string() ? node->as_string()->get() : text), where);
  else if (node == nullptr || (wants_text && !node->is_string()))
    read_value(field, toml::value<std::string>(text),
               where);  // a bare word, or a name that looks like a number
  else
    read_value(field, *node, where);
}

}  // namespace normscope
