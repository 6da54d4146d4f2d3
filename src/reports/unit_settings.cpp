#include "reports/unit_settings.h"

namespace normscope {

Settings settings_of(const Unit& unit) {
  Settings settings;
  for (const auto& line : shared_recipe_lines(unit.runs[0]->run.recipe, false))
    if (const auto at = line.find(" = "); at != std::string::npos) settings[line.substr(0, at)] = line.substr(at + 3);
  return settings;
}

std::set<std::string> differing_keys(const Settings& a, const Settings& b) {
  std::set<std::string> keys;
  for (const auto* one : {&a, &b})
    for (const auto& [key, value] : *one) {
      const auto &in_a = a.find(key), &in_b = b.find(key);
      if (in_a == a.end() || in_b == b.end() || in_a->second != in_b->second) keys.insert(key);
    }
  return keys;
}

std::string value_of(const Settings& settings, const std::string& key) {
  const auto at = settings.find(key);
  return at == settings.end() ? "" : at->second;
}

}  // namespace normscope
