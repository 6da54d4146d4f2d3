// What happens to one norm; the selector says which norms, the type only what.
#pragma once
#include <span>
#include <string_view>

#include "nn/norm.h"

namespace normscope {

struct Intervention {
  std::string_view name;
  std::string_view outcome;  // what the norms are afterwards, in the words of reports
  std::string_view summary;  // one line for `normscope list interventions`
  void (*apply)(Norm& norm, ParameterSet& parameters);
};

std::span<const Intervention> interventions();
// Throws Error(Usage) listing the known ones.
const Intervention& intervention(std::string_view name);

}  // namespace normscope
