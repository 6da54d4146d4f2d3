// The interventions, one row each.
#include <string>

#include "core/error.h"
#include "interventions/intervention.h"

namespace normscope {
namespace {

constexpr Intervention kInterventions[] = {
    {"remove_affine", "removed", "deletes the scale w and shift b, keeps the normalisation (the study's removal)",
     [](Norm& norm, ParameterSet& parameters) { norm.remove_affine(parameters); }},
    {"freeze", "frozen", "keeps the checkpoint's w and b and trains them no further",
     [](Norm& norm, ParameterSet& parameters) { norm.freeze(parameters); }},
    {"reset", "reset", "starts w at 1 and b at 0 and trains them: removal's starting point without removal",
     [](Norm& norm, ParameterSet&) { norm.reset(); }},
};

}  // namespace

std::span<const Intervention> interventions() { return kInterventions; }

const Intervention& intervention(std::string_view name) {
  std::string known;
  for (const auto& row : kInterventions) {
    if (row.name == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(ErrorKind::Usage, "norm.intervention: '" + std::string(name) + "' is not known; known: " + known);
}

}  // namespace normscope
