// Claims about gradients, drift and placement, judged from studies whose numbers were made to decide them.
#include <gtest/gtest.h>

#include <cmath>

#include "reports/row_outcomes.h"
#include "reports/synthetic_study.h"
#include "reports/verdicts.h"

namespace normscope {
namespace {

struct NormNumbers {
  double learning = 8, memorization = 1;  // of the first block; both halve with every block
  double gain_ratio = 1.02, drift = 0.1;
  double sigma = 1;  // of the first block, against 1 elsewhere
  double fall = 0.5;
};

class NormClaimsTest : public ReportFolder {
 protected:
  // Twelve blocks of two norms, measured at the last epoch and at the one before.
  static void add_run(RunStore& store, SyntheticRun spec, const NormNumbers& numbers) {
    const int64_t epochs = spec.epochs;
    spec.epochs = 0;
    spec.state = RunState::Running;
    add_synthetic_run(store, spec);
    const std::string id = spec.model + "-" + spec.selection + "-seed" + std::to_string(spec.seed);
    RandomStream random(static_cast<uint64_t>(spec.seed), id);
    for (int64_t epoch = 1; epoch <= epochs; ++epoch) {
      auto metrics = synthetic_epoch(spec, epoch, random);
      std::vector<Reading> readings;
      for (int64_t layer = 0; layer < 12; ++layer) {
        for (const char* role : {"attention", "feed_forward"}) {
          const double depth = std::pow(numbers.fall, static_cast<double>(layer)), noise = 1 + 0.01 * random.normal();
          const double sigma = layer == 0 ? numbers.sigma : 1;
          const auto add = [&](const char* split, const char* metric, double value) {
            readings.push_back({epoch, split, metric, layer, role, value});
          };
          add("learning", "gradient_norm", numbers.learning * depth * noise);
          add("memorization", "gradient_norm", numbers.memorization * depth);
          add("learning", "gradient_scale_free", numbers.learning * depth * sigma * noise);
          add("learning", "gradient_gain", numbers.gain_ratio * depth * noise);
          add("memorization", "gradient_gain", depth);
          if (spec.selection != "early" || layer >= 4) add("train", "weight_drift", numbers.drift * noise);
        }
      }
      store.add_epoch(id, metrics, readings, {});
    }
    store.set_state(id, RunState::Done);
  }
  static std::vector<ClaimVerdict> of_claim(const RunStore& store, const std::string& id) {
    auto verdicts = judge(load_study(store));
    std::erase_if(verdicts, [&](const auto& verdict) { return verdict.claim.id != id; });
    return verdicts;
  }
};

TEST_F(NormClaimsTest, GradientsOfIntactRunsDecideTheorems) {
  auto store = make_store();
  for (const int64_t seed : {28, 64, 89})
    add_run(store, {.model = "gpt-neo-125M", .placement = "pre_norm", .seed = seed, .epochs = 4},
            {.gain_ratio = 1, .sigma = 0.01, .fall = 0.45});
  const auto learning = of_claim(store, "C4");
  ASSERT_EQ(learning.size(), 1u) << "of single runs, so there is no matched point";
  EXPECT_EQ(learning[0].verdict, Verdict::Supported);
  EXPECT_NEAR(learning[0].finding.effect, 8, 0.3) << "the smallest ratio";
  EXPECT_EQ(learning[0].finding.note, "smallest of 24 norms");
  EXPECT_EQ(of_claim(store, "C4b").at(0).verdict, Verdict::Contradicted) << "kappa is alike";
  const auto depth = of_claim(store, "C5");
  ASSERT_EQ(depth.size(), 2u);
  EXPECT_EQ(depth[0].verdict, Verdict::Supported);
  const auto first = of_claim(store, "C5b");
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].verdict, Verdict::Supported) << "55 % raw";
  EXPECT_NEAR(first[0].finding.effect, 55, 1);
  EXPECT_EQ(first[1].verdict, Verdict::Contradicted) << "the spike is the embedding's scale";
  EXPECT_LT(first[1].finding.effect, 5);
}

TEST_F(NormClaimsTest, RemainingNormsAreComparedWithTheIntactTwins) {
  auto store = make_store();
  for (const int64_t seed : {28, 64, 89}) {
    add_run(store, {.seed = seed, .epochs = 4}, {});
    add_run(store, {.selection = "early", .seed = seed, .epochs = 4}, {.learning = 16, .drift = 0.05});
  }
  const auto verdicts = of_claim(store, "C6");
  ASSERT_EQ(verdicts.size(), 4u) << "two quantities at two points";
  for (const auto& verdict : verdicts) {
    const bool is_drift = verdict.claim.quantity.starts_with("drift");
    EXPECT_EQ(verdict.verdict, is_drift ? Verdict::Contradicted : Verdict::Supported) << verdict.claim.quantity;
    EXPECT_NEAR(verdict.finding.effect, is_drift ? -50 : 100, 2) << verdict.claim.quantity;
  }
  EXPECT_TRUE(of_claim(store, "C5b").empty()) << "of Pre-LN models only";
}

TEST_F(NormClaimsTest, TwoSeedsDecideNothing) {
  auto store = make_store();
  for (const int64_t seed : {28, 64}) add_run(store, {.seed = seed, .epochs = 2}, {});
  for (const char* id : {"C4", "C4b", "C5"}) EXPECT_EQ(of_claim(store, id).at(0).verdict, Verdict::TooFew) << id;
}

class PlacementTest : public ReportFolder {};

// How a run says which wiring of the network it has.
using TellPlacement = void (*)(normscope::Run& run, const std::string& placement);

// Pre-LN loses 20 points of accuracy when its norms are removed, Post-LN 1; memorization is the same everywhere.
void add_twins(RunStore& store, TellPlacement tell) {
  for (const int64_t seed : {28, 64, 89})
    for (const auto& [placement, lost] : {std::pair{"pre_norm", 20.0}, {"post_norm", 1.0}}) {
      for (const char* selection : {"none", "all"}) {
        SyntheticRun spec{"bert", placement, selection, seed, 12, selection[0] == 'a' ? 92 - lost : 92};
        normscope::Run run;
        run.id = std::string(placement) + selection + std::to_string(seed);
        run.epochs = spec.epochs;
        run.seed = seed;
        run.model = spec.model;
        run.placement = placement;
        run.norm_selection = selection;
        run.recipe = recipe_of(spec);
        tell(run, placement);
        run.facts.dataset = "emotions";
        run.facts.noisy_rows = 60;
        store.create_run(run);
        RandomStream random(static_cast<uint64_t>(seed), run.id);
        for (int64_t epoch = 1; epoch <= spec.epochs; ++epoch) {
          auto metrics = synthetic_epoch(spec, epoch, random);
          metrics.memorization = 90 + static_cast<double>(seed % 3);
          store.add_epoch(run.id, metrics, {}, {});
        }
        store.set_state(run.id, RunState::Running);
        store.set_state(run.id, RunState::Done);
      }
    }
}

size_t expect_contrasts(const RunStore& store) {
  size_t contrasts = 0;
  for (const auto& verdict : judge(load_study(store))) {
    if (verdict.claim.id != "C7") continue;
    ++contrasts;
    const bool is_accuracy = verdict.claim.quantity.find("accuracy") != std::string::npos;
    if (is_accuracy) {
      EXPECT_EQ(verdict.verdict, Verdict::Supported);
      EXPECT_NEAR(verdict.finding.effect, -19, 1.5);
    } else {
      EXPECT_EQ(verdict.verdict, Verdict::Contradicted) << "memorization is the same in all";
    }
  }
  return contrasts;
}

void add_setting(std::string& recipe, const std::string& line) {
  recipe.insert(recipe.find("\n\n[data]"), "\n" + line);
}

TEST_F(PlacementTest, TwinsOfOneRecipeAreContrasted) {
  auto store = make_store();
  add_twins(store, [](normscope::Run& run, const std::string& placement) {
    add_setting(run.recipe, "placement = \"" + placement + "\"");
  });
  EXPECT_EQ(expect_contrasts(store), 4u);
}

void tell_by_checkpoint(normscope::Run& run, const std::string& placement) {
  const std::string checkpoint = "models/" + run.model;
  run.facts.checkpoint_recipe = recipe_of({});
  add_setting(run.facts.checkpoint_recipe, "placement = \"" + placement + "\"");
  run.recipe.replace(run.recipe.find(checkpoint), checkpoint.size(), "runs/pretraining/runs/" + placement);
}

TEST_F(PlacementTest, CheckpointsWhosePretrainingDiffersInThePlacementAloneAreTwins) {
  auto store = make_store();
  add_twins(store, tell_by_checkpoint);
  EXPECT_EQ(expect_contrasts(store), 4u);

  auto others = RunStore::open(folder_ / "others.db");
  add_twins(others, [](normscope::Run& run, const std::string& placement) {
    tell_by_checkpoint(run, placement);
    if (placement == "pre_norm") add_setting(run.facts.checkpoint_recipe, "head = \"paper\"");
  });
  EXPECT_EQ(expect_contrasts(others), 0u) << "pretrained otherwise";
  auto unknown = RunStore::open(folder_ / "unknown.db");
  add_twins(unknown, [](normscope::Run& run, const std::string& placement) {
    tell_by_checkpoint(run, placement);
    run.facts.checkpoint_recipe.clear();
  });
  EXPECT_EQ(expect_contrasts(unknown), 0u) << "two checkpoints of which nothing is known";
}

class RowOutcomesTest : public ReportFolder {};

TEST_F(RowOutcomesTest, TheirMeansAreThePercentages) {
  auto store = make_store();
  for (const int64_t seed : {28, 64, 89})
    for (const char* selection : {"none", "all"})
      add_synthetic_run(store, {.selection = selection, .seed = seed, .slowness = selection[0] == 'a' ? 3.0 : 1.0});
  const auto study = load_study(store);
  const auto pairs = find_pairs(study.units.at(0), "all");
  ASSERT_EQ(pairs.size(), 3u);
  for (const auto point : {Point::EqualEpochs, Point::MatchedFit}) {
    const auto reading = read_pair(pairs[0], point);
    const auto memorized = row_differences(pairs[0], reading, RowOutcome::Memorized);
    const auto recovered = row_differences(pairs[0], reading, RowOutcome::Recovered);
    const auto other = row_differences(pairs[0], reading, RowOutcome::Other);
    ASSERT_EQ(memorized.size(), 60u);
    EXPECT_NEAR(mean(memorized), reading.removed.memorization - reading.intact.memorization, 1e-9) << to_text(point);
    EXPECT_NEAR(mean(recovered), reading.removed.recovery - reading.intact.recovery, 1e-9);
    EXPECT_NEAR(mean(memorized) + mean(recovered) + mean(other), 0, 1e-9);
  }
  EXPECT_TRUE(row_outcomes(*pairs[0].intact, RowOutcome::Memorized, 999).empty()) << "beyond the last epoch";
  for (const auto& verdict : judge(study)) {
    if (verdict.claim.id != "C2b" || verdict.point != Point::EqualEpochs) continue;
    const auto& found = verdict.finding;
    EXPECT_LT(found.rows_and_seeds.low, found.effect);
    EXPECT_GT(found.rows_and_seeds.high, found.effect);
    EXPECT_GT(found.rows_and_seeds.high - found.rows_and_seeds.low, found.bootstrap.high - found.bootstrap.low)
        << "rows add to what seeds leave open";
  }
}

}  // namespace
}  // namespace normscope
