// How often a label becomes another: p(given label | true label), from a file or from data with both labels.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// [true][given], rows sum to 1.
using TransitionMatrix = std::vector<std::vector<double>>;

// CSV with a column true_label and one a class, a line a class; or the JSON of normscope audit (classes, noise_matrix).
// Rows may miss a sum of 1 by 0.01. Throws Error(Data) naming file and line.
TransitionMatrix parse_transition_matrix(std::string_view bytes, const std::string& file,
                                         std::span<const std::string> classes);

// Counted; a class without rows keeps its label.
TransitionMatrix estimate_transitions(std::span<const int> given_labels, std::span<const int> true_labels,
                                      size_t num_classes);

// Whole numbers of rows to relabel, [true][given], 0 on the diagonal. `wanted` below 0: as many as the matrix says of
// each class; else exactly so many in all, in the matrix's proportions. Largest remainders win, then lower classes.
// Throws Error(Usage) when a class has too few rows or the matrix changes nothing.
std::vector<std::vector<int64_t>> flips_of(const TransitionMatrix& matrix, std::span<const int64_t> class_counts,
                                           int64_t wanted, std::span<const std::string> classes);

}  // namespace normscope
