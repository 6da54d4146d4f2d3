// A place in a checkpoint's dotted parameter names; hands out layers by name and records what it made.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "checkpoints/checkpoint.h"
#include "nn/init.h"
#include "nn/linear.h"
#include "nn/norm.h"

namespace normscope {

struct LoadOptions {
  torch::ScalarType dtype = torch::kFloat32;
  torch::Device device = torch::kCPU;
  uint64_t init_seed = 0;
  bool random_start = false;  // ignore the checkpoint's weights
  bool is_rewired = false;    // a final norm that the published wiring lacks may be missing: it is drawn
  double initializer_range = 0.02;
};

class Scope {
 public:
  // `base` is the architecture's prefix ("bert"); published files have it or lack it.
  Scope(const Checkpoint* checkpoint, std::string base, LoadOptions options);

  Scope operator/(const std::string& name) const;
  Scope block(const std::string& name, int index) const;  // norms made below belong to that layer
  Scope optional() const;  // what is missing or of another shape below is drawn, with a note

  // Trainable tensor. Throws Error(Checkpoint) with the full name when it is missing or misshapen.
  ParameterPtr parameter(const std::string& name, std::vector<int64_t> shape, const Init& init) const;
  ParameterPtr table(const std::string& name, int64_t rows, int64_t width, int64_t zero_row = -1) const;
  // Weight drawn N(0, initializer_range), bias 0, as most architectures of transformers do.
  Linear linear(const std::string& name, int64_t in, int64_t out, bool has_bias = true) const;
  Linear linear(const std::string& name, int64_t in, int64_t out, bool has_bias, const Init& weight,
                const Init& bias) const;
  Linear conv1d(const std::string& name, int64_t in, int64_t out, double deviation) const;
  NormPtr norm(const std::string& name, int64_t size, double eps, NormRole role,
               NormKind kind = NormKind::LayerNorm) const;

  Scope optional_if_rewired() const { return state_->options.is_rewired ? optional() : *this; }

  double initializer_range() const { return state_->options.initializer_range; }
  const ParameterSet& parameters() const { return state_->parameters; }
  const std::vector<NormPtr>& norms() const { return state_->norms; }
  const std::set<std::string>& drawn() const { return state_->drawn; }  // parameters the checkpoint did not give

 private:
  struct State {
    const Checkpoint* checkpoint;
    std::string base;
    LoadOptions options;
    ParameterSet parameters;
    std::vector<NormPtr> norms;
    std::set<std::string> drawn;
  };
  std::string full(const std::string& name) const { return prefix_.empty() ? name : prefix_ + "." + name; }

  std::shared_ptr<State> state_;
  std::string prefix_;
  int layer_ = -1;
  bool is_optional_ = false;
};

// A tensor of the checkpoint in `dtype`: float16 and bfloat16 widen exactly.
torch::Tensor to_tensor(const TensorView& view, torch::ScalarType dtype);

}  // namespace normscope
