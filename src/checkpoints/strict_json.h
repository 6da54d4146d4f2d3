// JSON in which every key comes once and nesting has an end.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace normscope {

// Throws Error(Checkpoint) that starts with `origin` when it is not JSON, a key is doubled or it nests too
// deep.
nlohmann::json parse_strict_json(std::string_view bytes, const std::string& origin);

}  // namespace normscope
