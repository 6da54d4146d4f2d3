// What the causal classifiers share besides the forward pass.
#pragma once
#include "models/transformer.h"

namespace normscope {

// "wte" + "wpe", dropout; `positions`: rows of the latter. Source: GPT2Model, GPTNeoModel.
Embed gpt_embeddings(const Scope& body, int64_t vocab_size, int64_t positions, int64_t width, double dropout);

// "score": linear without bias, in transformers' classifier and in the study alike; they draw it differently.
HeadFunction score_head(const Scope& root, int64_t in, const BuildOptions& options);

}  // namespace normscope
