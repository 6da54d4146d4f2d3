#include "models/heads.h"

namespace normscope {
namespace {

torch::Tensor on_device(const std::vector<int64_t>& places, torch::Device device) {
  return torch::tensor(places, torch::kInt64).to(device);
}

}  // namespace

torch::Tensor first_places(const PackedRows& rows, torch::Device device) {
  return on_device({rows.offsets.begin(), rows.offsets.end() - 1}, device);
}

torch::Tensor last_places(const PackedRows& rows, torch::Device device) {
  std::vector<int64_t> last(rows.offsets.begin() + 1, rows.offsets.end());
  for (auto& place : last) --place;
  return on_device(last, device);
}

NormPtr final_norm(const Scope& scope, const std::string& name, int64_t size, double eps, Placement wired,
                   NormKind kind) {
  if (wired != Placement::PreNorm) return nullptr;
  return scope.optional_if_rewired().norm(name, size, eps, NormRole::Final, kind);
}

HeadFunction paper_linear_head(const Scope& root, const std::string& name, int64_t in, int64_t num_labels) {
  const auto map = root.optional().linear(name, in, num_labels, false, Init::linear_default(in), Init::zeros());
  return {[=](const torch::Tensor& pooled, Pass&) { return map(pooled); }, {map}};
}

HeadFunction paper_pooled_head(const Scope& root, const Scope& body, int64_t in, int64_t num_labels) {
  const auto pooler = body.optional().linear("pooler.dense", in, in);
  const auto head = paper_linear_head(root, "classifier", in, num_labels);
  return [=](const torch::Tensor& first, Pass& pass) { return head(pooler(first).tanh(), pass); };
}

HeadFunction linear_head(const Scope& root, const std::string& name, int64_t in, int64_t num_labels, double p) {
  const auto map = root.optional().linear(name, in, num_labels);
  return [=](const torch::Tensor& pooled, Pass& pass) { return map(dropout(pooled, p, pass)); };
}

HeadFunction two_layer_head(const Scope& root, int64_t in, int64_t num_labels, double p,
                            torch::Tensor (*activation)(const torch::Tensor&)) {
  const auto dense = root.optional().linear("classifier.dense", in, in);
  const auto out = root.optional().linear("classifier.out_proj", in, num_labels);
  return [=](const torch::Tensor& pooled, Pass& pass) {
    return out(dropout(activation(dense(dropout(pooled, p, pass))), p, pass));
  };
}

}  // namespace normscope
