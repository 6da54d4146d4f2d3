// The page's first three sentences, table 1 and figure 1 say what the verdicts and pairs say.
#include <gtest/gtest.h>

#include "reports/drawable.h"
#include "reports/result_tables.h"
#include "reports/sentences.h"
#include "reports/study_figures.h"
#include "reports/synthetic_study.h"

namespace normscope {
namespace {

class HeadlineTest : public ReportFolder {};

TEST_F(HeadlineTest, ThreeSentencesFromVerdicts) {
  auto store = make_store();
  add_synthetic_study(store);
  const auto study = load_study(store);
  auto verdicts = judge(study);
  const auto sentences = headline_sentences(study, verdicts, {});
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_NE(sentences[0].find("With all norms removed, test accuracy "), std::string::npos);
  EXPECT_NE(sentences[0].find("it falls in gpt-neo-125M on emotions (−6.4 points, at matched fit −6.3)"),
            std::string::npos)
      << sentences[0];
  EXPECT_NE(sentences[1].find("memorization falls in bert-base-uncased on emotions (−72.2 points, at matched fit"),
            std::string::npos)
      << sentences[1];
  EXPECT_EQ(sentences[2], verdict_sentence(verdicts));
  for (auto& verdict : verdicts) verdict.verdict = Verdict::TooFew;
  for (const auto& sentence : headline_sentences(study, verdicts, {}))
    EXPECT_EQ(sentence.find(" falls"), std::string::npos) << "too few seeds claim nothing: " << sentence;
}

TEST_F(HeadlineTest, WithoutPairsTheRunsSpeak) {
  auto store = make_store();
  add_synthetic_run(store, {.epochs = 3});
  const auto study = load_study(store);
  const auto sentences = headline_sentences(study, judge(study), {});
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_NE(sentences[0].find("nothing is compared"), std::string::npos);
}

TEST_F(HeadlineTest, TableOneHasAUnitARowPostLNFirst) {
  auto store = make_store();
  add_synthetic_study(store);
  const auto study = load_study(store);
  const auto table = placement_table(study, judge(study));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][1].text, "Post-LN");
  EXPECT_EQ(table.rows[0][4].text, "−72.2");
  EXPECT_EQ(table.rows[0][5].text, "C2b supported");
  EXPECT_EQ(table.rows[1][3].text, "C1 supported");
  EXPECT_EQ(table.rows[1][7].text, "–") << "no claim speaks of recovery in Pre-LN models";
}

TEST_F(HeadlineTest, FigureOneHasTheMeansOfPairs) {
  auto store = make_store();
  add_synthetic_study(store);
  const auto study = load_study(store);
  const auto group = study_figures(study);
  ASSERT_EQ(group.figures.size(), 2u);
  const auto& learning = group.figures[0];
  ASSERT_EQ(learning.rows.size(), 2u);
  double intact = 0, removed = 0;
  for (const auto& pair : find_pairs(study.units.at(0), "all")) {
    intact += pair.intact->last().test_accuracy / 3;
    removed += pair.removed->last().test_accuracy / 3;
  }
  EXPECT_NEAR(learning.rows[0][1], intact, 1e-9);
  EXPECT_NEAR(learning.rows[0][4], removed, 1e-9);
  EXPECT_LT(learning.rows[0][2], intact);
  EXPECT_GT(learning.rows[0][3], intact);
  for (const auto& row : group.figures[1].rows) EXPECT_NEAR(row[1] + row[2] + row[3], 100, 1e-9);
  expect_drawable(group);
  const auto gaps = gap_bars(study.units.at(0), "1_");
  ASSERT_EQ(gaps.rows.size(), 5u) << "intact, all, early, middle, later";
  expect_drawable({"", "", {gaps}});
}

TEST_F(HeadlineTest, AStudyWithoutPairsHasNoFigureOne) {
  auto store = make_store();
  add_synthetic_run(store, {.epochs = 2});
  EXPECT_TRUE(study_figures(load_study(store)).figures.empty());
}

}  // namespace
}  // namespace normscope
