// The interventions, one row each.
#include <string>

#include "core/error.h"
#include "interventions/fold.h"
#include "interventions/intervention.h"

namespace normscope {
namespace {

using Reason = std::optional<std::string>;
using Context = const InterventionContext&;

Reason no_weight(const Norm& norm) { return norm.weight() ? Reason() : "has no scale"; }
Reason no_bias(const Norm& norm) { return norm.bias() ? Reason() : "has no shift"; }

template <auto biases>
Reason no_linear_bias(const Norm& norm) {
  if (!biases(norm.sublayer_biases()).empty()) return std::nullopt;
  return norm.site().layer < 0 ? "stands outside the blocks (norm.layers = \"blocks\" leaves it out)"
                               : "belongs to linear maps without bias";
}

template <NormKind kind>
Reason is_already(const Norm& norm) {
  return norm.kind() == kind ? Reason(std::string("is ") + kind_name(kind) + " already") : Reason();
}

template <NormKind kind>
void replace(Norm& norm, Context context) {
  norm.replace(kind, context.parameters);
}

using Biases = std::vector<ParameterPtr>;
Biases all(const SublayerBiases& of) { return of.all(); }
Biases inputs(const SublayerBiases& of) { return of.inputs; }
Biases outputs(const SublayerBiases& of) { return of.outputs; }

// A bias of zeros that nothing trains is a bias that is not there.
template <auto biases>
void remove_linear_bias(Norm& norm, Context context) {
  for (const auto& bias : biases(norm.sublayer_biases())) {
    context.parameters.remove(bias);
    bias->value = torch::zeros_like(bias->value.detach());
  }
}

constexpr Intervention kInterventions[] = {
    {"remove_affine", "removed", "deletes the scale w and shift b, keeps the normalisation (the study's removal)",
     [](Norm& norm, Context c) { norm.remove_affine(c.parameters); }},
    {"remove_weight", "without scale", "deletes w only",
     [](Norm& norm, Context c) { norm.remove_weight(c.parameters); }, no_weight},
    {"remove_bias", "without shift", "deletes b only", [](Norm& norm, Context c) { norm.remove_bias(c.parameters); },
     no_bias},
    {"freeze", "frozen", "keeps the checkpoint's w and b and trains them no further",
     [](Norm& norm, Context c) { norm.freeze(c.parameters); }},
    {"reset", "reset", "starts w at 1 and b at 0 and trains them: removal's starting point without removal",
     [](Norm& norm, Context) { norm.reset(); }, nullptr, PutBack::Nothing},
    {"interpolate", "interpolated", "moves w towards 1 and b towards 0 by norm.alpha (1: reset) and trains them",
     [](Norm& norm, Context c) { norm.interpolate(c.alpha); }, nullptr, PutBack::Nothing, true},
    {"fold", "folded",
     "moves w and b into the linear maps that read the norm (Pre-LN): same function, fewer parameters",
     [](Norm& norm, Context c) { fold(norm, c.parameters); }, why_not_foldable, PutBack::AtIdentity},
    {"to_rms_norm", "as RMSNorm", "w * x / sqrt(mean(x^2) + eps): no mean is subtracted, b is gone, w stays",
     replace<NormKind::RMSNorm>, is_already<NormKind::RMSNorm>},
    {"to_layer_norm", "as LayerNorm", "subtracts the mean too; w stays, b is new and starts at 0",
     replace<NormKind::LayerNorm>, is_already<NormKind::LayerNorm>},
    {"to_tanh", "as tanh", "w * tanh(a * x) + b (DyT): a is new and starts at 0.5, w and b stay",
     replace<NormKind::Tanh>, is_already<NormKind::Tanh>},
    {"to_identity", "as identity", "no normalisation and no parameters: the norm's input is its output",
     replace<NormKind::Identity>, is_already<NormKind::Identity>},
    {"remove_linear_bias", "without linear bias",
     "deletes the biases of the attention's or feed-forward layer's linear maps, not the norm's own",
     remove_linear_bias<all>, no_linear_bias<all>},
    {"remove_input_bias", "without input bias",
     "the same of the maps into the layer only: query, key and value; up, gate", remove_linear_bias<inputs>,
     no_linear_bias<inputs>},
    {"remove_output_bias", "without output bias", "the same of the map out of the layer only",
     remove_linear_bias<outputs>, no_linear_bias<outputs>},
};

}  // namespace

std::span<const Intervention> interventions() { return kInterventions; }

const Intervention& intervention(std::string_view name) {
  std::string known;
  for (const auto& row : kInterventions) {
    if (row.name == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error(ErrorKind::Usage, "norm.intervention: '" + std::string(name) + "' is not known; known: " + known);
}

}  // namespace normscope
