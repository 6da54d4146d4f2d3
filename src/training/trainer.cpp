#include "training/trainer.h"

#include <ATen/ops/cross_entropy_loss.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "training/evaluate.h"

namespace normscope {

Trainer::Trainer(Model& model, const TokenRows& rows, const TrainerOptions& options)
    : model_(model),
      rows_(rows),
      options_(options),
      parameters_(model.parameters),
      optimizer_(make_optimizer(options.optimizer, parameters_)) {
  epoch_logits_.num_classes = model.num_labels;
  epoch_logits_.values.resize(static_cast<size_t>(rows.count() * model.num_labels));
}

int64_t Trainer::steps_per_epoch(int64_t rows, const TrainerOptions& options) {
  const int64_t rows_of_update = options.batch_size * options.gradient_accumulation;
  return (rows + rows_of_update - 1) / rows_of_update;
}

std::vector<int64_t> Trainer::order_of_epoch() const {
  std::vector<int64_t> order(static_cast<size_t>(rows_.count()));
  std::iota(order.begin(), order.end(), int64_t{0});
  RandomStream random(options_.shuffle_seed, "shuffle", static_cast<uint64_t>(epoch_));
  shuffle(order, random);
  return order;
}

double Trainer::run_batch(std::span<const int64_t> indices, int64_t rows_of_update, uint64_t batch_index) {
  const auto batch = make_batch(rows_, indices, options_.batch);
  Pass pass;
  pass.rows = batch.rows;
  pass.is_training = true;
  pass.dropout_key =
      RandomStream(options_.dropout_seed, "dropout", mix(static_cast<uint64_t>(epoch_), batch_index)).key();
  if (auto* recorder = options_.recorder) {
    pass.observer = recorder;
    recorder->begin_batch(pass, rows_of_update);
  }
  const auto logits = model_.forward(batch.inputs, pass);
  // The update's loss is the mean over all its rows, however many batches they come in.
  const auto loss = at::cross_entropy_loss(logits, batch.labels, {}, at::Reduction::Sum);
  const double loss_sum = loss.item<double>();
  if (!std::isfinite(loss_sum)) return loss_sum;
  (loss / static_cast<double>(rows_of_update)).backward();
  if (options_.recorder != nullptr) options_.recorder->end_batch(indices);

  Logits values;
  append_logits(logits, values);
  progress_.loss_sum += loss_sum;
  progress_.rows += static_cast<int64_t>(indices.size());
  for (size_t i = 0; i < indices.size(); ++i) {
    const auto row = values.row(static_cast<int64_t>(i));
    progress_.correct += predicted_label(row) == rows_.labels[static_cast<size_t>(indices[i])];
    std::ranges::copy(row, epoch_logits_.values.begin() + indices[i] * epoch_logits_.num_classes);
  }
  return loss_sum;
}

void Trainer::update() {
  if (options_.recorder != nullptr) options_.recorder->end_update();
  double scale = 1;
  if (options_.max_grad_norm > 0)  // torch.nn.utils.clip_grad_norm_'s rule
    scale = std::min(1.0, options_.max_grad_norm / (parameters_.gradient_norm() + 1e-6));
  optimizer_->step(options_.schedule.at(optimizer_->steps), scale);
}

void Trainer::make_changes() {
  while (change_steps_.size() < options_.changes.size() && options_.changes[change_steps_.size()].epoch == epoch_)
    make_change(optimizer_->steps);
}

void Trainer::make_change(int64_t steps) {
  options_.changes[change_steps_.size()].apply(steps);
  change_steps_.push_back(steps);
  const auto touched = parameters_.touched();
  const auto places = parameters_.places();
  const auto before = optimizer_->state();
  const int64_t updates = optimizer_->steps;
  parameters_ = FlatParameters(model_.parameters);
  parameters_.set_touched(touched);
  optimizer_ = make_optimizer(options_.optimizer, parameters_);
  optimizer_->steps = updates;
  const auto after = optimizer_->state();
  for (const auto& place : parameters_.places()) {
    const auto old = std::ranges::find(places, place.parameter, &FlatParameters::Place::parameter);
    if (old == places.end()) continue;
    for (size_t i = 0; i < after.size(); ++i)
      after[i].second.narrow(0, place.begin, place.count).copy_(before[i].second.narrow(0, old->begin, old->count));
  }
}

std::vector<std::pair<std::string, torch::Tensor>> Trainer::kept() const {
  if (change_steps_.empty() || !options_.kept) return {};
  return options_.kept();
}

bool Trainer::run_epoch(const AfterStep& after_step) {
  if (next_row_ == 0) make_changes();
  const auto order = order_of_epoch();
  const auto total = static_cast<int64_t>(order.size());
  if (next_row_ == 0) {
    progress_ = {};
    if (options_.recorder != nullptr) options_.recorder->begin_epoch();
  }
  while (next_row_ < total) {
    const int64_t end = std::min(total, next_row_ + options_.batch_size * options_.gradient_accumulation);
    const EpochProgress before = progress_;
    parameters_.clear_gradients();
    for (int64_t begin = next_row_; begin < end; begin += options_.batch_size) {
      const auto count = static_cast<size_t>(std::min(options_.batch_size, end - begin));
      const double loss = run_batch({order.data() + begin, count}, end - next_row_, static_cast<uint64_t>(begin));
      if (std::isfinite(loss)) continue;
      progress_ = before;
      throw Diverged("the loss became " + std::to_string(loss) + " in epoch " + std::to_string(epoch_ + 1) + ", step " +
                     std::to_string(optimizer_->steps + 1) +
                     "; the parameters before that step are kept. A lower learning rate or max_grad_norm may help");
    }
    update();
    next_row_ = end;
    if (after_step(progress_) && next_row_ < total) return false;
  }
  ++epoch_;
  next_row_ = 0;
  return true;
}

}  // namespace normscope
