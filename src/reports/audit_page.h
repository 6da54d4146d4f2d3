// The report's section on labels that may be wrong, from the audit.json that normscope audit leaves.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/table.h"

namespace normscope {

// What stands under one audit: the suspects with their texts or pictures, the classes, the confusion, and how well each
// signal does where the truth is known. Pictures are read from beside the file. Throws Error(Data) naming a file that
// is no audit.
std::string audit_html(const std::filesystem::path& audit_json);

// How well each signal finds the wrong labels: the "detection" of an audit.json.
Table detection_table(const nlohmann::json& detection);

}  // namespace normscope
