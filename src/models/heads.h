// Classification heads that several architectures share, and the token each row is read at.
#pragma once
#include "models/model.h"

namespace normscope {

// Where each row's first or last token stands: [B] int64.
torch::Tensor first_places(const PackedRows& rows, torch::Device device);
torch::Tensor last_places(const PackedRows& rows, torch::Device device);

// The final norm of a network wired as `wired`: the published one where Pre-LN is published, a new one where a
// Post-LN network is wired as Pre-LN, none in Post-LN, whose last block ends in a norm.
NormPtr final_norm(const Scope& scope, const std::string& name, int64_t size, double eps, Placement wired,
                   NormKind kind = NormKind::LayerNorm);

// pooled: [B, D] -> logits [B, C]
using HeadFunction = Sublayer;

// The study's head: one linear map without bias, drawn as torch.nn.Linear draws it (study.md 2.4).
HeadFunction paper_linear_head(const Scope& root, const std::string& name, int64_t in, int64_t num_labels);

// The study's head on a pooler (dense, tanh) of its own: new where the checkpoint has none.
HeadFunction paper_pooled_head(const Scope& root, const Scope& body, int64_t in, int64_t num_labels);

// dropout, linear with bias.
HeadFunction linear_head(const Scope& root, const std::string& name, int64_t in, int64_t num_labels, double dropout);

// dropout, dense, activation, dropout, out_proj: transformers' RobertaClassificationHead and its kin.
HeadFunction two_layer_head(const Scope& root, int64_t in, int64_t num_labels, double dropout,
                            torch::Tensor (*activation)(const torch::Tensor&));

}  // namespace normscope
