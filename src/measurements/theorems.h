// The study's three theorems held against measured numbers (study.md 5).
#pragma once
#include "measurements/gradient_bounds.h"
#include "measurements/norm_gradients.h"

namespace normscope {

enum class TheoremVerdict { Holds, Fails, AssumptionNotMet };
const char* to_text(TheoremVerdict verdict);  // "holds", "fails", "assumption not met"
// Of all parts together: one failure is a failure, one unmet assumption, or no part at all, an unmet assumption.
TheoremVerdict combined(std::span<const TheoremVerdict> parts);

// A theorem at one norm. An unmet assumption says nothing against the theorem: it does not speak of this case.
struct NormVerdict : NormPlace {
  TheoremVerdict verdict = TheoremVerdict::Holds;
};

// |g_learn| >= |g_mem|, if the Jacobians below the logits are alike for both, that is kappa_learn ~ kappa_mem.
struct Theorem1 {
  TheoremVerdict verdict = TheoremVerdict::AssumptionNotMet;  // without rows
  Estimate loss_ratio;  // r_L / r_M: the part of every ratio that |p - y| alone explains
  struct Norm : NormVerdict {
    Estimate learning, memorization, ratio;                 // mean |g| of both, and their quotient
    Estimate gain_learning, gain_memorization, gain_ratio;  // kappa
    bool has_equal_gain = false;  // kappa_learn / kappa_mem between 0.8 and 1.25, or its interval holds 1
  };
  std::vector<Norm> norms;
};
Theorem1 check_theorem_1(const GradientSet& learning, const GradientSet& memorization, uint64_t seed);

// |g| <= T1 <= T2 <= T3 (<= T4) at every block norm of every row.
struct Theorem2 {
  TheoremVerdict verdict = TheoremVerdict::Holds;
  TheoremVerdict paper_form =
      TheoremVerdict::Holds;  // |g| <= T4 as the paper writes it, where its unit variance is given
  int64_t rows = 0;
  bool has_paper_form = false;  // Post-LN
  struct Norm : NormVerdict {
    BoundLadder mean;  // over rows
    int64_t ordered_rows = 0;
    double largest_share = 0;          // of |g| in T3
    bool has_assumption = false;       // of T4
    bool is_within_paper_form = true;  // |g| <= T4 for every row, whether it may or not
  };
  std::vector<Norm> norms;
};
Theorem2 check_theorem_2(std::span<const RowChain> rows);

// The bound falls with depth: Pre-LN always (T3), Post-LN (the paper's form) where every sublayer's variance is at most
// 4. Whether the gradients themselves fall is another question, answered beside it.
struct Theorem3 {
  TheoremVerdict verdict = TheoremVerdict::Holds;
  struct Norm : NormVerdict {
    double bound = 0;             // mean over rows: T3 in Pre-LN, the paper's form in Post-LN
    double largest_variance = 0;  // of the sublayers between this norm and the next of its role, over rows and tokens
    double gradient = 0;          // mean |g|
    bool is_last = false;         // no norm of its role follows
    bool bound_falls = true, gradient_falls = true;  // to the next norm of its role
  };
  std::vector<Norm> norms;
  struct Trend {
    std::string role;
    double correlation = 0;  // Spearman's, of layer and mean |g|
  };
  std::vector<Trend> trends;
};
Theorem3 check_theorem_3(std::span<const RowChain> rows);

}  // namespace normscope
