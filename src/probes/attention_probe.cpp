// Entropy of every block's attention, over real tokens and as the study's padded tables have it.
#include <algorithm>
#include <map>

#include "kernels/kernels.h"
#include "probes/gradient_probe.h"

namespace normscope {
namespace {

using torch::Tensor;

struct Entropies {
  std::vector<double> real, padded;  // one a row
};

class Watch : public Observer {
 public:
  explicit Watch(int64_t padded_length) : padded_length_(padded_length) {}

  Tensor hidden_states(int depth, const Tensor& x) override {
    layer_ = depth;
    return x;
  }
  void attention_weights(int64_t, const kernels::AttentionPattern& pattern, const Tensor& weights) override {
    const auto w = weights.detach().to(torch::kFloat64);
    // w ln w is 0 at 0; the clamp keeps the logarithm finite there.
    const auto per_query = -(w * w.clamp_min(1e-300).log()).sum(-1).mean(0);  // [T], mean over heads
    const double sum = per_query.sum().item<double>();
    const int64_t tokens = w.size(-1);
    auto& to = layers[layer_];
    to.real.push_back(sum / static_cast<double>(tokens));
    // Right-padded rows of an encoder: what padding attends to there no packed pass can tell.
    if (pattern.causal && padded_length_ > 0)
      to.padded.push_back(padded_entropy(sum, tokens, std::max<int64_t>(0, padded_length_ - tokens), pattern.window));
  }

  std::map<int, Entropies> layers;

 private:
  int64_t padded_length_;
  int layer_ = 0;
};

}  // namespace

void probe_attention(const Model& model, const TokenRows& rows, std::span<const int64_t> indices,
                     const ProbeOptions& options, NormInputSet& set) {
  torch::NoGradGuard no_grad;
  Watch watch(options.padded_length);
  const auto size = static_cast<size_t>(options.batch_size);
  for (size_t begin = 0; begin < indices.size(); begin += size) {
    const auto batch = make_batch(rows, indices.subspan(begin, std::min(size, indices.size() - begin)), options.batch);
    Pass pass;
    pass.rows = batch.rows;
    pass.observer = &watch;
    pass.plain_attention = true;
    model.forward(batch.inputs, pass);
  }
  for (auto& norm : set.norms) {
    const auto found = watch.layers.find(norm.layer);
    if (norm.role != "attention" || found == watch.layers.end()) continue;
    norm.attention_entropy = found->second.real;
    norm.padded_attention_entropy = found->second.padded;
  }
}

}  // namespace normscope
