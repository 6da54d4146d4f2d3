#include "models/decoder.h"

#include "nn/embedding.h"

namespace normscope {

Embed gpt_embeddings(const Scope& body, int64_t vocab_size, int64_t positions, int64_t width, double p) {
  const auto words = body.table("wte", vocab_size, width);
  const auto places = body.table("wpe", positions, width);
  return [=](const Inputs& in, Pass& pass) {
    return dropout(look_up(words, in.input_ids) + look_up(places, in.positions), p, pass);
  };
}

HeadFunction score_head(const Scope& root, int64_t in, const BuildOptions& options) {
  if (options.head == Head::Paper) return paper_linear_head(root, "score", in, options.num_labels);
  const auto map = root.optional().linear("score", in, options.num_labels, false);
  return {[=](const torch::Tensor& last, Pass&) { return map(last); }, {map}};
}

}  // namespace normscope
