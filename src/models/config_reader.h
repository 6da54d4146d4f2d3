// config.json as the architectures read it: typed keys, defaults, and refusal of what changes the forward
// pass unseen.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace normscope {

struct Extent {
  int64_t height = 0, width = 0;
};

class ConfigReader {
 public:
  // `dropout` replaces every dropout probability of the file.
  explicit ConfigReader(nlohmann::json config, std::optional<double> dropout = {})
      : config_(std::move(config)), dropout_(dropout) {}

  // Without a default the key must be there; a value of another type is an Error(Checkpoint) naming the key.
  int64_t integer(const std::string& key) const;
  int64_t integer(const std::string& key, int64_t absent) const;
  double number(const std::string& key) const;
  double number(const std::string& key, double absent) const;
  std::string text(const std::string& key, const std::string& absent) const;
  bool flag(const std::string& key, bool absent) const;
  double dropout(const std::string& key, double absent) const;
  // Sizes are at least 1 and at most 2^31.
  int64_t size(const std::string& key) const;
  int64_t size(const std::string& key, int64_t absent) const;

  // One size for both, or [height, width].
  Extent extent(const std::string& key) const;
  Extent extent(const std::string& key, int64_t absent) const;

  bool has(const std::string& key) const { return config_.contains(key) && !config_[key].is_null(); }
  const nlohmann::json& json() const { return config_; }
  const nlohmann::json& at(const std::string& key) const;

  // Throws Error(Checkpoint) when the key is set to something else: the value is not supported.
  void only(const std::string& key, const nlohmann::json& supported) const;

 private:
  nlohmann::json config_;
  std::optional<double> dropout_;
};

}  // namespace normscope
