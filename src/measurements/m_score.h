// How far a trigger word moves the model towards its class (study.md 4).
#pragma once
#include "measurements/logits.h"

namespace normscope {

struct MScore {
  double score = 0;  // mean of p(label | with the word) - p(label | without), -1 to 1; NaN of no rows
  double p = 1;      // one-sided paired t-test that the mean is above 0; NaN below 2 rows
};

// Row i of both is the same text without and with the word.
MScore measure_m_score(const Logits& without, const Logits& with, int label);

}  // namespace normscope
