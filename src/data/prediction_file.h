// A CSV of class probabilities (or logits) and labels, from any classifier: what normscope audit --pred-probs reads.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

struct PredictionFile {
  std::vector<std::string> classes;  // in the order of the columns, or the order asked for
  std::vector<int> labels;           // given ones
  std::vector<int> true_labels;      // of a column true_label; empty without one
  std::vector<int64_t> rows;         // of a column row; else 0, 1, ...
  std::vector<double> values;        // row-major [rows, classes]
  bool are_logits = false;           // else probabilities: 0-1, each row sums to 1 within 0.01
};

struct PredictionColumns {
  std::string label = {};                 // "": given_label, else label
  std::vector<std::string> classes = {};  // class order; empty: the file's
};

// Columns: the label; logit_<class> (as predictions.csv has them), else prob_<class>, else every column that is not
// row, source_row, label, given_label, true_label, predicted_label or text. Without the file's own labels, `labels` is
// the bytes of a file of them: one a line, or CSV with a column label. Throws Error(Data) naming file and line.
PredictionFile parse_predictions(std::string_view bytes, const std::string& file, const PredictionColumns& columns,
                                 std::string_view labels = {}, const std::string& labels_file = {});

}  // namespace normscope
