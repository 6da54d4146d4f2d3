#include "models/vit_encoder.h"

#include <ATen/ops/linear.h>
#include <ATen/ops/upsample_bicubic2d.h>

#include "core/error.h"
#include "models/bert_encoder.h"

namespace normscope {
namespace {

using torch::Tensor;

// Convolution whose stride is its kernel: each patch is one row of a matrix product; what does not fill a patch at the
// right and at the bottom is left out. pixels: [B, C, H, W] -> [B, patches, D]
Tensor project_patches(const Tensor& pixels, const Linear& projection, Extent patch) {
  const int64_t B = pixels.size(0), C = pixels.size(1);
  const int64_t rows = pixels.size(2) / patch.height, columns = pixels.size(3) / patch.width;
  const auto patches = pixels.narrow(2, 0, rows * patch.height)
                           .narrow(3, 0, columns * patch.width)
                           .reshape({B, C, rows, patch.height, columns, patch.width})
                           .permute({0, 2, 4, 1, 3, 5})
                           .reshape({B, rows * columns, C * patch.height * patch.width});
  return at::linear(patches, projection.weight->value.flatten(1), projection.bias->value);
}

// positions: [1, special + patches, D], its patches stretched from the published grid to that of the picture.
Tensor interpolate(const Tensor& positions, int64_t special, Extent from, Extent to) {
  const int64_t D = positions.size(2);
  const auto grid = positions.slice(1, special).reshape({1, from.height, from.width, D}).permute({0, 3, 1, 2});
  const auto stretched = at::upsample_bicubic2d(grid, {to.height, to.width}, /*align_corners=*/false);
  return torch::cat({positions.slice(1, 0, special), stretched.permute({0, 2, 3, 1}).reshape({1, -1, D})}, 1);
}

// Special tokens and patches plus positions, dropout. The number of tokens a row is the picture's affair, so the packed
// rows of the pass are set here.
Embed patch_embeddings(const ConfigReader& config, const Scope& scope, const VitVariant& variant,
                       bool interpolates_positions) {
  const int64_t D = config.size("hidden_size"), C = config.size("num_channels", 3);
  const Extent image = config.extent("image_size"), patch = config.extent("patch_size");
  const Extent grid = {image.height / patch.height, image.width / patch.width};
  require(grid.height > 0 && grid.width > 0, ErrorKind::Checkpoint,
          "config.json: patch_size is larger than image_size");
  const int64_t special = variant.has_distillation_token ? 2 : 1;
  const auto init = variant.draws_tokens ? Init::normal(scope.initializer_range()) : Init::zeros();

  std::vector<ParameterPtr> tokens = {scope.parameter("cls_token", {1, 1, D}, init)};
  if (variant.has_distillation_token) tokens.push_back(scope.parameter("distillation_token", {1, 1, D}, init));
  const auto positions = scope.parameter("position_embeddings", {1, special + grid.height * grid.width, D}, init);
  const auto at_patches = scope / "patch_embeddings.projection";
  const Linear projection = {
      at_patches.parameter("weight", {D, C, patch.height, patch.width}, Init::normal(scope.initializer_range())),
      at_patches.parameter("bias", {D}, Init::zeros())};
  const double p = config.dropout("hidden_dropout_prob", 0);

  return [=](const Inputs& in, Pass& pass) {
    const auto& pixels = in.pixel_values;
    const Extent size = {pixels.size(2), pixels.size(3)};
    require(pixels.size(1) == C, ErrorKind::Data, "the model reads ", C, " channels, the pictures have ",
            pixels.size(1));
    const bool fits = size.height == image.height && size.width == image.width;
    require(fits || interpolates_positions, ErrorKind::Data, "the model reads pictures of ", image.width, "x",
            image.height, ", not of ", size.width, "x", size.height,
            "; change preprocessor_config.json, or set model.interpolate_pos_encoding = true");
    const Extent places = {size.height / patch.height, size.width / patch.width};
    require(places.height > 0 && places.width > 0, ErrorKind::Data, "pictures of ", size.width, "x", size.height,
            " are smaller than a patch");
    const int64_t B = pixels.size(0), T = special + places.height * places.width;

    std::vector<Tensor> parts;
    for (const auto& token : tokens) parts.push_back(token->value.expand({B, 1, D}));
    parts.push_back(project_patches(pixels, projection, patch));
    const auto embedded =
        torch::cat(parts, 1) + (fits ? positions->value : interpolate(positions->value, special, grid, places));
    pass.rows = {};
    for (int64_t row = 0; row < B; ++row) pass.rows.append(T);
    return dropout(embedded.reshape({B * T, D}), p, pass);
  };
}

Sublayer vit_attention(const ConfigReader& config, const Scope& attention) {
  const int64_t D = config.size("hidden_size");
  const bool has_bias = config.flag("qkv_bias", true);
  const auto maps = attention / "attention";
  return self_attention(
      maps.linear("query", D, D, has_bias), maps.linear("key", D, D, has_bias), maps.linear("value", D, D, has_bias),
      attention.linear("output.dense", D, D),
      attention_shape(config, "hidden_size", "num_attention_heads", config.dropout("attention_probs_dropout_prob", 0)));
}

}  // namespace

Network vit_network(const ConfigReader& config, const Scope& root, const BuildOptions& options,
                    const VitVariant& variant) {
  const auto body = root / variant.body;
  const int64_t D = config.size("hidden_size");
  const double eps = config.number("layer_norm_eps", variant.default_eps);
  Transformer parts;
  parts.placement = *options.placement;
  parts.embed = patch_embeddings(config, body / "embeddings", variant, options.interpolates_positions);
  for (int i = 0; i < config.size("num_hidden_layers"); ++i) {
    const auto layer = body.block("encoder.layer", i);
    parts.blocks.push_back(bert_block(config, layer, vit_attention(config, layer / "attention"),
                                      {"layernorm_before", "layernorm_after"}, variant.default_eps, 0));
  }
  parts.final_norm = final_norm(body, "layernorm", D, eps, parts.placement);
  parts.head = linear_head(root, "classifier", D, options.num_labels, 0);
  return transformer_network(std::move(parts));
}

}  // namespace normscope
