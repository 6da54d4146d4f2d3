// An intervention on the chosen norms of one model: applied once, and put back when the recipe says so.
#pragma once
#include <vector>

#include "interventions/intervention.h"

namespace normscope {

class AppliedIntervention {
 public:
  // Throws Error(Usage) naming the first norm that cannot be changed so, and why.
  AppliedIntervention(const Intervention& intervention, double alpha, std::vector<NormPtr> norms);

  void apply(ParameterSet& parameters);

  // What the intervention took comes back: the kind of the norm, and the parameters that left the model, at 1 and 0 or
  // at the values they were taken at (frozen ones always go on from the values they kept). Parameters that stayed keep
  // what they have learned; those that the intervention brought leave. `step`: updates so far.
  void restore(ParameterSet& parameters, bool to_values, int64_t step);

  // The values that left the model, by name, for a saved state; writing into the tensors brings them back.
  std::vector<std::pair<std::string, torch::Tensor>> kept() const;

 private:
  struct Taken {
    ParameterPtr parameter;
    torch::Tensor value;  // when it was taken
    double neutral;       // 1 of a weight, 0 of a bias
    bool is_frozen;       // still used, and `value` is what is used
  };
  struct Before {
    NormPtr norm;
    NormParts parts;
  };

  const Intervention* intervention_;
  double alpha_;
  std::vector<NormPtr> norms_;
  std::vector<Before> before_;
  std::vector<Taken> taken_;
};

}  // namespace normscope
