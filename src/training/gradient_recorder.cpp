#include "training/gradient_recorder.h"

#include <ATen/ops/linalg_vector_norm.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {
namespace {

constexpr std::array kSums = {&RecordedNorm::clean, &RecordedNorm::noisy,          &RecordedNorm::weight,
                              &RecordedNorm::bias,  &RecordedNorm::weight_updates, &RecordedNorm::bias_updates};

// |g| of each row from that of its tokens; where only the tokens that are read went on, those are the rows'.
std::vector<double> row_lengths(const torch::Tensor& token_lengths, const PackedRows& rows) {
  const auto lengths = token_lengths.to(torch::kCPU, torch::kFloat64).contiguous();
  const double* of_token = lengths.const_data_ptr<double>();
  if (lengths.numel() == rows.count()) return {of_token, of_token + lengths.numel()};
  std::vector<double> of_row;
  for (int64_t row = 0; row < rows.count(); ++row) {
    double sum = 0;
    for (int64_t token = rows.offsets[static_cast<size_t>(row)]; token < rows.offsets[static_cast<size_t>(row) + 1];
         ++token)
      sum += of_token[token] * of_token[token];
    of_row.push_back(std::sqrt(sum));
  }
  return of_row;
}

void add_length(const ParameterPtr& parameter, double& sum, double& updates) {
  if (!parameter || !parameter->value.grad().defined()) return;
  sum += at::linalg_vector_norm(parameter->value.grad().to(torch::kFloat64)).item<double>();
  ++updates;
}

}  // namespace

GradientRecorder::GradientRecorder(const Model& model, std::vector<bool> is_noisy)
    : model_(model), is_noisy_(std::move(is_noisy)), norms_(model.norms.size()), lengths_(model.norms.size()) {}

torch::Tensor GradientRecorder::norm_input(const NormSite& site, const torch::Tensor& x) {
  const auto norm =
      std::ranges::find_if(model_.norms, [&](const NormPtr& candidate) { return &candidate->site() == &site; });
  if (norm == model_.norms.end() || !x.requires_grad()) return x;
  const auto place = static_cast<size_t>(norm - model_.norms.begin());
  x.register_hook([this, place](const torch::Tensor& gradient) {
    lengths_[place] = at::linalg_vector_norm(gradient, 2, at::IntArrayRef{-1});
  });
  return x;
}

void GradientRecorder::begin_epoch() {
  norms_.assign(norms_.size(), {});
  clean_rows_ = noisy_rows_ = 0;
}

void GradientRecorder::begin_batch(const Pass& pass, int64_t rows_of_update) {
  pass_ = &pass;
  rows_of_update_ = rows_of_update;
  std::ranges::fill(lengths_, torch::Tensor());
}

void GradientRecorder::end_batch(std::span<const int64_t> rows) {
  const auto scale = static_cast<double>(rows_of_update_);
  for (size_t place = 0; place < norms_.size(); ++place) {
    if (!lengths_[place].defined()) continue;
    const auto of_row = row_lengths(lengths_[place], pass_->rows);
    for (size_t i = 0; i < rows.size(); ++i) {
      auto& sum = is_noisy_[static_cast<size_t>(rows[i])] ? norms_[place].noisy : norms_[place].clean;
      sum += scale * of_row[i];
    }
  }
  for (const int64_t row : rows) ++(is_noisy_[static_cast<size_t>(row)] ? noisy_rows_ : clean_rows_);
  pass_ = nullptr;
}

void GradientRecorder::end_update() {
  for (size_t place = 0; place < norms_.size(); ++place) {
    auto& sums = norms_[place];
    add_length(model_.norms[place]->weight(), sums.weight, sums.weight_updates);
    add_length(model_.norms[place]->bias(), sums.bias, sums.bias_updates);
  }
}

std::vector<double> GradientRecorder::state() const {
  std::vector<double> numbers = {static_cast<double>(clean_rows_), static_cast<double>(noisy_rows_)};
  for (const auto& norm : norms_)
    for (const auto sum : kSums) numbers.push_back(norm.*sum);
  return numbers;
}

bool GradientRecorder::set_state(std::span<const double> numbers) {
  if (numbers.size() != 2 + norms_.size() * kSums.size()) return false;
  clean_rows_ = static_cast<int64_t>(numbers[0]);
  noisy_rows_ = static_cast<int64_t>(numbers[1]);
  size_t next = 2;
  for (auto& norm : norms_)
    for (const auto sum : kSums) norm.*sum = numbers[next++];
  return true;
}

}  // namespace normscope
