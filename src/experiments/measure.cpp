#include "experiments/measure.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/error.h"
#include "core/statistics.h"
#include "probes/bound_probe.h"

namespace normscope {
namespace {

std::vector<int64_t> all_of(int64_t count) {
  std::vector<int64_t> indices(static_cast<size_t>(count));
  std::iota(indices.begin(), indices.end(), int64_t{0});
  return indices;
}

// `most` of them (0: all), chosen by seed, in their own order.
std::vector<int64_t> chosen(std::vector<int64_t> indices, int64_t most, uint64_t seed, std::string_view purpose) {
  if (most <= 0 || most >= std::ssize(indices)) return indices;
  RandomStream random(seed, purpose);
  shuffle(indices, random);
  indices.resize(static_cast<size_t>(most));
  std::ranges::sort(indices);
  return indices;
}

std::vector<int> labels_of(std::span<const int> labels, std::span<const int64_t> indices) {
  std::vector<int> result;
  for (const int64_t index : indices) result.push_back(labels[static_cast<size_t>(index)]);
  return result;
}

// Any class but the true one, each alike.
std::vector<int> wrong_labels(std::span<const int> labels, int64_t num_classes, uint64_t seed) {
  RandomStream random(seed, "random_labels");
  std::vector<int> result;
  for (const int label : labels) {
    const auto step = num_classes < 2 ? 0 : 1 + random.below(static_cast<uint64_t>(num_classes) - 1);
    result.push_back(static_cast<int>((static_cast<uint64_t>(label) + step) % static_cast<uint64_t>(num_classes)));
  }
  return result;
}

struct NoisySet {
  std::vector<int64_t> indices;  // in `train`
  std::vector<int> given, truth;
};

NoisySet noisy_set(const MeasuredData& data, int64_t most, uint64_t seed) {
  NoisySet set;
  for (const int64_t i : chosen(all_of(std::ssize(data.noise)), most, seed, "measured_noisy")) {
    const auto& row = data.noise[static_cast<size_t>(i)];
    set.indices.push_back(row.row);
    set.given.push_back(row.given_label);
    set.truth.push_back(row.true_label);
  }
  return set;
}

std::vector<int64_t> clean_rows(const MeasuredData& data) {
  std::set<int64_t> noisy;
  for (const auto& row : data.noise) noisy.insert(row.row);
  std::vector<int64_t> clean;
  for (int64_t i = 0; i < data.train.count(); ++i)
    if (!noisy.contains(i)) clean.push_back(i);
  return clean;
}

}  // namespace

const GradientSet* Measured::find(std::string_view name) const {
  const auto found = std::ranges::find(gradients, name, &GradientSet::name);
  return found == gradients.end() ? nullptr : &*found;
}

ProbeOptions probe_options(const BatchOptions& batch, int64_t batch_size, int64_t max_length, const Model& model) {
  return {batch_size, batch, model.architecture->kind == ModelKind::Image ? 0 : max_length};
}

Measured measure_norms(const Model& model, const MeasuredData& data, const MeasureOptions& options) {
  Measured measured;
  const auto probe = [&](const TokenRows& rows, std::span<const int64_t> indices, const std::string& name,
                         std::vector<LabelChoice> choices) {
    if (indices.empty()) return;
    auto probed = probe_gradients(model, rows, indices, choices, options.probe);
    probed.inputs.name = name;
    if (options.has_attention) probe_attention(model, rows, indices, options.probe, probed.inputs);
    std::ranges::move(probed.gradients, std::back_inserter(measured.gradients));
    measured.inputs.push_back(std::move(probed.inputs));
  };
  const auto test = chosen(all_of(data.test.count()), options.most_rows, options.seed, "measured_test");
  const auto test_labels = labels_of(data.test_labels, test);
  probe(data.test, test, "test",
        {{"learning", test_labels}, {"random_labels", wrong_labels(test_labels, model.num_labels, options.seed)}});
  const auto noisy = noisy_set(data, options.most_rows, options.seed);
  probe(data.train, noisy.indices, "noisy", {{"memorization", noisy.given}, {"noisy_true", noisy.truth}});
  const int64_t most_clean = options.most_rows > 0 ? options.most_rows : std::max<int64_t>(1, std::ssize(test));
  const auto clean = chosen(clean_rows(data), most_clean, options.seed, "measured_clean");
  probe(data.train, clean, "train_clean", {{"train_clean", labels_of(data.train_labels, clean)}});
  return measured;
}

Theorem1 first_theorem(const Measured& measured, uint64_t seed) {
  const auto *learning = measured.find("learning"), *memorization = measured.find("memorization");
  if (learning == nullptr || memorization == nullptr) return {};
  return check_theorem_1(*learning, *memorization, seed);
}

std::vector<TheoremChecks::Set> bound_theorems(const Model& exact, const MeasuredData& data, int64_t samples,
                                               const MeasureOptions& options,
                                               const std::function<void(const std::string&)>& note) {
  std::vector<TheoremChecks::Set> sets;
  for (const auto& norm : exact.norms)
    require(norm->kind() == NormKind::LayerNorm || norm->kind() == NormKind::RMSNorm, ErrorKind::Usage,
            "--theorems: ", norm->site().name, " is replaced by ", kind_name(norm->kind()),
            "; the theorems speak of LayerNorm and RMSNorm only");
  SingularValueOptions singular;
  singular.seed = options.seed;
  const auto check = [&](const std::string& name, const TokenRows& rows, const std::vector<int64_t>& indices,
                         const std::vector<int>& labels) {
    if (indices.empty()) return;
    int tenths = 0;
    const auto chains = probe_bounds(exact, rows, indices, labels, options.probe.batch, singular, [&](double share) {
      if (static_cast<int>(10 * share) <= tenths) return;
      tenths = static_cast<int>(10 * share);
      note("theorems 2 and 3, " + name + ": " + std::to_string(10 * tenths) + " % of the singular values");
    });
    sets.push_back({name, check_theorem_2(chains), check_theorem_3(chains)});
  };
  const auto test = chosen(all_of(data.test.count()), samples, options.seed, "theorem_test");
  check("learning", data.test, test, labels_of(data.test_labels, test));
  const auto noisy = noisy_set(data, samples, options.seed);
  check("memorization", data.train, noisy.indices, noisy.given);
  return sets;
}

std::vector<Reading> readings_of(const Measured& measured, uint64_t seed) {
  std::vector<Reading> readings;
  const auto add = [&](const std::string& split, const std::string& metric, const auto* norm, double value) {
    Reading reading;
    reading.split = split;
    reading.metric = metric;
    reading.value = value;
    if (norm != nullptr) {
      if (norm->layer >= 0) reading.layer = norm->layer;
      reading.role = norm->role;
    }
    readings.push_back(reading);
  };
  const NormGradients* no_norm = nullptr;
  for (const auto& set : measured.gradients) {
    add(set.name, "gradient_logits", no_norm, mean(set.logits));
    for (const auto& norm : set.norms) {
      for (const auto& field : kGradientFields)
        add(set.name, field.member == &NormGradients::total ? "gradient_norm" : "gradient_" + std::string(field.name),
            &norm, mean(norm.*field.member));
      const auto total = estimate_mean(norm.total, seed);
      add(set.name, "gradient_norm_low", &norm, total.low);
      add(set.name, "gradient_norm_high", &norm, total.high);
      add(set.name, "gradient_paper", &norm, norm.paper);
    }
  }
  for (const auto& set : measured.inputs) {
    add(set.name, "logit_norm", no_norm, mean(set.logit_norm));
    for (const auto& norm : set.norms)
      for (const auto& field : kNormInputFields)
        add(set.name, std::string(field.name), &norm, mean(norm.*field.member));
  }
  return readings;
}

}  // namespace normscope
