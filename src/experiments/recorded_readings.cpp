#include "experiments/recorded_readings.h"

namespace normscope {

std::vector<Reading> recorded_readings(const GradientRecorder& recorder, const Model& model) {
  std::vector<Reading> readings;
  for (size_t i = 0; i < model.norms.size(); ++i) {
    const auto& site = model.norms[i]->site();
    const auto layer = site.layer >= 0 ? std::optional<int64_t>(site.layer) : std::nullopt;
    const auto& sums = recorder.norms()[i];
    const auto add = [&](const char* split, const char* metric, double sum, double count) {
      if (count > 0) readings.push_back({0, split, metric, layer, role_name(site.role), sum / count});
    };
    add("train_clean", "training_gradient_norm", sums.clean, static_cast<double>(recorder.clean_rows()));
    add("memorization", "training_gradient_norm", sums.noisy, static_cast<double>(recorder.noisy_rows()));
    add("train", "training_gradient_weight", sums.weight, sums.weight_updates);
    add("train", "training_gradient_bias", sums.bias, sums.bias_updates);
  }
  return readings;
}

}  // namespace normscope
