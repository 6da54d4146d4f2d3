#include "probes/gradient_probe.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "models/heads.h"
#include "probes/norm_jacobian.h"
#include "probes/norm_points.h"
#include "probes/segments.h"
#include "training/evaluate.h"

namespace normscope {
namespace {

using torch::Tensor;

struct Point : NormPoint {
  Tensor hidden_input, hidden;  // of the first feed-forward map
};

class Points : public NormPoints {
 public:
  Tensor hidden_states(int depth, const Tensor& x) override {
    layer_ = depth;
    return x;
  }
  Tensor feed_forward_hidden(const Tensor& x, const Tensor& y) override {
    hidden_[layer_] = {x, y};
    return y;
  }

  // In the order of `norms`.
  std::vector<Point> of(const std::vector<NormPtr>& norms) const {
    std::vector<Point> points;
    for (const auto& norm : norms) {
      auto& point = points.emplace_back(Point{at(norm->site()), {}, {}});
      const auto hidden = hidden_.find(norm->site().layer);
      if (norm->site().role == NormRole::FeedForward && hidden != hidden_.end())
        std::tie(point.hidden_input, point.hidden) = hidden->second;
    }
    return points;
  }

 private:
  std::map<int, std::pair<Tensor, Tensor>> hidden_;
  int layer_ = 0;
};

// One batch's pass, and what its packed rows are to every norm alike.
struct ProbedBatch {
  std::vector<Point> points;  // one a norm
  Tensor logits;
  PackedRows rows;
  Segments segments;                 // float64
  Tensor first_places, last_places;  // [B] int64
  size_t rows_before;                // of the set
};

Tensor token_squares(const Tensor& x) { return x.to(torch::kFloat64).square().sum(1); }  // [N, D] -> [N]

// |sum_t gradient_t input_t'| of each row, [F, D], without the matrix itself, by the tokens' inner products.
Tensor outer_product_norm(const Tensor& gradient, const Tensor& input, const PackedRows& rows) {
  std::vector<double> norms;
  for (int64_t row = 0; row < rows.count(); ++row) {
    const auto part = [&](const Tensor& x) {
      return x.detach().narrow(0, rows.offsets[static_cast<size_t>(row)], rows.length(row)).to(torch::kFloat64);
    };
    const auto g = part(gradient), x = part(input);  // float64: products of small gradients would vanish in float32
    const auto products = g.matmul(g.t()) * x.matmul(x.t());
    norms.push_back(std::sqrt(std::max(0.0, products.sum().item<double>())));
  }
  return torch::tensor(norms, torch::kFloat64);
}

// The part of a pass that all choices of labels share.
class Reader {
 public:
  Reader(const Model& model, const ProbeOptions& options, std::span<const LabelChoice> choices)
      : model_(model), options_(options) {
    probed_.inputs.norms.resize(model.norms.size());
    for (const auto& choice : choices) {
      auto& set = probed_.gradients.emplace_back();
      set.name = choice.name;
      set.norms.resize(model.norms.size());
    }
    for (size_t i = 0; i < model.norms.size(); ++i) {
      const auto place = place_of(model.norms[i]->site());
      static_cast<NormPlace&>(probed_.inputs.norms[i]) = place;
      for (auto& set : probed_.gradients) static_cast<NormPlace&>(set.norms[i]) = place;
    }
    script_sums_.resize(choices.size());
  }

  void read_inputs(const ProbedBatch& batch) {
    torch::NoGradGuard no_grad;
    const auto& segments = batch.segments;
    append(token_squares(batch.logits).sqrt(), probed_.inputs.logit_norm);
    for (size_t i = 0; i < batch.points.size(); ++i) {
      const auto& point = batch.points[i];
      auto& to = probed_.inputs.norms[i];
      const auto x = point.input.detach();
      const auto sigma = norm_state(*model_.norms[i], x).sigma.squeeze(1).to(torch::kFloat64);
      append(segments.mean(token_squares(x).sqrt()), to.input_norm);
      append(segments.mean(sigma), to.sigma);
      append(segments.largest(sigma.neg()).neg(), to.smallest_sigma);
      append_of_mean(x, segments, to.input_norm_of_mean, to.sigma_of_mean);
      append(point.output.detach().index_select(0, batch.first_places).abs().mean(1), to.activation);
      if (!point.sublayer.defined()) continue;
      const auto y = point.sublayer.detach();
      const auto variance = y.to(torch::kFloat64).var(1, /*unbiased=*/false);
      append(segments.mean(token_squares(y).sqrt()), to.sublayer_norm);
      append(segments.mean(variance), to.sublayer_variance);
      append(segments.largest(variance), to.largest_sublayer_variance);
      append_of_mean(y, segments, to.sublayer_norm_of_mean, to.sublayer_sigma_of_mean);
    }
  }

  void read_gradients(size_t choice, const ProbedBatch& batch, std::span<const int> labels, bool keep_graph) {
    auto& set = probed_.gradients[choice];
    Logits values;
    append_logits(batch.logits, values);
    std::vector<double> at_logits;
    for (int64_t row = 0; row < values.count(); ++row) {
      const int label = labels[static_cast<size_t>(row)];
      const auto gradient = logit_gradient(values.row(row), label);
      set.logits.push_back(length(gradient));
      set.loss.push_back(cross_entropy(values.row(row), label));
      at_logits.insert(at_logits.end(), gradient.begin(), gradient.end());
    }
    std::vector<Tensor> at_points;
    for (const auto& point : batch.points) {
      at_points.insert(at_points.end(), {point.input, point.alias, point.output});
      if (point.hidden.defined()) at_points.push_back(point.hidden);
    }
    // The gradient enters at the logits: through a float32 loss, a well fitted row's p - 1 would be rounding alone.
    const auto start = torch::tensor(at_logits, torch::kFloat64).view(batch.logits.sizes()).to(batch.logits.options());
    const auto gradients = torch::autograd::grad({batch.logits}, at_points, {start}, keep_graph);

    torch::NoGradGuard no_grad;
    script_sums_[choice].resize(batch.points.size());
    auto gradient = gradients.begin();
    for (size_t i = 0; i < batch.points.size(); ++i) {
      const auto& point = batch.points[i];
      const auto &total = *gradient++, &branch = *gradient++, &output = *gradient++;
      auto& to = set.norms[i];
      read_norm(*model_.norms[i], point, total, branch, output, batch, to);
      for (size_t row = batch.rows_before; row < set.logits.size(); ++row)
        to.gain.push_back(to.total[row] / set.logits[row]);
      add_to_script(script_sums_[choice][i], branch, batch);
      if (point.hidden.defined())
        append(outer_product_norm(*gradient++, point.hidden_input, batch.rows), to.feed_forward_weight);
    }
  }

  Probed finish() {
    for (size_t choice = 0; choice < script_sums_.size(); ++choice)
      for (size_t i = 0; i < script_sums_[choice].size(); ++i) {
        const auto& sums = script_sums_[choice][i];
        const auto rows = static_cast<double>(probed_.gradients[choice].logits.size());
        auto& norm = probed_.gradients[choice].norms[i];
        norm.paper = (sums.plain / rows).norm().item<double>();
        norm.news_script = (sums.counted / rows).norm().item<double>();
      }
    return std::move(probed_);
  }

 private:
  struct ScriptSums {
    Tensor plain, counted;  // [D] float64
  };

  static void append_of_mean(const Tensor& x, const Segments& segments, std::vector<double>& norm,
                             std::vector<double>& sigma) {
    const auto mean = segments.sum(x.to(torch::kFloat64)) / segments.lengths().unsqueeze(1);
    append(token_squares(mean).sqrt(), norm);
    append(mean.std(1, /*unbiased=*/true), sigma);
  }

  void read_norm(const Norm& norm, const Point& point, const Tensor& total, const Tensor& branch, const Tensor& output,
                 const ProbedBatch& batch, NormGradients& to) const {
    const auto& segments = batch.segments;
    const auto state = norm_state(norm, point.input.detach());
    const auto sigma_squares = state.sigma.squeeze(1).to(torch::kFloat64).square();
    const auto squares = token_squares(total), branch_squares = token_squares(branch);
    append(segments.sum(squares).sqrt(), to.total);
    append(segments.sum(branch_squares).sqrt(), to.branch);
    append(segments.sum(squares * sigma_squares).sqrt(), to.scale_free);
    append(segments.sum(branch_squares * sigma_squares).sqrt(), to.branch_scale_free);
    append(segments.sum(token_squares(output)).sqrt(), to.output);
    append(squares.index_select(0, batch.first_places).sqrt(), to.first_token);
    append(squares.index_select(0, batch.last_places).sqrt(), to.last_token);
    if (norm.weight()) append(token_squares(segments.sum(output * state.normalised)).sqrt(), to.weight);
    if (norm.bias()) append(token_squares(segments.sum(output)).sqrt(), to.bias);
  }

  // The mean over padded tokens of abs(gradient): padding itself has none, so it only divides (study.md 4).
  void add_to_script(ScriptSums& sums, const Tensor& branch, const ProbedBatch& batch) const {
    auto lengths = batch.segments.lengths();
    if (options_.padded_length > 0) lengths = lengths.clamp_min(static_cast<double>(options_.padded_length));
    const auto means = batch.segments.sum(branch.abs()).to(torch::kFloat64) / lengths.unsqueeze(1);  // [B, D]
    const auto count = at::arange(batch.rows.count(), means.options()) + static_cast<double>(batch.rows_before);
    const auto plain = means.sum(0), counted = count.matmul(means);
    sums.plain = sums.plain.defined() ? sums.plain + plain : plain;
    sums.counted = sums.counted.defined() ? sums.counted + counted : counted;
  }

  const Model& model_;
  ProbeOptions options_;
  Probed probed_;
  std::vector<std::vector<ScriptSums>> script_sums_;  // [choice][norm]
};

}  // namespace

Probed probe_gradients(const Model& model, const TokenRows& rows, std::span<const int64_t> indices,
                       std::span<const LabelChoice> choices, const ProbeOptions& options) {
  Reader reader(model, options, choices);
  const auto size = static_cast<size_t>(options.batch_size);
  for (size_t begin = 0; begin < indices.size(); begin += size) {
    const size_t count = std::min(size, indices.size() - begin);
    const auto batch = make_batch(rows, indices.subspan(begin, count), options.batch);
    Points observer;
    Pass pass;
    pass.rows = batch.rows;
    pass.observer = &observer;
    const auto logits = model.forward(batch.inputs, pass);
    const ProbedBatch probed{observer.of(model.norms),
                             logits,
                             pass.rows,
                             Segments(pass.rows, logits.options().dtype(torch::kFloat64)),
                             first_places(pass.rows, logits.device()),
                             last_places(pass.rows, logits.device()),
                             begin};
    reader.read_inputs(probed);
    for (size_t i = 0; i < choices.size(); ++i)
      reader.read_gradients(i, probed, std::span(choices[i].labels).subspan(begin, count), i + 1 < choices.size());
  }
  return reader.finish();
}

}  // namespace normscope
