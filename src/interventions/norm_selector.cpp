#include "interventions/norm_selector.h"

#include <algorithm>

#include "core/error.h"

namespace normscope {
namespace {

bool in_layers(const LayerSelection& layers, const NormSite& site, int64_t num_hidden_layers) {
  switch (layers.kind) {
    case LayerSelection::Kind::None:
      return false;
    case LayerSelection::Kind::All:
      return true;
    default:
      return site.layer >= 0 && layers.contains(site.layer, num_hidden_layers);
  }
}

}  // namespace

std::vector<NormPtr> select_norms(std::span<const NormPtr> norms, int64_t num_hidden_layers,
                                  const LayerSelection& layers, std::span<const std::string> roles) {
  constexpr NormRole kRoles[] = {NormRole::Embedding, NormRole::Attention, NormRole::FeedForward, NormRole::Final};
  for (const auto& role : roles)
    require(std::ranges::any_of(kRoles, [&](NormRole known) { return role == role_name(known); }), ErrorKind::Usage,
            "norm.roles: '", role, "' is not a role; known: embedding, attention, feed_forward, final");
  check_layer_selection(layers, num_hidden_layers);
  std::vector<NormPtr> selected;
  for (const auto& norm : norms) {
    const bool has_role = roles.empty() || std::ranges::find(roles, role_name(norm->site().role)) != roles.end();
    if (has_role && in_layers(layers, norm->site(), num_hidden_layers)) selected.push_back(norm);
  }
  return selected;
}

std::string layer_group(int layer, int64_t num_hidden_layers) {
  if (layer < 0) return "";
  const int64_t third = num_hidden_layers / 3;
  return layer < third ? "early" : layer < 2 * third ? "middle" : "later";
}

}  // namespace normscope
