// Takes what the claims about norms speak of from a unit's readings: gradients of intact runs, drift after early
// removal.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "reports/verdicts.h"

namespace normscope {
namespace {

using Site = std::pair<int64_t, std::string>;  // layer (-1 outside the blocks) and role
constexpr int64_t kOutside = -1;

Site site_of(const Reading& reading) { return {reading.layer.value_or(kOutside), reading.role.value_or("")}; }

// Curves over epochs of one metric, by norm.
std::map<Site, std::vector<CurvePoint>> curves_of(const RunView& run, const std::string& split,
                                                  const std::string& metric) {
  std::map<Site, std::vector<CurvePoint>> curves;
  for (const auto& reading : run.norm_readings)
    if (reading.split == split && reading.metric == metric)
      curves[site_of(reading)].push_back({static_cast<double>(reading.epoch), reading.value});
  for (auto& [site, curve] : curves)
    std::sort(curve.begin(), curve.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  return curves;
}

// At the last epoch at which the metric was measured.
std::map<Site, double> last_values(const RunView& run, const std::string& split, const std::string& metric) {
  std::map<Site, double> values;
  double last = kUndefined;
  const auto curves = curves_of(run, split, metric);
  for (const auto& [site, curve] : curves) last = std::isnan(last) ? curve.back().at : std::max(last, curve.back().at);
  for (const auto& [site, curve] : curves)
    if (curve.back().at == last) values[site] = curve.back().value;
  return values;
}

std::vector<const RunView*> finished_intact(const Unit& unit) {
  auto runs = unit.with("none");
  std::erase_if(runs, [](const RunView* run) { return run->run.state != RunState::Done; });
  return runs;
}

// By norm, by seed: log(learning / memorization); norms that some seed has no positive value of are left out.
std::vector<std::vector<double>> log_ratios(const std::vector<const RunView*>& runs, const std::string& metric) {
  std::map<Site, std::vector<double>> by_site;
  for (const auto* run : runs) {
    const auto memorization = last_values(*run, "memorization", metric);
    for (const auto& [site, learning] : last_values(*run, "learning", metric)) {
      const auto below = memorization.find(site);
      if (below != memorization.end() && learning > 0 && below->second > 0)
        by_site[site].push_back(std::log(learning / below->second));
    }
  }
  std::vector<std::vector<double>> ratios;
  for (auto& [site, values] : by_site)
    if (values.size() == runs.size()) ratios.push_back(std::move(values));
  return ratios;
}

// Layers and values of the norms inside the blocks.
struct Depth {
  std::vector<double> layers, values;
};

Depth over_depth(const RunView& run, const std::string& metric) {
  Depth depth;
  for (const auto& [site, value] : last_values(run, "learning", metric)) {
    if (site.first == kOutside || std::isnan(value)) continue;
    depth.layers.push_back(static_cast<double>(site.first));
    depth.values.push_back(value);
  }
  return depth;
}

double first_block_share(const Depth& depth) {
  double first = 0, sum = 0;
  for (size_t i = 0; i < depth.layers.size(); ++i) {
    sum += depth.values[i];
    if (depth.layers[i] == 0) first += depth.values[i];
  }
  return sum > 0 ? 100 * first / sum : kUndefined;
}

// One value a seed; empty unless every seed has one.
template <typename Value>
std::vector<double> by_seed(const std::vector<const RunView*>& runs, Value&& value) {
  std::vector<double> values;
  for (const auto* run : runs) values.push_back(value(*run));
  if (std::any_of(values.begin(), values.end(), [](double number) { return std::isnan(number); })) values.clear();
  return values;
}

void add(std::vector<ClaimVerdict>& verdicts, const Claim& claim, const Unit& unit, const std::string& selection,
         Point point, const Finding& finding, size_t seeds, int64_t noisy_rows) {
  ClaimVerdict verdict{claim, unit.title, selection, point, finding};
  verdict.seeds = static_cast<int64_t>(seeds);
  verdict.noisy_rows = noisy_rows;
  apply_minimum(verdict);
  verdicts.push_back(verdict);
}

void judge_gradients(const Unit& unit, std::vector<ClaimVerdict>& verdicts) {
  const auto runs = finished_intact(unit);
  if (runs.empty()) return;
  const int64_t rows = runs[0]->run.facts.noisy_rows;
  const auto judge = [&](const Claim& claim, const Finding& finding) {
    add(verdicts, claim, unit, "none", Point::EqualEpochs, finding, runs.size(), rows);
  };
  if (const auto ratios = log_ratios(runs, "gradient_norm"); !ratios.empty())
    judge({"C4", "learning gradients exceed memorization gradients at every norm", "", "learning over memorization",
           false, EffectUnit::Ratio, false},
          judge_learning_exceeds(ratios));
  if (const auto ratios = log_ratios(runs, "gradient_gain"); !ratios.empty())
    judge({"C4b", "and the excess is more than the loss explains", "", "kappa, learning over memorization", false,
           EffectUnit::Ratio, false},
          judge_more_than_loss(ratios));
  const std::pair<const char*, const char*> metrics[] = {{"gradient_norm", "raw"},
                                                         {"gradient_scale_free", "scale-free"}};
  for (const auto& [metric, word] : metrics) {
    const auto correlations = by_seed(runs, [&, name = metric](const RunView& run) {
      const auto depth = over_depth(run, name);
      return spearman(depth.layers, depth.values).rho;
    });
    if (!correlations.empty())
      judge({"C5", "gradient norms fall with depth", "", std::string("rank correlation with the layer, ") + word, false,
             EffectUnit::Correlation, false},
            judge_falls_with_depth(correlations));
    if (unit.placement != "pre_norm") continue;
    const auto shares =
        by_seed(runs, [&, name = metric](const RunView& run) { return first_block_share(over_depth(run, name)); });
    if (!shares.empty())
      judge({"C5b", "gradients are concentrated in the first block", "pre_norm",
             std::string("first block's share of all, ") + word, false, EffectUnit::Percent, false},
            judge_first_block(shares));
  }
}

// Mean over the norms after the early third of log(removed / intact), both at the pair's epochs.
double log_change(const Pair& pair, Point point, const std::string& split, const std::string& metric) {
  const auto reading = read_pair(pair, point);
  if (!reading.is_defined) return kUndefined;
  const int64_t early = pair.removed->run.facts.num_hidden_layers / 3;
  const auto intact = curves_of(*pair.intact, split, metric), removed = curves_of(*pair.removed, split, metric);
  std::vector<double> changes;
  for (const auto& [site, curve] : removed) {
    const auto twin = intact.find(site);
    if (site.first < early || twin == intact.end()) continue;  // -1, outside the blocks, lies below too
    const double change =
        std::log(value_at(curve, reading.removed_epoch) / value_at(twin->second, reading.intact_epoch));
    if (std::isfinite(change)) changes.push_back(change);
  }
  return mean(changes);
}

void judge_early_removal(const Unit& unit, Point point, const std::string& selection,
                         std::vector<ClaimVerdict>& verdicts) {
  const auto pairs = finished_pairs(unit, selection);
  struct Quantity {
    const char *split, *metric, *words;
  };
  constexpr Quantity kQuantities[] = {{"learning", "gradient_norm", "gradient norm of the remaining norms"},
                                      {"train_clean", "training_gradient_norm", "gradient norm while training"},
                                      {"train", "training_gradient_weight", "gradient at w while training"},
                                      {"train", "weight_drift", "drift of the remaining norms"}};
  for (const auto& [split, metric, words] : kQuantities) {
    std::vector<double> changes;
    for (const auto& pair : pairs) changes.push_back(log_change(pair, point, split, metric));
    if (changes.empty() || std::any_of(changes.begin(), changes.end(), [](double v) { return std::isnan(v); }))
      continue;
    add(verdicts,
        {"C6", "later norms compensate for missing early ones", "post_norm", words, false, EffectUnit::Percent}, unit,
        selection, point, judge_compensation(changes), pairs.size(), fewest_noisy_rows(pairs));
  }
}

}  // namespace

void judge_norms(const Unit& unit, std::vector<ClaimVerdict>& verdicts) {
  judge_gradients(unit, verdicts);
  if (unit.placement != "post_norm") return;
  for (const auto point : {Point::EqualEpochs, Point::MatchedFit})
    for (const char* selection : {"early", "paper:early"}) judge_early_removal(unit, point, selection, verdicts);
}

}  // namespace normscope
