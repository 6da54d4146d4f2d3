// The study's policies on the architectures themselves.
#include "interventions/norm_selector.h"
#include "models/edited_checkpoint.h"

namespace normscope {
namespace {

struct Counts {
  const char* fixture;
  size_t all, early, attention, output;  // 0: the study has no such policy for it
};

// Three layers each. Source: study.md 3.
constexpr Counts kPolicies[] = {
    {"bert", 7, 2, 3, 3},       {"roberta", 7, 2, 3, 3},
    {"electra", 7, 2, 3, 3},    {"longformer", 7, 2, 3, 3},
    {"distilbert", 7, 2, 3, 3}, {"deberta", 7, 2, 3, 4},
    {"gpt2", 7, 2, 3, 3},       {"gpt_neo", 7, 2, 3, 3},
    {"qwen2", 6, 2, 0, 0},      {"roberta_prelayernorm", 8, 2, 0, 0},
};

TEST(PaperPolicies, TouchTheNormsThatTheScriptsMatched) {
  for (const auto& expected : kPolicies) {
    const auto model = load_model(open_checkpoint(model_fixture(expected.fixture).string()), exact_options());
    const auto count = [&](const char* policy) -> size_t {
      const auto norms = find_paper_policy(model.architecture->model_type, model.norms, 3, policy);
      return norms ? norms->size() : 0;
    };
    EXPECT_EQ(count("all"), expected.all) << expected.fixture;
    for (const auto* third : {"early", "middle", "later"}) EXPECT_EQ(count(third), expected.early) << expected.fixture;
    EXPECT_EQ(count("attention"), expected.attention) << expected.fixture;
    EXPECT_EQ(count("output"), expected.output) << expected.fixture;
  }
}

}  // namespace
}  // namespace normscope
