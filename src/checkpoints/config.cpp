// Checks what every architecture relies on; sizes are read by the architectures themselves.
#include "checkpoints/config.h"

#include <charconv>
#include <map>
#include <set>

#include "checkpoints/strict_json.h"
#include "core/error.h"

namespace normscope {
namespace {

constexpr size_t kMaxConfigBytes = 16 << 20;  // ImageNet-21k's class names take 2 MB

class LabelReader {
 public:
  LabelReader(const nlohmann::json& config, const std::string& origin) : config_(config), origin_(origin) {}

  std::vector<std::string> read() const {
    if (has("id2label")) return from_id2label();
    if (has("label2id")) return from_label2id();
    return {};
  }

 private:
  template <typename... Parts>
  void demand(bool ok, const Parts&... message) const {
    require(ok, ErrorKind::Checkpoint, origin_, ": ", message...);
  }

  bool has(const char* key) const {
    const auto found = config_.find(key);
    if (found == config_.end() || found->is_null()) return false;
    demand(found->is_object(), "'", key, "': expected an object, found ", found->type_name());
    return !found->empty();
  }

  std::vector<std::string> from_id2label() const {
    std::map<int64_t, std::string> by_class;
    for (const auto& [key, value] : config_["id2label"].items()) {
      int64_t id = -1;
      const auto [end, problem] = std::from_chars(key.data(), key.data() + key.size(), id);
      demand(problem == std::errc() && end == key.data() + key.size() && id >= 0,
             "'id2label': expected class numbers as keys, found '", key, "'");
      demand(value.is_string() || value.is_number_integer(), "'id2label': class ", id, ": expected a name, found ",
             value.type_name());
      const auto label = value.is_string() ? value.get<std::string>() : value.dump();
      demand(by_class.emplace(id, label).second, "'id2label': class ", id, " comes twice");
    }
    return in_order(by_class, "id2label");
  }

  std::vector<std::string> from_label2id() const {
    std::map<int64_t, std::string> by_class;
    for (const auto& [label, id] : config_["label2id"].items()) {
      demand(id.is_number_integer(), "'label2id': '", label, "': expected a class number, found ", id.dump());
      demand(by_class.emplace(id.get<int64_t>(), label).second, "'label2id': class ", id.dump(), " comes twice");
    }
    return in_order(by_class, "label2id");
  }

  std::vector<std::string> in_order(const std::map<int64_t, std::string>& by_class, const char* key) const {
    std::vector<std::string> labels;
    for (const auto& [id, label] : by_class) {
      demand(id == static_cast<int64_t>(labels.size()), "'", key, "': expected classes 0 to ", by_class.size() - 1,
             ", found no class ", labels.size());
      labels.push_back(label);
    }
    return labels;
  }

  const nlohmann::json& config_;
  const std::string& origin_;
};

}  // namespace

nlohmann::json parse_config(std::string_view bytes, const std::string& origin) {
  require(bytes.size() <= kMaxConfigBytes, ErrorKind::Checkpoint, origin, ": expected a config, found ", bytes.size(),
          " bytes");
  nlohmann::json config = parse_strict_json(bytes, origin);
  require(config.is_object(), ErrorKind::Checkpoint, origin, ": expected an object, found ", config.type_name());
  const auto model_type = config.find("model_type");
  require(model_type != config.end(), ErrorKind::Checkpoint, origin,
          ": no 'model_type', so the architecture is unknown; add it, for instance \"model_type\": \"bert\"");
  require(model_type->is_string() && !model_type->get_ref<const std::string&>().empty(), ErrorKind::Checkpoint, origin,
          ": 'model_type': expected text, found ", model_type->dump());
  class_labels(config, origin);
  return config;
}

std::vector<std::string> class_labels(const nlohmann::json& config, const std::string& origin) {
  return LabelReader(config, origin).read();
}

}  // namespace normscope
