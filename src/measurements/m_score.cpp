#include "measurements/m_score.h"

#include <cassert>
#include <cmath>

#include "core/statistics.h"

namespace normscope {

MScore measure_m_score(const Logits& without, const Logits& with, int label) {
  assert(without.count() == with.count());
  std::vector<double> differences;
  for (int64_t i = 0; i < with.count(); ++i)
    differences.push_back(std::exp(-cross_entropy(with.row(i), label)) -
                          std::exp(-cross_entropy(without.row(i), label)));
  const auto test = paired_t_test(differences);
  return {mean(differences), test.t > 0 ? test.p / 2 : 1 - test.p / 2};
}

}  // namespace normscope
