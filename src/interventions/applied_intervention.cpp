#include "interventions/applied_intervention.h"

#include <algorithm>

#include "core/error.h"

namespace normscope {
namespace {

std::vector<ParameterPtr> present(const NormParts& parts) {
  std::vector<ParameterPtr> all;
  for (const auto& part : {parts.weight, parts.bias, parts.slope})
    if (part) all.push_back(part);
  return all;
}

bool contains(const std::vector<ParameterPtr>& all, const ParameterPtr& one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

AppliedIntervention::AppliedIntervention(const Intervention& intervention, double alpha, std::vector<NormPtr> norms)
    : intervention_(&intervention), alpha_(alpha), norms_(std::move(norms)) {
  if (intervention.why_not == nullptr) return;
  for (const auto& norm : norms_)
    if (const auto reason = intervention.why_not(*norm))
      throw Error(ErrorKind::Usage,
                  "norm.intervention: " + std::string(intervention.name) + ": " + norm->site().name + " " + *reason);
}

void AppliedIntervention::apply(ParameterSet& parameters) {
  for (const auto& norm : norms_) {
    before_.push_back({norm, norm->parts()});
    std::vector<Taken> candidates;
    auto reachable = present(norm->parts());
    for (const auto& bias : norm->sublayer_biases().all()) reachable.push_back(bias);
    for (const auto& parameter : reachable)
      if (contains(parameters.all(), parameter))
        candidates.push_back(
            {parameter, parameter->value.detach().clone(), parameter == norm->weight() ? 1.0 : 0.0, false});
    intervention_->apply(*norm, {parameters, alpha_});
    for (auto& candidate : candidates) {
      if (contains(parameters.all(), candidate.parameter)) continue;
      candidate.is_frozen = contains(present(norm->parts()), candidate.parameter);
      if (candidate.is_frozen) candidate.value = candidate.parameter->value;
      taken_.push_back(candidate);
    }
  }
}

void AppliedIntervention::restore(ParameterSet& parameters, bool to_values, int64_t step) {
  for (const auto& [norm, parts] : before_) {
    for (const auto& parameter : present(norm->parts()))
      if (!contains(present(parts), parameter)) parameters.remove(parameter);
    norm->set_parts(parts);
  }
  for (const auto& [parameter, value, neutral, is_frozen] : taken_) {
    const bool keeps_value = to_values || is_frozen;
    parameter->value = (keeps_value ? value.clone() : torch::full_like(value, neutral)).requires_grad_();
    parameter->first_step = step;
    parameters.add(parameter);
  }
}

std::vector<std::pair<std::string, torch::Tensor>> AppliedIntervention::kept() const {
  std::vector<std::pair<std::string, torch::Tensor>> tensors;
  for (const auto& taken : taken_) tensors.emplace_back("kept." + taken.parameter->name, taken.value);
  return tensors;
}

}  // namespace normscope
