// nlohmann's parser keeps the last of two equal keys; here that is an error, for which one is meant is
// unknown.
#include "checkpoints/strict_json.h"

#include <set>
#include <vector>

#include "core/error.h"

namespace normscope {

nlohmann::json parse_strict_json(std::string_view bytes, const std::string& origin) {
  using Event = nlohmann::json::parse_event_t;
  constexpr int kMaxDepth = 64;
  std::vector<std::set<std::string>> keys;  // of every object that is open
  const auto watch = [&](int depth, Event event, nlohmann::json& parsed) {
    require(depth <= kMaxDepth, ErrorKind::Checkpoint, origin, ": nests deeper than ", kMaxDepth, " levels");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key)
      require(keys.back().insert(parsed.get<std::string>()).second, ErrorKind::Checkpoint, origin, ": key '",
              parsed.get<std::string>(), "' comes twice");
    return true;
  };
  try {
    return nlohmann::json::parse(bytes.begin(), bytes.end(), watch);
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::Checkpoint, origin + ": not JSON: " + error.what());
  }
}

}  // namespace normscope
