// Gradients at the norms as training itself computes them: of every step, at the cost of their lengths.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "models/model.h"

namespace normscope {

// Sums over the epoch in progress of one norm.
struct RecordedNorm {
  // Over rows, of |g| at the norm's input as in NormGradients::total, g of the row's own cross entropy with its given
  // label; but in train mode, while the parameters move.
  double clean = 0, noisy = 0;
  // Over updates, of the length of the update's gradient at w and b; the norm has had one in so many of them.
  double weight = 0, bias = 0;
  double weight_updates = 0, bias_updates = 0;
};

class GradientRecorder : public Observer {
 public:
  // is_noisy: of every training row.
  GradientRecorder(const Model& model, std::vector<bool> is_noisy);

  bool needs_all_tokens() const override { return false; }
  torch::Tensor norm_input(const NormSite& site, const torch::Tensor& x) override;

  void begin_epoch();
  // `pass` lives until end_batch. The loss that is differentiated is the rows' sum over `rows_of_update`.
  void begin_batch(const Pass& pass, int64_t rows_of_update);
  // `rows`: the batch's, indices of training rows.
  void end_batch(std::span<const int64_t> rows);
  // The gradients of an update are complete.
  void end_update();

  // Of the epoch so far, in the order of the model's norms.
  const std::vector<RecordedNorm>& norms() const { return norms_; }
  int64_t clean_rows() const { return clean_rows_; }
  int64_t noisy_rows() const { return noisy_rows_; }

  // Everything above as one list of numbers, for a saved state.
  std::vector<double> state() const;
  // False, and nothing changes, where the list is not one of this model.
  bool set_state(std::span<const double> numbers);

 private:
  const Model& model_;
  std::vector<bool> is_noisy_;
  std::vector<RecordedNorm> norms_;
  int64_t clean_rows_ = 0, noisy_rows_ = 0;
  const Pass* pass_ = nullptr;
  int64_t rows_of_update_ = 1;
  std::vector<torch::Tensor> lengths_;  // of this batch, a norm: |g| of each token, [N] or of the kept ones
};

}  // namespace normscope
