// Which of the authors' runs a study repeats, and both side by side at the same epochs.
#include "reports/compare_paper.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "reports/drawable.h"
#include "reports/report.h"
#include "reports/synthetic_study.h"

namespace normscope {
namespace {

class ComparePaperTest : public ReportFolder {
 protected:
  // A unit of one intact run as the runner would have described it.
  static Unit unit_of(RunView& run, const std::string& dataset, const std::string& architecture, int64_t blocks,
                      const std::string& width) {
    run.run.facts.dataset = dataset;
    run.run.facts.num_hidden_layers = blocks;
    run.run.facts.more.clear();
    if (!architecture.empty()) run.run.facts.more["architecture"] = architecture;
    if (!width.empty()) run.run.facts.more["hidden_size"] = width;
    run.run.norm_selection = "none";
    run.epochs.resize(1);
    run.epochs[0].epoch = 1;
    return {"", "", run.run.placement, dataset, {&run}};
  }
  static std::string twin(const std::string& dataset, const std::string& architecture, int64_t blocks,
                          const std::string& width, const std::string& name = "", const std::string& placement = "") {
    RunView run;
    run.run.model = name;
    run.run.placement = placement;
    const auto* paper = paper_twin(unit_of(run, dataset, architecture, blocks, width));
    return paper ? paper->title() : "";
  }
};

TEST_F(ComparePaperTest, UnitsMatchByDataArchitectureAndSize) {
  EXPECT_EQ(twin("emotions", "bert", 12, "768"), "BERT on Emotions");
  EXPECT_EQ(twin("tweettopic", "gpt2", 24, "1024"), "GPT-2 medium on TweetTopic");
  EXPECT_EQ(twin("news", "gpt2", 12, "768"), "GPT-2 on News");
  EXPECT_EQ(twin("emotions", "bert", 24, "1024"), "") << "another size";
  EXPECT_EQ(twin("emotions", "bert", 12, "128"), "") << "another width";
  EXPECT_EQ(twin("news", "bert", 12, "768"), "") << "the authors trained BERT on Emotions only";
  EXPECT_EQ(twin("emotions", "bert", 12, ""), "BERT on Emotions") << "older studies hold no hidden size";
  EXPECT_EQ(twin("Emotions", "", 12, "", "Bert-Base-Uncased"), "BERT on Emotions") << "by name, without architecture";
  EXPECT_EQ(twin("emotions", "bert", 12, "768", "", "pre_norm"), "") << "a placement twin is another network";
}

TEST_F(ComparePaperTest, BothAreReadAtTheSameEpoch) {
  auto store = make_store();
  for (const int64_t seed : {28, 64, 89})
    for (const char* selection : {"none", "paper:all", "0-3"})
      add_synthetic_run(store, {.selection = selection, .seed = seed, .epochs = 10});
  const auto study = load_study(store);
  const auto& unit = study.units.at(0);
  const auto* paper = paper_twin(unit);
  ASSERT_NE(paper, nullptr);
  EXPECT_EQ(paper->title(), "BERT on Emotions");
  const auto table = compare_table(unit, *paper);
  ASSERT_EQ(table.rows.size(), 2u) << "the authors never removed layers 0-3";
  const auto& all = table.rows[1];
  EXPECT_EQ(all[1].text, "equal epochs");
  EXPECT_EQ(all[2].text, "10");
  EXPECT_EQ(all[3].text, "3 / 3");
  double memorization = 0;  // epoch 10 of the authors' three runs
  for (const auto* run : paper->with("all")) memorization += run->view.epochs[9].memorization / 3;
  char text[16];
  std::snprintf(text, sizeof text, "%.1f", memorization);
  EXPECT_EQ(all[7].text, text);
  EXPECT_EQ(all.back().text, "intact: single seed; epoch 40 of 70");
}

TEST_F(ComparePaperTest, PublishedEpochsAreReadWhereTheStudyGotThere) {
  auto store = make_store();
  add_synthetic_run(store, {.selection = "all", .epochs = 60});
  const auto study = load_study(store);
  const auto table = compare_table(study.units.at(0), *paper_twin(study.units.at(0)));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][1].text, "as published");
  EXPECT_EQ(table.rows[0][2].text, "40");
  EXPECT_EQ(table.rows[0][7].text, "19.2") << "the paper's own number, study.md 6";
  EXPECT_EQ(table.rows[1][2].text, "60");
}

TEST_F(ComparePaperTest, PageShowsBothOnlyWhenAsked) {
  auto store = make_store();
  add_synthetic_run(store, {.epochs = 3});
  add_synthetic_run(store, {.selection = "all", .epochs = 3});
  const auto study = load_study(store);
  const auto figures = compare_figures(study.units.at(0), *paper_twin(study.units.at(0)), "1_");
  ASSERT_EQ(figures.figures.size(), 3u);
  EXPECT_EQ(figures.figures[0].columns.size(), 1 + 4 * 3u) << "two selections, here and there, with their range";
  expect_drawable(figures);
  write_report(store, folder_ / "plain.html", {.gnuplot = "no-such-gnuplot"});
  write_report(store, folder_ / "both.html", {.gnuplot = "no-such-gnuplot", .compare_paper = true});
  const std::string title = "<h2>Beside the paper</h2>";
  EXPECT_EQ(read_file(folder_ / "plain.html", ErrorKind::Run).find(title), std::string::npos);
  EXPECT_NE(read_file(folder_ / "both.html", ErrorKind::Run).find(title), std::string::npos);
  EXPECT_NE(report_tables(store, "markdown", {.compare_paper = true}).find("Beside the authors' runs"),
            std::string::npos);
}

TEST_F(ComparePaperTest, GradientsAreInTheAuthorsQuantity) {
  auto store = make_store();
  add_synthetic_run(store, {.epochs = 0, .state = RunState::Running});
  std::vector<Reading> readings;
  for (int64_t layer = 0; layer < 12; ++layer)
    for (const char* split : {"learning", "memorization"}) {
      readings.push_back({1, split, "gradient_paper", layer, "attention", 0.5});
      readings.push_back({1, split, "gradient_norm", layer, "attention", 77});
    }
  EpochMetrics metrics;
  metrics.epoch = 1;
  metrics.test_accuracy = 90;
  store.add_epoch("bert-base-uncased-none-seed28", metrics, readings, {});
  const auto study = load_study(store);
  const auto& unit = study.units.at(0);
  const auto group = compare_figures(unit, *paper_twin(unit), "1_");
  const auto& figure = group.figures.back();
  EXPECT_EQ(figure.name, "1_paper_gradients_attention");
  ASSERT_EQ(figure.rows.size(), 12u);
  EXPECT_EQ(figure.rows[0][1], 0.5);
  EXPECT_DOUBLE_EQ(figure.rows[0][3], 0.001322) << "the authors' first layer, test rows";
  EXPECT_DOUBLE_EQ(figure.rows[0][4], 1.332e-05);
  EXPECT_NE(group.text.find("D7, D10"), std::string::npos) << group.text;
  expect_drawable(group);
}

TEST_F(ComparePaperTest, AStudyOfSomethingElseIsTold) {
  auto store = make_store();
  add_synthetic_run(store, {.model = "llama", .epochs = 2});
  write_report(store, folder_ / "report.html", {.gnuplot = "no-such-gnuplot", .compare_paper = true});
  EXPECT_NE(
      read_file(folder_ / "report.html", ErrorKind::Run).find("None of these runs repeats a model and a data set"),
      std::string::npos);
}

}  // namespace
}  // namespace normscope
