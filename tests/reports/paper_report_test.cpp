// The authors' runs at published and equal epochs, what each contrast suffers from, and the page that shows them.
#include "reports/paper_report.h"

#include <gtest/gtest.h>

#include "core/file.h"
#include "core/statistics.h"
#include "reports/drawable.h"
#include "reports/paper_facts.h"
#include "reports/paper_figures.h"
#include "reports/paper_readings.h"
#include "reports/paper_tables.h"
#include "reports/synthetic_study.h"

namespace normscope {
namespace {

const PaperUnit& find(const std::string& title) {
  for (const auto& unit : paper_logs().units)
    if (unit.title() == title) return unit;
  throw std::runtime_error("no unit " + title);
}

struct Published {
  const char* title;
  double epoch, test, memorization, recovery;
};

// Source: study.md 6, means over the three seeds.
constexpr Published kPublished[] = {
    {"BERT on Emotions", 40, 91.4, 19.2, 72.5},
    {"BERT on Emotions", 70, 90.9, 42.9, 41.9},
    {"DeBERTa on Emotions", 40, 92.0, 21.7, 70.4},
    {"DeBERTa on Emotions", 70, 92.1, 39.6, 40.8},
    {"DistilBERT on Emotions", 40, 91.6, 97.5, 0.4},
    {"ELECTRA on News", 40, 86.4, 29.4, 57.1},
    {"ELECTRA on News", 70, 85.7, 53.2, 24.6},
    {"Longformer on News", 40, 87.0, 24.6, 62.7},
    {"RoBERTa on TweetTopic", 40, 81.7, 32.1, 42.9},
    {"GPT-Neo on Emotions", 40, 86.1, 36.0, 44.8},
    {"GPT-Neo on Emotions", 70, 86.2, 73.8, 14.8},
    {"GPT-2 medium on TweetTopic", 70, 73.1, 47.6, 23.8},
    {"RoBERTa-PreLN on TweetTopic", 70, 74.5, 23.8, 38.1},
    {"Qwen2 on News", 70, 78.0, 90.5, 0},
    {"ViT-B on CIFAR-10", 70, 45.7, 94.6, 2.7},
    {"DeiT on UTK-Face", 70, 69.3, 95.4, 3.1},
    {"ViT-S on NICO++", 70, 60.4, 88.5, 9.6},
};

TEST(PaperReadings, AreTheStudysMeans) {
  for (const auto& expected : kPublished) {
    const auto reading = read_paper_at(find(expected.title), "all", expected.epoch);
    ASSERT_EQ(reading.removed.size(), 3u) << expected.title;
    EXPECT_NEAR(mean(reading.values(&EpochMetrics::test_accuracy)), expected.test, 0.11) << expected.title;
    EXPECT_NEAR(mean(reading.values(&EpochMetrics::memorization)), expected.memorization, 0.06) << expected.title;
    EXPECT_NEAR(mean(reading.values(&EpochMetrics::recovery)), expected.recovery, 0.06) << expected.title;
  }
}

TEST(PaperReadings, EqualEpochsEndWithTheShorterRun) {
  const auto& neo = find("GPT-Neo on Emotions");
  const auto published = read_paper(neo, "all", PaperPoint::Published);
  const auto equal = read_paper(neo, "all", PaperPoint::EqualEpochs);
  ASSERT_EQ(equal.removed.size(), 3u);
  ASSERT_EQ(equal.intact.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(published.removed_epochs[i], 70);
    EXPECT_EQ(published.intact_epochs[i], 27) << "the intact log ends there";
    EXPECT_EQ(equal.removed_epochs[i], 27);
    EXPECT_EQ(equal.intact_epochs[i], 27);
  }
  const auto matched = read_paper(find("BERT on Emotions"), "all", PaperPoint::MatchedFit);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(matched.removed[i].train_accuracy, matched.intact[i].train_accuracy, 1e-9) << "the same fit";
  EXPECT_TRUE(read_paper(find("DeBERTa on Emotions"), "all", PaperPoint::MatchedFit).removed.empty())
      << "no intact log";
}

TEST(PaperFacts, AContrastHasTheMarksOfItsOwn) {
  using Marks = std::vector<std::string>;
  EXPECT_EQ(contrast_marks(find("BERT on Emotions"), "all"), (Marks{"intact: single seed", "epoch 40 of 70"}));
  EXPECT_EQ(contrast_marks(find("DeBERTa on Emotions"), "all"), (Marks{"no intact log", "epoch 40 of 70"}));
  EXPECT_EQ(
      contrast_marks(find("ViT-B on CIFAR-10"), "early"),
      (Marks{"intact: single seed", "intact has noisy class 1, not 9", "3 seeds, 2 sets of noisy rows", "D1", "D21"}));
  EXPECT_EQ(contrast_marks(find("GPT-2 medium on TweetTopic"), "early"),
            (Marks{"intact: single seed", "intact has noisy class 0, not 3", "D7", "D16"}));
  EXPECT_EQ(contrast_marks(find("GPT-Neo on Emotions"), "attention"),
            (Marks{"intact: single seed", "intact ends at epoch 27", "removed: single seed", "D7"}));
}

TEST(PaperFacts, EveryFactHoldsSomewhere) {
  const auto table = paper_facts_table();
  ASSERT_EQ(table.rows.size(), paper_facts().size());
  for (const auto& row : table.rows) EXPECT_FALSE(row[3].text.empty()) << row[0].text << ": " << row[1].text;
}

TEST(PaperSentences, SayWhatTheMeansOverModelsAre) {
  const auto sentences = paper_sentences();
  ASSERT_EQ(sentences.size(), 3u);
  double post40 = 0, pre70 = 0, pre40 = 0;  // from the study's own table above, to its rounding
  for (const auto& row : kPublished) {
    const bool is_post = find(row.title).model->placement == "post_norm";
    if (is_post && row.epoch == 40) post40 += row.memorization / 6;
    if (!is_post && row.epoch == 70) pre70 += row.memorization / 7;
  }
  for (const double memorization : {36.0, 26.2, 26.2, 81.0, 78.8, 85.2, 88.1}) pre40 += memorization / 7;
  EXPECT_NE(sentences[0].find("memorize " + std::to_string(post40).substr(0, 4) + " %"), std::string::npos)
      << sentences[0] << post40;
  EXPECT_NEAR(pre70, 73.5, 0.1);
  EXPECT_LT(pre40 - post40, pre70 - post40) << "the contrast is smaller at epoch 40";
  EXPECT_NE(sentences[2].find("Of 13 published pairs of model and data, 10 have an intact log of a single seed and 3"),
            std::string::npos)
      << sentences[2];
}

TEST(PaperGradients, RatiosAreTheStudys) {
  const auto table = paper_gradients_table();
  // Source: study.md 5.1, measured ratio at the attention norms, raw.
  const std::pair<const char*, const char*> largest[] = {
      {"BERT on Emotions", "99"}, {"DistilBERT on Emotions", "158"}, {"Qwen2 on News", "5106"}};
  for (const auto& [title, ratio] : largest) {
    bool is_found = false;
    for (const auto& row : table.rows)
      if (row[0].text == title && row[2].text == "attention") {
        is_found = true;
        EXPECT_EQ(row[6].text.substr(0, std::string(ratio).size()), ratio);
      }
    EXPECT_TRUE(is_found) << title;
  }
}

class PaperReportTest : public ReportFolder {};

TEST_F(PaperReportTest, PageIsSelfContainedAndComplete) {
  write_paper_report(folder_ / "paper.html", {.gnuplot = "no-such-gnuplot"});
  const auto html = read_file(folder_ / "paper.html", ErrorKind::Run);
  EXPECT_NE(html.find("The figures need gnuplot"), std::string::npos);
  for (const auto& unit : paper_logs().units) EXPECT_NE(html.find(">" + unit.title() + "</h3>"), std::string::npos);
  for (const char* outside : {"src=\"http", "href=\"http", "@import", "url("})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
}

TEST_F(PaperReportTest, FiguresAreDrawableAndFull) {
  expect_drawable(paper_placements_figures());
  for (const auto& unit : paper_logs().units)
    for (const auto& group : paper_unit_figures(unit))
      for (const auto& figure : group.figures) EXPECT_GT(figure.rows.size(), 5u) << figure.name;
  for (const auto& group : paper_unit_figures(find("GPT-Neo on Emotions"))) expect_drawable(group);
}

TEST_F(PaperReportTest, TablesInOtherFormats) {
  const auto markdown = paper_report_tables("markdown"), latex = paper_report_tables("latex");
  EXPECT_NE(markdown.find("**BERT on Emotions (Post-LN)**"), std::string::npos);
  EXPECT_NE(latex.find("\\begin{table}"), std::string::npos);
  EXPECT_EQ(latex.find("→"), std::string::npos) << "LaTeX has its own arrow";
  EXPECT_THROW(paper_report_tables("word"), Error);
}

}  // namespace
}  // namespace normscope
