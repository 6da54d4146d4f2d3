// Theorem 2's ladder of upper bounds of a norm's gradient, from the singular values of one row's Jacobians
// (study.md 5.2). Plain arithmetic: the probes layer finds the singular values.
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "measurements/norm_place.h"

namespace normscope {

// A largest singular value: the estimate, which is never above it, and the estimate plus its residual.
struct SingularValue {
  double value = 1, upper = 1;
};

// One sublayer with its norm, in forward order. Post-LN: x -> norm(x + f(x)); Pre-LN: x -> x + f(norm(x)).
struct BoundStep : NormPlace {
  double gradient = 0;            // T0: |g| at the norm's input, all that flows there
  double branch_gradient = 0;     // what flows back through the norm alone
  SingularValue network;          // s(d Y_N / d input of the norm)
  SingularValue residual;         // s(I + J), J of the sublayer, in Pre-LN with its norm; parallel: of the whole block
  SingularValue branch;           // s(J)
  SingularValue norm;             // s(J_norm); Post-LN only, 1 in Pre-LN as below
  double norm_bound = 1;          // max |w| / min sigma
  double paper_sigma = 1;         // Post-LN: min over tokens of |1 - sd(f)|, the paper's lower bound of sigma
  double valid_sigma = 1;         // min over tokens of |sd(x) - sd(f)|, over max |w|: valid whatever x is
  double largest_variance = 0;    // of the sublayer's output, over tokens
  bool is_unit_variance = false;  // x left a norm without w and b, and so does what this step gives
  bool shares_input = false;      // Pre-LN, parallel: reads what the step before it reads
};

struct RowChain {
  bool is_post_norm = true;
  double last_gradient = 0;  // s(P) = |dL / dY_N|
  std::vector<BoundStep> steps;
};

// Bounds at one norm. NaN: the level does not exist for this placement.
struct BoundLadder {
  double t0 = 0;
  double t1 = 0, t1_upper = 0;  // with the network's own Jacobian
  double t2 = 0, t2_upper = 0;  // a factor a sublayer and a norm
  double t3 = 0, t3_upper = 0;  // 1 + s(J) and max |w| / min sigma
  double t4 = 0;                // the paper's variance form (50), (62); Post-LN only
  double t4_valid = 0;          // the same with sd(x) in place of 1, and with w
  bool t4_assumption = false;   // every step that it replaces a sigma of is_unit_variance
  double branch = 0,
         branch_bound = std::numeric_limits<double>::quiet_NaN();  // Pre-LN: |b| and s(J) T2 of what follows
};

// One a step.
std::vector<BoundLadder> gradient_bounds(const RowChain& chain);

// T0 <= T1 <= T2 <= T3, T3 <= T4 where it applies, and the branch's own bound; rounding aside.
bool is_ordered(const BoundLadder& ladder);

}  // namespace normscope
