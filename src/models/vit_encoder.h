// The patch embeddings and encoder layers that ViT, DeiT and ViT-MSN share.
#pragma once
#include "models/transformer.h"

namespace normscope {

struct VitVariant {
  std::string body;                     // prefix of the encoder's parameters
  bool has_distillation_token = false;  // a second special token after [CLS]; its head is unused here
  double default_eps = 1e-12;
  bool draws_tokens = false;  // [CLS] and positions start as N(0, initializer_range), else at zero
};

// [CLS] after the final norm -> linear with bias; the study's head is the same one (study.md 2.4).
// Source: transformers models/vit/modeling_vit.py, ViTForImageClassification.
Network vit_network(const ConfigReader& config, const Scope& root, const BuildOptions& options,
                    const VitVariant& variant);

}  // namespace normscope
