#include "experiments/verify.h"

#include <ATen/ops/cross_entropy_loss.h>

#include <algorithm>
#include <map>

#include "checkpoints/safetensors.h"
#include "core/file.h"
#include "interventions/intervention.h"
#include "interventions/norm_selector.h"
#include "training/optimizer.h"

namespace normscope {
namespace {

using torch::Tensor;
using Tensors = std::map<std::string, Tensor>;

// Keeps every norm's input and asks autograd for its gradient.
struct NormInputs : Observer {
  Tensors inputs;
  Tensor norm_input(const NormSite& site, const Tensor& x) override {
    if (x.requires_grad()) x.retain_grad();
    return inputs[site.name] = x;
  }
};

Tensors read_tensors(const std::filesystem::path& path, torch::ScalarType dtype) {
  const MappedFile file(path, ErrorKind::Checkpoint);
  Tensors tensors;
  for (const auto& [name, view] : parse_safetensors(file.bytes(), nullptr))
    tensors[name] = to_tensor(view, view.dtype == DType::I64 ? torch::kInt64 : dtype);
  return tensors;
}

// The fixture's padded inputs as packed rows, and where their tokens stand in the padded [B, T] layout.
struct PackedInputs {
  Inputs inputs;
  PackedRows rows;
  Tensor labels;
  Tensor row, column;  // [N] int64: places of the tokens in the padded layout; undefined for images
};

PackedInputs pack_inputs(const Tensors& tensors, const std::filesystem::path& folder) {
  const auto get = [&](const std::string& name) {
    const auto found = tensors.find(name);
    require(found != tensors.end(), ErrorKind::Checkpoint, folder.string(), "/inputs.safetensors: no tensor '", name,
            "'");
    return found->second;
  };
  PackedInputs packed;
  packed.labels = get("labels");
  if (tensors.contains("pixel_values")) {
    packed.inputs.pixel_values = get("pixel_values");
    return packed;
  }
  const auto ids = get("input_ids"), mask = get("attention_mask");
  require(ids.dim() == 2 && ids.sizes() == mask.sizes() && packed.labels.numel() == ids.size(0), ErrorKind::Checkpoint,
          folder.string(), "/inputs.safetensors: input_ids, attention_mask and labels do not fit together");
  const auto places = mask.nonzero();
  packed.row = places.select(1, 0).contiguous();
  packed.column = places.select(1, 1).contiguous();
  packed.inputs.input_ids = ids.index({packed.row, packed.column});
  packed.inputs.positions = packed.column;
  for (int64_t row = 0; row < ids.size(0); ++row) packed.rows.append(mask[row].sum().item<int64_t>());
  return packed;
}

// Whether the fixture's maker kept the reference from rounding steps to float32 (tests/reference/keep_float64.py).
bool is_float64_throughout(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return false;
  const auto meta = nlohmann::json::parse(read_file(path, ErrorKind::Checkpoint), nullptr, false);
  require(meta.is_object(), ErrorKind::Checkpoint, path.string(), ": expected a JSON object");
  return meta.value("float64_throughout", false);
}

class Verification {
 public:
  Verification(const std::filesystem::path& folder, torch::ScalarType dtype)
      : folder_(folder),
        dtype_(dtype),
        checkpoint_(open_checkpoint(folder.string())),
        expected_(read_tensors(folder / "expected.safetensors", torch::kFloat64)),
        packed_(pack_inputs(read_tensors(folder / "inputs.safetensors", dtype), folder)),
        is_float64_throughout_(is_float64_throughout(folder / "meta.json")) {
    require(expected_.contains("logits"), ErrorKind::Checkpoint, folder.string(),
            "/expected.safetensors: no tensor 'logits'");
    num_labels_ = expected_.at("logits").size(1);
  }

  std::vector<VerifyGroup> run(double tolerance) {
    forward_and_backward();
    for (const auto* layers : {"all", "early", "middle", "later"})
      if (expected_.contains(std::string("removed_") + layers + ".logits")) removed(layers);
    if (expected_.contains("paper_head.logits")) paper_head();
    if (expected_.contains("adamw_curve.loss")) adamw_curve();
    for (const auto& [name, tensor] : expected_)
      require(seen_.contains(name) || name.starts_with("paper_head."), ErrorKind::Checkpoint, folder_.string(),
              "/expected.safetensors: '", name, "' has no counterpart in this model");
    std::vector<VerifyGroup> result;
    for (const auto& [name, entries] : groups_) result.push_back(summary(name, entries, tolerance));
    return result;
  }

 private:
  struct Entry {
    std::string name;
    Tensor expected, difference;
  };

  Model load(Head head = Head::Transformers) const {
    ModelOptions options;
    options.load.dtype = dtype_;
    options.build.num_labels = num_labels_;
    options.build.head = head;
    return load_model(checkpoint_, options);
  }

  Tensor logits(const Model& model, Observer* observer = nullptr) const {
    Pass pass;
    pass.rows = packed_.rows;
    pass.observer = observer;
    pass.float32_steps = dtype_ == torch::kFloat64 && !is_float64_throughout_;
    return model.forward(packed_.inputs, pass);
  }

  Tensor loss(const Tensor& logits, at::Reduction::Reduction reduction) const {
    return at::cross_entropy_loss(logits, packed_.labels, {}, reduction);
  }

  // `tokens_packed`: found is [N, D], expected [B, T', D] with T' >= T (Longformer pads to its window); only real
  // tokens are compared.
  void compare(const std::string& group, const std::string& name, const Tensor& found, bool tokens_packed = false) {
    const auto place = expected_.find(name);
    require(place != expected_.end(), ErrorKind::Checkpoint, folder_.string(), "/expected.safetensors: no tensor '",
            name, "'");
    seen_.insert(name);
    Tensor expected = place->second;
    if (tokens_packed && packed_.row.defined()) expected = expected.index({packed_.row, packed_.column});
    const auto flat = found.defined() ? found.detach().to(torch::kFloat64) : torch::zeros_like(expected);
    require(flat.numel() == expected.numel(), ErrorKind::Checkpoint, folder_.string(), "/expected.safetensors: '", name,
            "' has another size than this model gives");
    groups_[group].push_back({name, expected, (flat.reshape(expected.sizes()) - expected).abs()});
  }

  void forward_and_backward() {
    const auto model = load();
    NormInputs observer;
    const auto result = logits(model, &observer);
    const auto total = loss(result, at::Reduction::Sum);
    total.backward();
    compare("logits", "logits", result);
    compare("loss", "loss_sum", total);
    for (const auto& parameter : model.parameters.all())
      compare("param_grad", "param_grad." + parameter->name, parameter->value.grad());
    for (const auto& [name, input] : observer.inputs) {
      compare("norm_input", "norm_input." + name, input, true);
      compare("norm_input_grad", "norm_input_grad." + name, input.grad(), true);
    }
  }

  void removed(const std::string& layers) {
    auto model = load();
    for (const auto& norm :
         select_norms(model.norms, model.network.num_hidden_layers, parse_layer_selection(layers), {}))
      intervention("remove_affine").apply(*norm, {model.parameters});
    compare("removed_" + layers, "removed_" + layers + ".logits", logits(model));
  }

  void paper_head() {
    const auto model = load(Head::Paper);
    // What the checkpoint did not give is the study's new head; the fixture says which values it had.
    torch::NoGradGuard no_grad;
    for (const auto& parameter : model.parameters.all()) {
      const auto name = parameter->name;
      std::string key = "paper_head.weight";
      for (const auto* suffix : {"pooler.dense.weight", "pooler.dense.bias"})
        if (name.ends_with(suffix)) key = std::string("paper_head.") + suffix;
      const bool is_head = name == "classifier.weight" || name == "score.weight" || key != "paper_head.weight";
      if (is_head && expected_.contains(key)) parameter->value.copy_(expected_.at(key));
    }
    compare("paper_head", "paper_head.logits", logits(model));
  }

  void adamw_curve() {
    const auto model = load();
    FlatParameters parameters(model.parameters);
    const auto optimizer = make_optimizer({}, parameters);
    const int64_t steps = expected_.at("adamw_curve.loss").numel();
    std::vector<double> curve;
    for (int64_t step = 0; step < steps; ++step) {
      parameters.clear_gradients();
      const auto mean = loss(logits(model), at::Reduction::Mean);
      curve.push_back(mean.item<double>());
      mean.backward();
      optimizer->step(1e-3, 1);
    }
    compare("adamw_curve", "adamw_curve.loss", torch::tensor(curve, torch::kFloat64));
  }

  static VerifyGroup summary(const std::string& name, const std::vector<Entry>& entries, double tolerance) {
    const auto largest = [](const Tensor& x) { return x.numel() == 0 ? 0.0 : x.abs().max().item<double>(); };
    double group_scale = 0;
    for (const auto& entry : entries) group_scale = std::max(group_scale, largest(entry.expected));
    VerifyGroup group{name, static_cast<int64_t>(entries.size()), 0, "", true};
    for (const auto& entry : entries) {
      const double scale = std::max({largest(entry.expected), 1e-3 * group_scale, 1e-300});
      const double error = largest(entry.difference) / scale;
      if (error >= group.max_relative_error || group.worst.empty()) {
        group.max_relative_error = error;
        group.worst = entry.name;
      }
      group.passed = group.passed && error <= tolerance;  // false for NaN
    }
    return group;
  }

  std::filesystem::path folder_;
  torch::ScalarType dtype_;
  Checkpoint checkpoint_;
  Tensors expected_;
  PackedInputs packed_;
  bool is_float64_throughout_;
  int64_t num_labels_ = 0;
  std::set<std::string> seen_;
  std::map<std::string, std::vector<Entry>> groups_;
};

}  // namespace

VerifyResult verify_fixture(const std::filesystem::path& folder, torch::ScalarType dtype, double tolerance) {
  VerifyResult result{folder.filename().string(), dtype, tolerance, Verification(folder, dtype).run(tolerance), true};
  for (const auto& group : result.groups) result.passed = result.passed && group.passed;
  return result;
}

}  // namespace normscope
