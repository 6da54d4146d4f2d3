#include "experiments/norm_drift.h"

#include <cmath>

namespace normscope {
namespace {

double length_of(const torch::Tensor& x) { return std::sqrt(x.to(torch::kFloat64).square().sum().item<double>()); }

}  // namespace

NormDrift::NormDrift(const Model& model) {
  for (const auto& norm : model.norms)
    for (const auto& parameter : {norm->weight(), norm->bias()})
      if (parameter) start_[parameter->name] = parameter->value.detach().to(torch::kFloat64, false, true);
}

std::vector<Reading> NormDrift::readings(const Model& model) const {
  std::vector<Reading> readings;
  for (const auto& norm : model.norms) {
    Reading reading;
    reading.split = "train";
    if (norm->site().layer >= 0) reading.layer = norm->site().layer;
    reading.role = role_name(norm->site().role);
    const auto add = [&](const ParameterPtr& parameter, const char* metric, bool is_relative) {
      const auto start = parameter ? start_.find(parameter->name) : start_.end();
      if (start == start_.end()) return;
      reading.metric = metric;
      reading.value = length_of(parameter->value.detach().to(torch::kFloat64) - start->second);
      if (is_relative) reading.value /= length_of(start->second);
      readings.push_back(reading);
    };
    add(norm->weight(), "weight_drift", true);
    add(norm->bias(), "bias_drift", false);
  }
  return readings;
}

}  // namespace normscope
