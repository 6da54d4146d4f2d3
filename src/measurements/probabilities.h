// Class probabilities of many rows, as a classifier's softmax gives them.
#pragma once
#include "measurements/logits.h"

namespace normscope {

// Each row is in 0-1 and sums to 1.
using Probabilities = ClassRows<struct ProbabilityKind>;

Probabilities softmax(const Logits& logits);

}  // namespace normscope
