// The interventions, one row each.
#include <string>

#include "core/error.h"
#include "interventions/intervention.h"

namespace normscope {
namespace {

constexpr Intervention kInterventions[] = {
    {"remove_affine", "deletes the scale w and shift b, keeps the normalisation (the study's removal)",
     [](Norm& norm, ParameterSet& parameters) { norm.remove_affine(parameters); }},
};

}  // namespace

std::span<const Intervention> interventions() { return kInterventions; }

const Intervention& intervention(std::string_view name) {
  std::string known;
  for (const auto& row : kInterventions) {
    if (row.name == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(ErrorKind::Usage,
              "norm.intervention: '" + std::string(name) + "' is not known; known: " + known);
}

}  // namespace normscope
