// One metric of the norms, averaged over the runs of a selection.
#pragma once
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "reports/study_view.h"

namespace normscope {

inline constexpr int64_t kNoLayer = -1;  // of norms outside the blocks: role embedding or final

class NormMeans {
 public:
  NormMeans(const std::vector<const RunView*>& runs, const std::string& metric);
  // NaN unless every run has it: a mean over fewer seeds would jump.
  double at(const std::string& split, const std::string& role, int64_t layer, int64_t epoch) const;
  // The last one at which every run has some norm's value; -1 when there is none.
  int64_t last_epoch(const std::string& split) const;

  std::set<int64_t> layers, epochs;  // layers of blocks only
  std::set<std::string> roles;

 private:
  size_t runs_;
  std::map<std::tuple<std::string, std::string, int64_t, int64_t>, std::pair<double, size_t>> values_;
};

// Text as a part of a figure's file name.
std::string file_part(std::string text);

}  // namespace normscope
