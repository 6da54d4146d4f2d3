// What happens to one norm; the selector says which norms, the type only what.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "nn/norm.h"

namespace normscope {

struct InterventionContext {
  ParameterSet& parameters;  // of the model
  double alpha = 1;          // strength, of those that have one
};

// What of an intervention can be put back later: nothing was taken; w and b at 1 and 0; that, or the values they had.
enum class PutBack { Nothing, AtIdentity, AtIdentityOrValues };

struct Intervention {
  std::string_view name;
  std::string_view outcome;  // what the norms are afterwards, in the words of reports: "all <outcome>"
  std::string_view summary;  // one line for `normscope list interventions`
  void (*apply)(Norm& norm, const InterventionContext& context);
  // Why this norm cannot be changed so, or nothing. Null: every norm can.
  std::optional<std::string> (*why_not)(const Norm& norm) = nullptr;
  PutBack put_back = PutBack::AtIdentityOrValues;
  bool has_alpha = false;
};

std::span<const Intervention> interventions();
// Throws Error(Usage) listing the known ones.
const Intervention& intervention(std::string_view name);

}  // namespace normscope
