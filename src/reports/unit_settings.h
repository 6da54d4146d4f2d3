// The settings that the runs of a unit share, to tell in what two units differ.
#pragma once
#include <map>
#include <set>
#include <string>

#include "reports/study_view.h"

namespace normscope {

using Settings = std::map<std::string, std::string>;  // dotted key to value, as the recipe writes them

Settings settings_of(const Unit& unit);
std::set<std::string> differing_keys(const Settings& a, const Settings& b);
std::string value_of(const Settings& settings, const std::string& key);  // "" where there is none

}  // namespace normscope
