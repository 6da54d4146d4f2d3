#include "measurements/theorems.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "core/statistics.h"

namespace normscope {
namespace {

template <typename Norms>
TheoremVerdict overall(const Norms& norms) {
  std::vector<TheoremVerdict> verdicts;
  for (const auto& norm : norms) verdicts.push_back(norm.verdict);
  return combined(verdicts);
}

template <typename Norm>
Norm norm_at(const NormPlace& place) {
  Norm norm;
  static_cast<NormPlace&>(norm) = place;
  return norm;
}

void add_shares(BoundLadder& sum, const BoundLadder& l, double share) {
  for (const auto member :
       {&BoundLadder::t0, &BoundLadder::t1, &BoundLadder::t1_upper, &BoundLadder::t2, &BoundLadder::t2_upper,
        &BoundLadder::t3, &BoundLadder::t3_upper, &BoundLadder::t4, &BoundLadder::t4_valid, &BoundLadder::branch})
    sum.*member += l.*member * share;
  sum.branch_bound = (std::isnan(sum.branch_bound) ? 0 : sum.branch_bound) + l.branch_bound * share;
}

std::vector<std::vector<BoundLadder>> ladders_of(std::span<const RowChain> rows) {
  std::vector<std::vector<BoundLadder>> ladders;
  for (const auto& row : rows) ladders.push_back(gradient_bounds(row));
  return ladders;
}

}  // namespace

const char* to_text(TheoremVerdict verdict) {
  switch (verdict) {
    case TheoremVerdict::Holds:
      return "holds";
    case TheoremVerdict::Fails:
      return "fails";
    case TheoremVerdict::AssumptionNotMet:
      return "assumption not met";
  }
  return "";
}

TheoremVerdict combined(std::span<const TheoremVerdict> parts) {
  const auto any = [&](TheoremVerdict verdict) { return std::ranges::find(parts, verdict) != parts.end(); };
  if (any(TheoremVerdict::Fails)) return TheoremVerdict::Fails;
  return any(TheoremVerdict::AssumptionNotMet) || parts.empty() ? TheoremVerdict::AssumptionNotMet
                                                                : TheoremVerdict::Holds;
}

Theorem1 check_theorem_1(const GradientSet& learning, const GradientSet& memorization, uint64_t seed) {
  assert(learning.norms.size() == memorization.norms.size());
  Theorem1 theorem;
  theorem.loss_ratio = estimate_ratio(learning.logits, memorization.logits, seed);
  for (size_t i = 0; i < learning.norms.size(); ++i) {
    const auto &above = learning.norms[i], &below = memorization.norms[i];
    auto norm = norm_at<Theorem1::Norm>(above);
    norm.learning = estimate_mean(above.total, seed);
    norm.memorization = estimate_mean(below.total, seed);
    norm.ratio = estimate_ratio(above.total, below.total, seed);
    norm.gain_learning = estimate_mean(above.gain, seed);
    norm.gain_memorization = estimate_mean(below.gain, seed);
    norm.gain_ratio = estimate_ratio(above.gain, below.gain, seed);
    const auto& gain = norm.gain_ratio;
    norm.has_equal_gain = (gain.mean >= 0.8 && gain.mean <= 1.25) || (gain.low <= 1 && gain.high >= 1);
    if (!norm.has_equal_gain) {
      norm.verdict = TheoremVerdict::AssumptionNotMet;
    } else if (!(norm.ratio.mean >= 1)) {
      norm.verdict = TheoremVerdict::Fails;
    }
    theorem.norms.push_back(norm);
  }
  theorem.verdict = overall(theorem.norms);
  return theorem;
}

Theorem2 check_theorem_2(std::span<const RowChain> rows) {
  Theorem2 theorem;
  theorem.rows = static_cast<int64_t>(rows.size());
  if (rows.empty()) {
    theorem.verdict = theorem.paper_form = TheoremVerdict::AssumptionNotMet;
    return theorem;
  }
  theorem.has_paper_form = rows[0].is_post_norm;
  const auto ladders = ladders_of(rows);
  for (size_t k = 0; k < rows[0].steps.size(); ++k) {
    auto norm = norm_at<Theorem2::Norm>(rows[0].steps[k]);
    norm.has_assumption = theorem.has_paper_form;
    for (const auto& row : ladders) {
      const auto& ladder = row[k];
      add_shares(norm.mean, ladder, 1 / static_cast<double>(rows.size()));
      norm.ordered_rows += is_ordered(ladder);
      norm.largest_share = std::max(norm.largest_share, ladder.t0 / ladder.t3_upper);
      norm.has_assumption = norm.has_assumption && ladder.t4_assumption;
      norm.is_within_paper_form = norm.is_within_paper_form && !(ladder.t0 > ladder.t4);
    }
    norm.verdict = norm.ordered_rows == theorem.rows ? TheoremVerdict::Holds : TheoremVerdict::Fails;
    if (!norm.has_assumption && theorem.paper_form == TheoremVerdict::Holds)
      theorem.paper_form = TheoremVerdict::AssumptionNotMet;
    if (norm.has_assumption && !norm.is_within_paper_form) theorem.paper_form = TheoremVerdict::Fails;
    theorem.norms.push_back(norm);
  }
  theorem.verdict = overall(theorem.norms);
  return theorem;
}

Theorem3 check_theorem_3(std::span<const RowChain> rows) {
  Theorem3 theorem;
  if (rows.empty()) {
    theorem.verdict = TheoremVerdict::AssumptionNotMet;
    return theorem;
  }
  const bool is_post_norm = rows[0].is_post_norm;
  const auto bound = is_post_norm ? &BoundLadder::t4 : &BoundLadder::t3;
  const auto ladders = ladders_of(rows);
  const auto& places = rows[0].steps;
  const auto next_of = [&](size_t k) {  // the next norm of the same role, or none
    for (size_t m = k + 1; m < places.size(); ++m)
      if (places[m].role == places[k].role) return m;
    return places.size();
  };
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> by_role;  // layers, mean gradients
  for (size_t k = 0; k < places.size(); ++k) {
    auto norm = norm_at<Theorem3::Norm>(places[k]);
    const size_t next = next_of(k);
    norm.is_last = next == places.size();
    double next_gradient = 0;
    for (size_t r = 0; r < rows.size(); ++r) {
      const double share = 1 / static_cast<double>(rows.size());
      norm.bound += ladders[r][k].*bound * share;
      norm.gradient += ladders[r][k].t0 * share;
      // The two bounds differ in the sublayers from this norm's own up to the one before the next norm's.
      for (size_t m = k; m < next; ++m)
        norm.largest_variance = std::max(norm.largest_variance, rows[r].steps[m].largest_variance);
      if (norm.is_last) continue;
      next_gradient += ladders[r][next].t0 * share;
      norm.bound_falls = norm.bound_falls && ladders[r][k].*bound >= ladders[r][next].*bound * (1 - 1e-9);
    }
    if (norm.is_last) {
      norm.verdict = TheoremVerdict::Holds;  // nothing follows that it could be compared with
    } else {
      norm.gradient_falls = norm.gradient >= next_gradient;
      const bool has_condition = !is_post_norm || norm.largest_variance <= 4;
      norm.verdict = !has_condition     ? TheoremVerdict::AssumptionNotMet
                     : norm.bound_falls ? TheoremVerdict::Holds
                                        : TheoremVerdict::Fails;
    }
    auto& [layers, gradients] = by_role[norm.role];
    layers.push_back(norm.layer);
    gradients.push_back(norm.gradient);
    theorem.norms.push_back(norm);
  }
  for (const auto& [role, lists] : by_role) theorem.trends.push_back({role, spearman(lists.first, lists.second).rho});
  theorem.verdict = overall(theorem.norms);
  return theorem;
}

}  // namespace normscope
