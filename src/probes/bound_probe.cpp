#include "probes/bound_probe.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <torch/csrc/autograd/autograd.h>

#include <cassert>

#include "core/error.h"
#include "probes/norm_jacobian.h"
#include "probes/norm_points.h"

namespace normscope {
namespace {

using torch::Tensor;

// The graph from the first block's input to the logits, with every place that a Jacobian starts or ends at.
class BlockGraph : public NormPoints {
 public:
  Tensor hidden_states(int, const Tensor& x) override {
    // What lies below the first block takes no part in any bound.
    hidden.push_back(hidden.empty() ? x.detach().requires_grad_() : x);
    return hidden.back();
  }

  std::vector<Tensor> hidden;  // after each number of blocks
};

Tensor deviation(const NormKind kind, const Tensor& x) {  // [N, D] -> [N]: what the norm divides by, without eps
  const auto centred = kind == NormKind::LayerNorm ? x - x.mean(-1, true) : x;
  return centred.square().mean(-1).sqrt();
}

class Prober {
 public:
  Prober(const Model& model, const BlockGraph& graph, const PackedRows& rows, const SingularValueOptions& options)
      : model_(model),
        graph_(graph),
        segments_(rows, torch::TensorOptions(torch::kFloat64).device(graph.hidden.front().device())),
        options_(options),
        is_post_norm_(model.network.placement == Placement::PostNorm),
        chains_(static_cast<size_t>(rows.count())) {
    for (const auto& norm : model.norms)
      if (norm->site().role == NormRole::Attention || norm->site().role == NormRole::FeedForward)
        norms_.push_back(norm);
  }

  std::vector<RowChain> run(const Tensor& logits, const Tensor& labels, const std::function<void(double)>& progress) {
    start();
    read_gradients(logits, labels);
    for (size_t k = 0; k < norms_.size(); ++k) {
      read_step(k);
      progress(static_cast<double>(k + 1) / static_cast<double>(norms_.size()));
    }
    return std::move(chains_);
  }

 private:
  const NormPoint& site(size_t k) const { return graph_.at(norms_[k]->site()); }
  const Tensor& last_hidden() const { return graph_.hidden.back(); }

  // In a parallel block both norms read the block's input.
  bool shares_input(size_t k) const { return k > 0 && !is_post_norm_ && site(k).input.is_same(site(k - 1).input); }

  void start() {
    for (auto& chain : chains_) {
      chain.is_post_norm = is_post_norm_;
      for (size_t k = 0; k < norms_.size(); ++k) {
        auto& step = chain.steps.emplace_back();
        static_cast<NormPlace&>(step) = place_of(norms_[k]->site());
        step.shares_input = shares_input(k);
      }
    }
  }

  // values: [B], one a row.
  template <typename Value>
  void set(size_t k, double BoundStep::*member, const Value& values) {
    std::vector<double> list;
    append(values, list);
    for (size_t row = 0; row < chains_.size(); ++row) chains_[row].steps[k].*member = list[row];
  }

  void set(size_t k, SingularValue BoundStep::*member, const LinearMap& map, const Tensor& like) {
    const auto values = largest_singular_values(map, like.sizes(), segments_, options_);
    for (size_t row = 0; row < chains_.size(); ++row) chains_[row].steps[k].*member = values[row];
  }

  Tensor frobenius(const Tensor& g) const { return segments_.sum(g.square().sum(1)).sqrt(); }
  Tensor smallest(const Tensor& per_token) const { return segments_.largest(per_token.neg()).neg(); }

  void read_gradients(const Tensor& logits, const Tensor& labels) {
    const auto loss = at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum);
    std::vector<Tensor> places = {last_hidden()};
    for (size_t k = 0; k < norms_.size(); ++k) places.insert(places.end(), {site(k).input, site(k).alias});
    const auto gradients = torch::autograd::grad({loss}, places, {}, /*retain_graph=*/true);
    std::vector<double> last;
    append(frobenius(gradients[0]), last);
    for (size_t row = 0; row < chains_.size(); ++row) chains_[row].last_gradient = last[row];
    for (size_t k = 0; k < norms_.size(); ++k) {
      set(k, &BoundStep::gradient, frobenius(gradients[1 + 2 * k]));
      set(k, &BoundStep::branch_gradient, frobenius(gradients[2 + 2 * k]));
    }
  }

  // What the sublayer reads and where its residual sum stands: x -> x + J.
  std::pair<Tensor, Tensor> residual_ends(size_t k) const {
    const bool is_first_of_block = norms_[k]->site().role == NormRole::Attention;
    const auto layer = static_cast<size_t>(norms_[k]->site().layer);
    if (is_post_norm_)  // norm(x + f(x)): x is the block's input, or what its attention norm gave
      return {is_first_of_block ? graph_.hidden[layer] : site(k - 1).output, site(k).input};
    const bool is_parallel = is_first_of_block && k + 1 < norms_.size() && shares_input(k + 1);
    const bool ends_block = !is_first_of_block || is_parallel;
    return {site(k).input, ends_block ? graph_.hidden[layer + 1] : site(k + 1).input};
  }

  void read_step(size_t k) {
    const auto& here = site(k);
    const auto [x, sum] = residual_ends(k);
    if (!chains_.front().steps[k].shares_input) set(k, &BoundStep::residual, jacobian(sum, x), x);
    // Pre-LN: the branch is the sublayer after its norm, whose input is the norm's own view.
    const auto& branch_start = is_post_norm_ ? x : here.alias;
    set(k, &BoundStep::branch, jacobian(here.sublayer, branch_start), branch_start);
    set(k, &BoundStep::network, jacobian(last_hidden(), here.input), here.input);
    set(k, &BoundStep::largest_variance, segments_.largest(here.sublayer.detach().var(1, /*unbiased=*/false)));
    if (is_post_norm_) read_post_norm(k, x.detach());
  }

  void read_post_norm(size_t k, const Tensor& x) {
    const auto& norm = *norms_[k];
    const auto state = norm_state(norm, site(k).input.detach());
    const LinearMap map{[&](const Tensor& v) { return jacobian_product(state, v); },
                        [&](const Tensor& u) { return transposed_jacobian_product(state, u); }};
    set(k, &BoundStep::norm, map, x);
    const double weight = state.largest_weight();
    set(k, &BoundStep::norm_bound, weight / smallest(state.sigma.squeeze(1)));
    const auto sub = deviation(norm.kind(), site(k).sublayer.detach());
    set(k, &BoundStep::paper_sigma, smallest((1 - sub).abs()));
    set(k, &BoundStep::valid_sigma, smallest((deviation(norm.kind(), x) - sub).abs()) / weight);
    // The norm that gave x is the step before, or the last one below the blocks.
    const bool is_unit = is_plain(norm) && source_is_plain(k);
    for (auto& chain : chains_) chain.steps[k].is_unit_variance = is_unit;
  }

  static bool is_plain(const Norm& norm) { return !norm.affine() && norm.kind() == NormKind::LayerNorm; }

  bool source_is_plain(size_t k) const {
    const Norm* before = nullptr;
    for (const auto& norm : model_.norms) {
      if (norm == norms_[k]) break;
      before = norm.get();
    }
    return before != nullptr && is_plain(*before);
  }

  const Model& model_;
  const BlockGraph& graph_;
  Segments segments_;
  SingularValueOptions options_;
  bool is_post_norm_;
  std::vector<NormPtr> norms_;
  std::vector<RowChain> chains_;
};

}  // namespace

std::vector<RowChain> probe_bounds(const Model& model, const TokenRows& rows, std::span<const int64_t> indices,
                                   std::span<const int> labels, const BatchOptions& batch_options,
                                   const SingularValueOptions& options, const std::function<void(double)>& progress) {
  assert(labels.size() == indices.size());
  for (const auto& parameter : model.parameters.all()) parameter->value.requires_grad_(false);
  constexpr size_t kRowsAtOnce = 8;  // a Lanczos basis holds one vector a step for all of them
  std::vector<RowChain> chains;
  for (size_t begin = 0; begin < indices.size(); begin += kRowsAtOnce) {
    const size_t count = std::min(kRowsAtOnce, indices.size() - begin);
    const auto batch = make_batch(rows, indices.subspan(begin, count), batch_options);
    BlockGraph graph;
    Pass pass;
    pass.rows = batch.rows;
    pass.observer = &graph;
    pass.plain_attention = true;
    const auto logits = model.forward(batch.inputs, pass);
    const auto given = labels.subspan(begin, count);
    const std::vector<int64_t> classes(given.begin(), given.end());
    Prober prober(model, graph, pass.rows, options);
    const auto part = prober.run(logits, torch::tensor(classes, torch::kInt64).to(logits.device()), [&](double share) {
      progress((static_cast<double>(begin) + share * static_cast<double>(count)) / static_cast<double>(indices.size()));
    });
    chains.insert(chains.end(), part.begin(), part.end());
  }
  return chains;
}

}  // namespace normscope
