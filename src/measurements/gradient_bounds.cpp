#include "measurements/gradient_bounds.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace normscope {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The product of what each step of [begin, end) contributes; parallel steps count once, as their first one.
double product(const std::vector<BoundStep>& steps, size_t begin, const std::function<double(size_t)>& factor) {
  double result = 1;
  for (size_t k = begin; k < steps.size(); ++k)
    if (!steps[k].shares_input) result *= factor(k);
  return result;
}

}  // namespace

std::vector<BoundLadder> gradient_bounds(const RowChain& chain) {
  const auto& steps = chain.steps;
  const double P = chain.last_gradient;
  // 1 + s(J), or 1 + s(J) + s(J') for two sublayers that read the same input.
  const auto triangle = [&](size_t k, double SingularValue::*end) {
    const bool has_twin = k + 1 < steps.size() && steps[k + 1].shares_input;
    return 1 + steps[k].branch.*end + (has_twin ? steps[k + 1].branch.*end : 0.0);
  };
  std::vector<BoundLadder> ladders;
  for (size_t k = 0; k < steps.size(); ++k) {
    const auto& step = steps[k];
    BoundLadder ladder;
    ladder.t0 = step.gradient;
    ladder.t1 = P * step.network.value;
    ladder.t1_upper = P * step.network.upper;
    // Post-LN: the gradient passes the norm first, then the steps after it; Pre-LN: this step whole, and those after
    // it.
    const size_t begin = chain.is_post_norm ? k + 1 : (step.shares_input ? k - 1 : k);
    const auto level = [&](double own_norm, const std::function<double(size_t)>& factor) {
      return P * own_norm * product(steps, begin, factor);
    };
    const auto second = [&](double SingularValue::*end) {
      return level(step.norm.*end, [&, end](size_t m) { return steps[m].residual.*end * (steps[m].norm.*end); });
    };
    const auto third = [&](double SingularValue::*end) {
      return level(step.norm_bound, [&, end](size_t m) { return triangle(m, end) * steps[m].norm_bound; });
    };
    ladder.t2 = second(&SingularValue::value);
    ladder.t2_upper = second(&SingularValue::upper);
    ladder.t3 = third(&SingularValue::value);
    ladder.t3_upper = third(&SingularValue::upper);
    ladder.t4 = ladder.t4_valid = kNaN;
    if (chain.is_post_norm) {
      ladder.t4 = level(1 / step.paper_sigma,
                        [&](size_t m) { return triangle(m, &SingularValue::upper) / steps[m].paper_sigma; });
      ladder.t4_valid = level(1 / step.valid_sigma,
                              [&](size_t m) { return triangle(m, &SingularValue::upper) / steps[m].valid_sigma; });
      ladder.t4_assumption = std::all_of(steps.begin() + static_cast<std::ptrdiff_t>(k), steps.end(),
                                         [](const BoundStep& s) { return s.is_unit_variance; });
    } else {
      // What follows the branch: the bound at the next norm that reads another input, or s(P) itself.
      const size_t next = step.shares_input || k + 1 >= steps.size() || !steps[k + 1].shares_input ? k + 1 : k + 2;
      ladder.branch = step.branch_gradient;
      ladder.branch_bound =
          step.branch.upper * P * product(steps, next, [&](size_t m) { return steps[m].residual.upper; });
    }
    ladders.push_back(ladder);
  }
  return ladders;
}

bool is_ordered(const BoundLadder& l) {
  // An estimate on the left against an upper end on the right, with room for the rounding of long products.
  const auto below = [](double left, double right) { return left <= right * (1 + 1e-9) || std::isinf(right); };
  // eps keeps what a norm gives a little under the unit variance that T4 takes for granted.
  const bool fourth = !l.t4_assumption || below(l.t3, l.t4 * (1 + 1e-4));
  return fourth && below(l.t0, l.t1_upper) && below(l.t1, l.t2_upper) && below(l.t2, l.t3_upper) &&
         (std::isnan(l.t4_valid) || below(l.t3, l.t4_valid)) &&
         (std::isnan(l.branch_bound) || below(l.branch, l.branch_bound));
}

}  // namespace normscope
