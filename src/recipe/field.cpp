// Questions about one key: its expected values in words, its value as TOML, its neighbours by name.
#include "recipe/field.h"

#include <algorithm>

#include "core/text.h"

namespace normscope {
namespace {

template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;  // clang 14 does not deduce aggregates by itself

std::string number_toml(double value) {
  std::string text = format_number(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";  // TOML tells 1.0 from 1
  return text;
}

std::string list_toml(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const auto& text : texts) quoted.push_back(quote_toml(text));
  return "[" + join(quoted, ", ") + "]";
}

std::string describe_range(const Rule& rule, bool is_integer) {
  const auto bound = [&](double value) {
    return is_integer ? std::to_string(static_cast<int64_t>(value)) : format_number(value);
  };
  const bool has_low = rule.low > -1e18, has_high = rule.high < 1e8 || (rule.high < 1e18 && !is_integer);
  if (has_low && has_high)
    return std::string(" ") + (rule.excludes_low ? "above " : "from ") + bound(rule.low) +
           (rule.excludes_high ? " to below " : " to ") + bound(rule.high);
  if (has_low) return (rule.excludes_low ? " above " : " of at least ") + bound(rule.low);
  return "";
}

std::string describe_words(const std::vector<std::string>& words) {
  std::vector<std::string> shown;
  for (const auto& word : words) shown.push_back(word.empty() ? "\"\"" : word);
  return join(shown, ", ");
}

}  // namespace

std::string Field::section() const {
  const size_t dot = key.find('.');
  return dot == std::string::npos ? "" : key.substr(0, dot);
}

std::string Field::leaf() const { return key.substr(key.find('.') + 1); }

const Field* find_field(const std::vector<Field>& fields, const std::string& key) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

std::string nearest_key(const std::vector<Field>& fields, const std::string& key) {
  const std::string leaf = key.substr(key.rfind('.') + 1);
  const std::string section = key.substr(0, key.size() - leaf.size());
  std::vector<std::string> here, everywhere;
  for (const auto& field : fields) {
    if (field.leaf() == leaf && field.key != key) return field.key;  // the right key in the wrong section
    everywhere.push_back(field.leaf());
    if (field.key.substr(0, field.key.size() - field.leaf().size()) == section) here.push_back(field.leaf());
  }
  if (const std::string near = nearest_name(leaf, here); !near.empty()) return section + near;
  const std::string near = nearest_name(leaf, everywhere);
  for (const auto& field : fields)
    if (!near.empty() && field.leaf() == near) return field.key;
  return "";
}

std::string describe_expected(const Field& field) {
  const Rule& rule = field.rule;
  return std::visit(Overloaded{
                        [&](const std::string*) {
                          return rule.words.empty() ? std::string("text") : "one of " + describe_words(rule.words);
                        },
                        [&](const std::vector<std::string>*) {
                          return rule.words.empty() ? std::string("a list of texts")
                                                    : "a list of " + describe_words(rule.words);
                        },
                        [&](const int64_t*) { return "an integer" + describe_range(rule, true); },
                        [&](const std::optional<int64_t>*) { return "an integer" + describe_range(rule, true); },
                        [&](const double*) { return "a number" + describe_range(rule, false); },
                        [&](const std::optional<double>*) {
                          return quote_toml(rule.absent) + " or a number" + describe_range(rule, false);
                        },
                        [&](const std::array<double, 2>*) { return "two numbers" + describe_range(rule, false); },
                        [&](const bool*) { return std::string("true or false"); },
                    },
                    field.target);
}

std::string quote_toml(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr char kDigits[] = "0123456789ABCDEF";
    if (c == '"' || c == '\\')
      quoted.append({'\\', c});
    else if (c == '\n')
      quoted += "\\n";
    else if (c == '\t')
      quoted += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      quoted += std::string("\\u00") + kDigits[byte >> 4] + kDigits[byte & 15];
    else
      quoted += c;
  }
  return quoted + "\"";
}

std::string value_toml(const Field& field) {
  return std::visit(
      Overloaded{
          [](const std::string* value) { return quote_toml(*value); },
          [](const std::vector<std::string>* value) { return list_toml(*value); },
          [](const int64_t* value) { return std::to_string(*value); },
          [](const double* value) { return number_toml(*value); },
          [](const bool* value) { return std::string(*value ? "true" : "false"); },
          [](const std::array<double, 2>* value) {
            return "[" + number_toml((*value)[0]) + ", " + number_toml((*value)[1]) + "]";
          },
          [&](const std::optional<double>* value) {
            return *value ? number_toml(**value) : quote_toml(field.rule.absent);
          },
          [](const std::optional<int64_t>* value) { return *value ? std::to_string(**value) : std::string(); },
      },
      field.target);
}

}  // namespace normscope
