#include "models/config_reader.h"

#include "core/error.h"

namespace normscope {
namespace {

[[noreturn]] void wrong_type(const std::string& key, const std::string& expected, const nlohmann::json& found) {
  throw Error(ErrorKind::Checkpoint, "config.json: '" + key + "' is " + found.dump() + ", expected " + expected);
}

}  // namespace

const nlohmann::json& ConfigReader::at(const std::string& key) const {
  require(has(key), ErrorKind::Checkpoint, "config.json: no '", key, "', which this architecture needs");
  return config_.at(key);
}

int64_t ConfigReader::integer(const std::string& key) const {
  const auto& value = at(key);
  if (!value.is_number_integer()) wrong_type(key, "an integer", value);
  return value.get<int64_t>();
}

int64_t ConfigReader::integer(const std::string& key, int64_t absent) const { return has(key) ? integer(key) : absent; }

double ConfigReader::number(const std::string& key) const {
  const auto& value = at(key);
  if (!value.is_number()) wrong_type(key, "a number", value);
  return value.get<double>();
}

double ConfigReader::number(const std::string& key, double absent) const { return has(key) ? number(key) : absent; }

std::string ConfigReader::text(const std::string& key, const std::string& absent) const {
  if (!has(key)) return absent;
  const auto& value = at(key);
  if (!value.is_string()) wrong_type(key, "a string", value);
  return value.get<std::string>();
}

bool ConfigReader::flag(const std::string& key, bool absent) const {
  if (!has(key)) return absent;
  const auto& value = at(key);
  if (!value.is_boolean()) wrong_type(key, "true or false", value);
  return value.get<bool>();
}

double ConfigReader::dropout(const std::string& key, double absent) const {
  const double p = dropout_ ? *dropout_ : number(key, absent);
  require(p >= 0 && p < 1, ErrorKind::Checkpoint, "config.json: '", key, "' is ", p,
          ", expected a probability under 1");
  return p;
}

int64_t ConfigReader::size(const std::string& key) const {
  const int64_t value = integer(key);
  if (value < 1 || value > (int64_t{1} << 31)) wrong_type(key, "a size between 1 and 2^31", at(key));
  return value;
}

int64_t ConfigReader::size(const std::string& key, int64_t absent) const { return has(key) ? size(key) : absent; }

void ConfigReader::only(const std::string& key, const nlohmann::json& supported) const {
  require(!has(key) || config_.at(key) == supported, ErrorKind::Checkpoint, "config.json: '", key, "' is ",
          has(key) ? config_.at(key).dump() : "", "; only ", supported.dump(), " is supported");
}

Extent ConfigReader::extent(const std::string& key) const {
  if (!has(key) || !at(key).is_array()) return {size(key), size(key)};
  const auto& pair = at(key);
  require(pair.size() == 2 && pair[0].is_number_integer() && pair[1].is_number_integer() && pair[0] >= 1 &&
              pair[1] >= 1 && pair[0] <= (1 << 20) && pair[1] <= (1 << 20),
          ErrorKind::Checkpoint, "config.json: ", key, ": expected a size or [height, width], found ", pair.dump());
  return {pair[0], pair[1]};
}

Extent ConfigReader::extent(const std::string& key, int64_t absent) const {
  return has(key) ? extent(key) : Extent{absent, absent};
}

}  // namespace normscope
