// Classification heads that several architectures share, and the token each row is read at.
#pragma once
#include "models/model.h"

namespace normscope {

// x: [N, D] -> [B, D]
torch::Tensor first_tokens(const torch::Tensor& x, const PackedRows& rows);
torch::Tensor last_tokens(const torch::Tensor& x, const PackedRows& rows);

// pooled: [B, D] -> logits [B, C]
using HeadFunction = std::function<torch::Tensor(const torch::Tensor& pooled, Pass& pass)>;

// The study's head: one linear map without bias, drawn as torch.nn.Linear draws it (study.md 2.4).
HeadFunction paper_linear_head(const Scope& root, const std::string& name, int64_t in, int64_t num_labels);

// dropout, linear with bias.
HeadFunction linear_head(const Scope& root, const std::string& name, int64_t in, int64_t num_labels,
                         double dropout);

// dropout, dense, activation, dropout, out_proj: transformers' RobertaClassificationHead and its kin.
HeadFunction two_layer_head(const Scope& root, int64_t in, int64_t num_labels, double dropout,
                            torch::Tensor (*activation)(const torch::Tensor&));

}  // namespace normscope
