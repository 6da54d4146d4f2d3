// Which norms each selection and each policy of the study touches.
#include "interventions/norm_selector.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "interventions/intervention.h"

namespace normscope {
namespace {

// An encoder of `layers` blocks with an embedding norm and, when asked, a final one.
std::vector<NormPtr> norms_of(int layers, bool has_final) {
  std::vector<NormPtr> norms;
  const auto add = [&](const std::string& name, int layer, NormRole role) {
    norms.push_back(
        std::make_shared<Norm>(NormSite{name, layer, role}, NormKind::LayerNorm, nullptr, nullptr, 4, 1e-5));
  };
  add("embeddings", -1, NormRole::Embedding);
  for (int i = 0; i < layers; ++i) {
    add("attention." + std::to_string(i), i, NormRole::Attention);
    add("output." + std::to_string(i), i, NormRole::FeedForward);
  }
  if (has_final) add("final", -1, NormRole::Final);
  return norms;
}

size_t selected(const std::vector<NormPtr>& norms, int64_t layers, const std::string& words,
                const std::vector<std::string>& roles = {}) {
  return select_norms(norms, layers, parse_layer_selection(words), roles).size();
}

TEST(NormSelector, AllHasEmbeddingAndFinalAndTheGroupsDoNot) {
  const auto norms = norms_of(12, true);
  EXPECT_EQ(selected(norms, 12, "none"), 0u);
  EXPECT_EQ(selected(norms, 12, "all"), 26u);
  EXPECT_EQ(selected(norms, 12, "blocks"), 24u);
  for (const auto* group : {"early", "middle", "later"}) EXPECT_EQ(selected(norms, 12, group), 8u) << group;
  EXPECT_EQ(selected(norms, 12, "0-3,7"), 10u);
}

TEST(NormSelector, TheRemainderOfThirdsGoesToLater) {
  const auto norms = norms_of(8, false);
  EXPECT_EQ(selected(norms, 8, "early"), 4u);
  EXPECT_EQ(selected(norms, 8, "middle"), 4u);
  EXPECT_EQ(selected(norms, 8, "later"), 8u);
}

TEST(NormSelector, RolesNarrow) {
  const auto norms = norms_of(6, true);
  EXPECT_EQ(selected(norms, 6, "all", {"attention"}), 6u);
  EXPECT_EQ(selected(norms, 6, "all", {"embedding", "final"}), 2u);
  EXPECT_EQ(selected(norms, 6, "early", {"feed_forward"}), 2u);
  EXPECT_EQ(selected(norms, 6, "blocks", {"final"}), 0u);
  EXPECT_THROW(selected(norms, 6, "all", {"attn"}), Error);
  EXPECT_THROW(selected(norms, 6, "0-6"), Error);
}

struct Policy {
  const char* model_type;
  bool has_final;
  int64_t layers;
  const char* name;
  int norms;  // -1: the scripts had no pattern
};

// study.md section 3, at the models' real depths. GPT-2, GPT-Neo and the ViTs have no embedding norm, Qwen2 neither.
TEST(PaperPolicies, MatchWhatTheStudyMatched) {
  const Policy policies[] = {
      {"bert", false, 12, "all", 25},
      {"bert", false, 12, "attention", 12},
      {"bert", false, 12, "output", 12},
      {"bert", false, 12, "early", 8},
      {"distilbert", false, 6, "all", 13},
      {"distilbert", false, 6, "later", 4},
      {"deberta", false, 12, "output", 13},
      {"deberta", false, 12, "middle", 8},
      {"roberta-prelayernorm", true, 24, "all", 50},
      {"roberta-prelayernorm", true, 24, "attention", -1},
      {"roberta-prelayernorm", true, 24, "early", 16},
  };
  for (const auto& p : policies) {
    const auto found =
        find_paper_policy(p.model_type, norms_of(static_cast<int>(p.layers), p.has_final), p.layers, p.name);
    EXPECT_EQ(found ? static_cast<int>(found->size()) : -1, p.norms) << p.model_type << " " << p.name;
  }
}

TEST(PaperPolicies, WithoutEmbeddingNorm) {
  auto norms = norms_of(24, true);
  norms.erase(norms.begin());
  EXPECT_EQ(find_paper_policy("gpt2", norms, 24, "all")->size(), 49u);
  EXPECT_EQ(find_paper_policy("gpt2", norms, 24, "early")->size(), 16u);
  EXPECT_EQ(find_paper_policy("qwen2", norms, 24, "all")->size(), 48u) << "the final norm is kept";
  EXPECT_FALSE(find_paper_policy("qwen2", norms, 24, "output").has_value());
  EXPECT_EQ(find_paper_policy("vit", norms, 24, "all")->size(), 49u);
}

TEST(PaperPolicies, SayWhyThereIsNothingToMatch) {
  try {
    select_paper_policy("qwen2", norms_of(3, true), 3, "paper:output");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    EXPECT_NE(std::string(error.what()).find("no pattern for 'paper:output'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(select_paper_policy("bert", norms_of(3, false), 3, "paper:earlier"), Error);
  EXPECT_THROW(intervention("remove_afine"), Error);
}

}  // namespace
}  // namespace normscope
