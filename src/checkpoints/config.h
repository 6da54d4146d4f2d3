// config.json: which architecture, which classes.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Throws Error(Checkpoint) that starts with `origin` when it is not a JSON object with a model_type, or its
// classes are not numbered from 0 without gaps.
nlohmann::json parse_config(std::string_view bytes, const std::string& origin = "config.json");

// Class names in class order, from id2label, else label2id; empty when the config has neither.
std::vector<std::string> class_labels(const nlohmann::json& config, const std::string& origin = "config.json");

}  // namespace normscope
