#include "measurements/classification.h"

#include <cassert>
#include <limits>

namespace normscope {
namespace {

double ratio(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Classification classify(const Logits& logits, std::span<const int> labels) {
  assert(logits.count() == static_cast<int64_t>(labels.size()));
  const auto C = static_cast<size_t>(logits.num_classes);
  Classification result;
  result.rows = logits.count();
  result.confusion.assign(C, std::vector<int64_t>(C));
  int64_t correct = 0;
  for (int64_t i = 0; i < result.rows; ++i) {
    const int label = labels[static_cast<size_t>(i)], predicted = predicted_label(logits.row(i));
    result.loss += cross_entropy(logits.row(i), label);
    correct += label == predicted;
    ++result.confusion[static_cast<size_t>(label)][static_cast<size_t>(predicted)];
  }
  if (result.rows == 0) {
    result.loss = result.accuracy = result.macro_precision = result.macro_recall = result.macro_f1 =
        std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  int64_t occurring = 0;
  for (size_t c = 0; c < C; ++c) {
    int64_t labelled = 0, predicted = 0;
    for (size_t other = 0; other < C; ++other) {
      labelled += result.confusion[c][other];
      predicted += result.confusion[other][c];
    }
    if (labelled + predicted == 0) continue;
    ++occurring;
    const int64_t hits = result.confusion[c][c];
    result.macro_precision += 100 * ratio(hits, predicted);
    result.macro_recall += 100 * ratio(hits, labelled);
    result.macro_f1 += 100 * ratio(2 * hits, labelled + predicted);
  }
  const auto rows = static_cast<double>(result.rows), classes = static_cast<double>(occurring);
  result.loss /= rows;
  result.accuracy = 100 * static_cast<double>(correct) / rows;
  result.macro_precision /= classes;
  result.macro_recall /= classes;
  result.macro_f1 /= classes;
  return result;
}

}  // namespace normscope
