// Which rows and labels each set of measured gradients stands for, and what a run stores of them.
#include "experiments/measure.h"

#include <set>

#include "core/statistics.h"
#include "models/edited_checkpoint.h"

namespace normscope {
namespace {

class MeasureTest : public testing::Test {
 protected:
  MeasureTest() : model_(load_model(open_checkpoint(model_fixture("bert").string()), exact_options())) {
    for (int64_t i = 0; i < 12; ++i) {
      train_.input_ids.push_back({5 + i, 6 + i, 7});
      train_labels_.push_back(static_cast<int>(i % 5));
      if (i < 6) {
        test_.input_ids.push_back({40 + i, 41});
        test_labels_.push_back(static_cast<int>((i + 2) % 5));
      }
    }
    for (const int64_t row : {7, 2, 9})
      noise_.push_back({row, row, static_cast<int>((row + 1) % 5), static_cast<int>(row % 5)});
    options_.has_attention = false;
  }

  Measured measure() const { return measure_norms(model_, data(), options_); }
  MeasuredData data() const { return {test_, train_, test_labels_, train_labels_, noise_}; }

  // The loss of one row, from a pass of its own.
  double loss(const std::vector<int64_t>& ids, int label) const {
    torch::NoGradGuard no_grad;
    return -logits_of(model_, rows_of({ids})).log_softmax(1)[0][label].item<double>();
  }

  Model model_;
  TokenRows train_, test_;
  std::vector<int> train_labels_, test_labels_;
  std::vector<NoisyRow> noise_;
  MeasureOptions options_;
};

TEST_F(MeasureTest, EverySetHasItsRowsAndLabels) {
  const auto measured = measure();
  std::vector<std::string> names;
  for (const auto& set : measured.gradients) names.push_back(set.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"learning", "random_labels", "memorization", "noisy_true", "train_clean"}));
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(measured.find("learning")->loss[i], loss(test_.input_ids[i], test_labels_[i]), 1e-9);
    // Some wrong label's loss, never the true one's.
    std::set<int> alike;
    for (int label = 0; label < 5; ++label)
      if (std::abs(measured.find("random_labels")->loss[i] - loss(test_.input_ids[i], label)) < 1e-9)
        alike.insert(label);
    EXPECT_EQ(alike.size(), 1u);
    EXPECT_FALSE(alike.contains(test_labels_[i]));
  }
  for (size_t i = 0; i < 3; ++i) {
    const auto& ids = train_.input_ids[static_cast<size_t>(noise_[i].row)];
    EXPECT_NEAR(measured.find("memorization")->loss[i], loss(ids, noise_[i].given_label), 1e-9);
    EXPECT_NEAR(measured.find("noisy_true")->loss[i], loss(ids, noise_[i].true_label), 1e-9);
  }
  // As many clean rows as test rows, none of them noisy.
  const auto& clean = measured.find("train_clean")->loss;
  ASSERT_EQ(clean.size(), 6u);
  std::set<double> possible;
  for (size_t row = 0; row < 12; ++row)
    if (row != 7 && row != 2 && row != 9) possible.insert(loss(train_.input_ids[row], train_labels_[row]));
  for (const double value : clean)
    EXPECT_TRUE(std::ranges::any_of(possible, [&](double of) { return std::abs(of - value) < 1e-9; }));
}

TEST_F(MeasureTest, RowsAreChosenBySeed) {
  options_.most_rows = 2;
  const auto a = measure(), b = measure();
  for (size_t i = 0; i < a.gradients.size(); ++i) {
    EXPECT_EQ(a.gradients[i].loss.size(), 2u);
    EXPECT_EQ(a.gradients[i].loss, b.gradients[i].loss);
  }
  std::set<std::vector<double>> found;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    options_.seed = seed;
    found.insert(measure().find("learning")->loss);
  }
  EXPECT_GT(found.size(), 1u);
}

TEST_F(MeasureTest, NoNoiseLeavesLearningAndCleanRows) {
  noise_.clear();
  const auto measured = measure();
  EXPECT_EQ(measured.find("memorization"), nullptr);
  EXPECT_NE(measured.find("train_clean"), nullptr);
  const auto theorem = first_theorem(measured, options_.seed);
  EXPECT_TRUE(theorem.norms.empty());
  EXPECT_EQ(theorem.verdict, TheoremVerdict::AssumptionNotMet);
}

TEST_F(MeasureTest, ReadingsAreTheMeans) {
  const auto measured = measure();
  const auto readings = readings_of(measured, 1);
  const auto value = [&](const std::string& split, const std::string& metric, std::optional<int64_t> layer,
                         const std::string& role) {
    for (const auto& r : readings)
      if (r.split == split && r.metric == metric && r.layer == layer && r.role == role) return r.value;
    return std::nan("");
  };
  const auto& norms = measured.find("memorization")->norms;
  EXPECT_DOUBLE_EQ(value("memorization", "gradient_norm", 0, "attention"), mean(norms[1].total));
  EXPECT_DOUBLE_EQ(value("memorization", "gradient_gain", std::nullopt, "embedding"), mean(norms[0].gain));
  EXPECT_DOUBLE_EQ(value("noisy", "sigma", 2, "feed_forward"), mean(measured.inputs[1].norms[6].sigma));
}

TEST_F(MeasureTest, TheoremsAreCheckedOnBothSets) {
  const auto sets = bound_theorems(model_, data(), 2, options_, [](const std::string&) {});
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].name, "learning");
  for (const auto& set : sets) {
    EXPECT_EQ(set.second.rows, 2);
    EXPECT_EQ(set.second.verdict, TheoremVerdict::Holds);
  }
}

}  // namespace
}  // namespace normscope
