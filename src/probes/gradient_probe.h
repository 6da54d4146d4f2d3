// Per-row gradients and inputs of every norm, from packed passes of many rows: rows do not mix, so a row's tokens hold
// exactly the gradient of that row's own loss, and no row needs a pass of its own.
#pragma once
#include "measurements/norm_gradients.h"
#include "measurements/norm_inputs.h"
#include "training/batches.h"

namespace normscope {

struct ProbeOptions {
  int64_t batch_size = 64;  // rows a pass
  BatchOptions batch;
  int64_t padded_length = 0;  // tokens over which the study's script averages; 0: the row's own
};

// One choice of labels: a class index for each of the rows.
struct LabelChoice {
  std::string name;
  std::vector<int> labels;
};

struct Probed {
  std::vector<GradientSet> gradients;  // one a choice
  NormInputSet inputs;                 // of the rows, whatever their labels; attention entropy is left empty
};

// Eval mode, the rows `indices` of `rows` in that order; one forward pass a batch for all choices.
Probed probe_gradients(const Model& model, const TokenRows& rows, std::span<const int64_t> indices,
                       std::span<const LabelChoice> choices, const ProbeOptions& options);

// Fills the attention entropies of `set`, which probe_gradients gave for these rows. Plain attention, no gradients.
void probe_attention(const Model& model, const TokenRows& rows, std::span<const int64_t> indices,
                     const ProbeOptions& options, NormInputSet& set);

}  // namespace normscope
