// The study's norm policies, model by model: what the patterns of its scripts matched (study.md 3).
#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "interventions/norm_selector.h"

namespace normscope {
namespace {

using Match = bool (*)(const NormSite& site);

bool every(const NormSite&) { return true; }
bool in_blocks(const NormSite& site) { return site.layer >= 0; }
bool attention(const NormSite& site) { return site.role == NormRole::Attention; }
bool output(const NormSite& site) { return site.role == NormRole::FeedForward; }
// DeBERTa's pattern is "the name lacks 'attention'", which the embedding norm fulfils too.
bool output_and_embedding(const NormSite& site) { return output(site) || site.role == NormRole::Embedding; }

struct Row {
  std::string_view model_type;
  Match all, attention, output;  // null: the scripts have no pattern, or one that matches nothing
};

// early, middle and later are both norms of the blocks in that third, for every model.
constexpr Row kRows[] = {
    {"bert", every, attention, output},
    {"roberta", every, attention, output},
    {"electra", every, attention, output},
    {"longformer", every, attention, output},
    {"distilbert", every, attention, output},
    {"deberta", every, attention, output_and_embedding},
    {"gpt2", every, attention, output},
    {"gpt_neo", every, attention, output},
    {"qwen2", in_blocks, nullptr, nullptr},  // "layernorm" does not match model.norm
    {"roberta-prelayernorm", every, nullptr, nullptr},
    {"vit", every, attention, output},
    {"deit", every, attention, output},
    {"vit_msn", every, attention, output},
};

constexpr const char* kPolicies[] = {"all", "attention", "output", "early", "middle", "later"};

}  // namespace

std::span<const char* const> paper_policies() { return kPolicies; }

std::optional<std::vector<NormPtr>> find_paper_policy(std::string_view model_type, std::span<const NormPtr> norms,
                                                      int64_t num_hidden_layers, const std::string& name) {
  const auto* row = std::ranges::find(kRows, model_type, &Row::model_type);
  if (row == std::end(kRows)) return std::nullopt;
  const Match match = name == "all"         ? row->all
                      : name == "attention" ? row->attention
                      : name == "output"    ? row->output
                                            : in_blocks;
  if (match == nullptr) return std::nullopt;
  const bool by_third = name == "early" || name == "middle" || name == "later";
  std::vector<NormPtr> selected;
  for (const auto& norm : norms)
    if (match(norm->site()) && (!by_third || layer_group(norm->site().layer, num_hidden_layers) == name))
      selected.push_back(norm);
  return selected;
}

std::vector<NormPtr> select_paper_policy(std::string_view model_type, std::span<const NormPtr> norms,
                                         int64_t num_hidden_layers, const std::string& policy) {
  constexpr std::string_view kPrefix = "paper:";
  const std::string name = policy.starts_with(kPrefix) ? policy.substr(kPrefix.size()) : "";
  require(std::ranges::find(kPolicies, name) != std::end(kPolicies), ErrorKind::Usage, "norm.policy: '", policy,
          "' is not known; known: paper:all, paper:attention, paper:output, paper:early, paper:middle, "
          "paper:later");
  auto selected = find_paper_policy(model_type, norms, num_hidden_layers, name);
  require(selected.has_value(), ErrorKind::Usage, "norm.policy: the study's scripts had no pattern for '", policy,
          "' that matches any norm of ", model_type, "; use norm.layers and norm.roles instead");
  return std::move(*selected);
}

}  // namespace normscope
