// Sums readings by split, role, layer and epoch.
#include "reports/norm_means.h"

#include <algorithm>
#include <cctype>

namespace normscope {

NormMeans::NormMeans(const std::vector<const RunView*>& runs, const std::string& metric) : runs_(runs.size()) {
  for (const auto* run : runs)
    for (const auto& r : run->norm_readings) {
      if (r.metric != metric || !r.role) continue;
      auto& [sum, count] = values_[{r.split, *r.role, r.layer.value_or(kNoLayer), r.epoch}];
      sum += r.value;
      ++count;
      if (r.layer) layers.insert(*r.layer);
      epochs.insert(r.epoch);
      roles.insert(*r.role);
    }
}

double NormMeans::at(const std::string& split, const std::string& role, int64_t layer, int64_t epoch) const {
  const auto found = values_.find({split, role, layer, epoch});
  const bool is_complete = found != values_.end() && found->second.second == runs_;
  return is_complete ? found->second.first / static_cast<double>(runs_) : kUndefined;
}

int64_t NormMeans::last_epoch(const std::string& split) const {
  int64_t last = -1;
  for (const auto& [site, value] : values_)
    if (std::get<0>(site) == split && value.second == runs_) last = std::max(last, std::get<3>(site));
  return last;
}

std::string file_part(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return text;
}

}  // namespace normscope
