// The page is one self-contained file that escapes what it shows and claims what the numbers allow.
#include "reports/report.h"

#include <gtest/gtest.h>

#include <regex>

#include "core/file.h"
#include "reports/gnuplot.h"
#include "reports/sentences.h"
#include "reports/synthetic_study.h"
#include "reports/table.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

class ReportTest : public ReportFolder {
 protected:
  std::string page(const RunStore& store, const ReportOptions& options = {}) {
    write_report(store, folder_ / "report.html", options);
    return read_file(folder_ / "report.html", ErrorKind::Run);
  }
  static bool has_gnuplot() {
    Figure figure{"probe", "", "", {"x", "y"}, {{0, 0}, {1, 1}}, "plot $data using 1:2 with lines\n"};
    return draw(figure, Drawing::Svg, "gnuplot").has_value();
  }
};

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TEST_F(ReportTest, IsOneFileThatNeedsNoNetwork) {
  auto store = make_store();
  add_synthetic_study(store);
  const auto html = page(store);
  EXPECT_EQ(html.find("http://"), std::string::npos);
  EXPECT_EQ(html.find("https://"), std::string::npos);
  EXPECT_EQ(html.find("<link"), std::string::npos);
  EXPECT_EQ(html.find("<script src"), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
  const std::regex source("src=\"([^\"]{0,30})");
  for (auto at = std::sregex_iterator(html.begin(), html.end(), source); at != std::sregex_iterator(); ++at)
    EXPECT_EQ((*at)[1].str(), "data:image/svg+xml;base64,PD94") << "an inline SVG (<?x)";
  for (const char* part : {"What came out", "Removed beside intact", "The paper's claims", "Figures", "The noisy rows",
                           "What was trained", "About the data", "How to repeat it", "Words"})
    EXPECT_NE(html.find(std::string("<h2>") + part + "</h2>"), std::string::npos) << part;
  EXPECT_NE(html.find("31 texts occur more than once in training with conflicting labels"), std::string::npos);
  EXPECT_NE(html.find("Intel Xeon, 8 cores, Debian 12"), std::string::npos);
}

TEST_F(ReportTest, EscapesWhatUsersWrote) {
  auto store = make_store();
  add_synthetic_study(store);
  auto run = store.runs()[0];
  run.id = "<script>alert(1)</script>";
  run.state = RunState::Failed;
  run.error = "a < b & \"c\"";
  store.create_run(run);
  const auto html = page(store);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;alert(1)&lt;/script&gt;: a &lt; b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_NE(html.find("<h1>emotions &lt;1 %&gt; &amp; &quot;noise&quot;</h1>"), std::string::npos);
  EXPECT_NE(html.find("remembered &lt;me&gt; &amp; my &quot;birthday&quot;"), std::string::npos);
  for (const char* tag : {"table", "figure", "section", "details", "div", "ul", "pre", "svg"})
    EXPECT_EQ(count_of(html, std::string("<") + tag + ">") + count_of(html, std::string("<") + tag + " "),
              count_of(html, std::string("</") + tag + ">"))
        << tag;
}

TEST_F(ReportTest, WithoutGnuplotSaysSoAndKeepsTheRest) {
  auto store = make_store();
  add_synthetic_study(store);
  const auto html = page(store, {.gnuplot = "no-such-gnuplot"});
  EXPECT_EQ(count_of(html, "The figures need gnuplot, which is not installed here"), 1u);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_NE(html.find("<h2>The paper's claims</h2>"), std::string::npos);
  try {
    write_figures(store, folder_ / "figures", {.gnuplot = "no-such-gnuplot"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "figures need no-such-gnuplot, which is not installed here (Debian: apt-get install gnuplot-nox)");
  }
}

TEST_F(ReportTest, SaysWhatGnuplotSaysWhenItFails) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  const Figure broken{"broken", "", "", {"x"}, {{0}}, "plot nonsense(\n"};
  try {
    draw(broken, Drawing::Svg, "gnuplot");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Run);
    EXPECT_EQ(std::string(error.what()).find("figure broken: gnuplot failed: "), 0u) << error.what();
  }
}

TEST_F(ReportTest, WritesFiguresInEveryFormatWithTheirNumbers) {
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  auto store = make_store();
  add_synthetic_run(store, {.epochs = 3, .noisy_rows = 10});
  add_synthetic_run(store, {.selection = "0-3,7", .epochs = 3, .noisy_rows = 10});
  write_figures(store, folder_ / "figures");
  const fs::path base = folder_ / "figures" / "1_bert-base-uncased_on_emotions_accuracy";
  EXPECT_EQ(read_file(base.string() + ".svg", ErrorKind::Run).find("<?xml"), 0u);
  EXPECT_EQ(read_file(base.string() + ".pdf", ErrorKind::Run).find("%PDF"), 0u);
  EXPECT_EQ(read_file(base.string() + ".png", ErrorKind::Run).find("\x89PNG"), 0u);
  const auto csv = read_file(base.string() + ".csv", ErrorKind::Run);
  EXPECT_EQ(csv.find("epoch,test_accuracy intact,"), 0u);
  EXPECT_NE(csv.find("\"test_accuracy layers 0-3,7 removed\""), std::string::npos);
  EXPECT_EQ(count_of(csv, "\n"), 5u);  // a header and epochs 0 to 3
  for (const char* name : {"final", "gap", "memorization", "recovery", "loss", "noisy_loss", "noisy_rows_intact"})
    EXPECT_TRUE(fs::exists(folder_ / "figures" / ("1_bert-base-uncased_on_emotions_" + std::string(name) + ".svg")))
        << name;
}

TEST_F(ReportTest, OneSeedDecidesNothing) {
  auto store = make_store();
  add_synthetic_run(store, {.noisy_rows = 20});
  add_synthetic_run(store, {.selection = "all", .slowness = 4, .noisy_rows = 20});
  const auto html = page(store, {.gnuplot = "no-such-gnuplot"});
  EXPECT_NE(html.find("This is one seed: it shows what happened once and decides nothing."), std::string::npos);
  EXPECT_NE(html.find("With 20 noisy rows, one row is 5.0 points"), std::string::npos);
  EXPECT_NE(html.find("None of the paper&#39;s claims is decided by these runs"), std::string::npos);
  EXPECT_EQ(html.find("class=\"chip supported\""), std::string::npos);
  EXPECT_EQ(html.find("class=\"chip contradicted\""), std::string::npos);
}

TEST_F(ReportTest, SentencesCarryTheNumbers) {
  auto store = make_store();
  add_synthetic_study(store);
  const auto study = load_study(store);
  EXPECT_EQ(asked_sentence(study.units[0]),
            "bert-base-uncased on emotions (Post-LN): 16,000 training rows, 60 of them with a label that was "
            "made false "
            "(true class surprise), 20 epochs, 3 seeds; norms intact, all removed, early removed, middle "
            "removed, later "
            "removed.");
  const auto sentences = outcome_sentences(study.units[0]);
  ASSERT_EQ(sentences.size(), 4u) << "three seeds and 60 rows need no caution";
  EXPECT_EQ(sentences[0].find("All removed: after 20 epochs, means over 3 seeds, test accuracy 91.5 % (intact 92.3 %), "
                              "memorization 27.8 % (intact 100.0 %), recovery 63.9 % (intact 0.0 %). At matched fit"),
            0u)
      << sentences[0];
  EXPECT_NE(verdict_sentence(judge(study)).find("removal slows learning as much as it slows memorization"),
            std::string::npos);
  EXPECT_EQ(state_sentence(study), "");
}

TEST_F(ReportTest, UnfinishedStudies) {
  auto store = make_store();
  EXPECT_NE(page(store).find("No run has finished an epoch yet."), std::string::npos);
  add_synthetic_run(store, {.epochs = 4, .state = RunState::Running});
  add_synthetic_run(store, {.selection = "all", .state = RunState::Waiting});
  const auto html = page(store, {.gnuplot = "no-such-gnuplot"});
  EXPECT_NE(html.find("0 of 2 runs done, 1 running, 1 waiting."), std::string::npos);
  EXPECT_NE(html.find("so nothing is compared"), std::string::npos);
  EXPECT_NE(summary_table(store).find("4 of 4, running"), std::string::npos);
}

TEST_F(ReportTest, TablesInOtherFormats) {
  auto store = make_store();
  add_synthetic_study(store);
  const auto markdown = report_tables(store, "markdown"), latex = report_tables(store, "latex");
  EXPECT_NE(markdown.find("**Where each run ended: bert-base-uncased on emotions**"), std::string::npos);
  EXPECT_NE(markdown.find("| all removed | 28 | 20 | 91.4 [90.1, 92.6] | 28.3 [19, 41] |"), std::string::npos)
      << markdown;
  EXPECT_EQ(count_of(latex, "\\begin{table}"), count_of(latex, "\\end{table}"));
  EXPECT_GT(count_of(latex, "\\begin{table}"), 5u);
  EXPECT_EQ(latex.find("−"), std::string::npos) << "LaTeX has its own minus";
  try {
    report_tables(store, "word");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    EXPECT_STREQ(error.what(), "--format: expected markdown, latex or text, found word");
  }
}

TEST_F(ReportTest, TheSameStudyGivesTheSamePage) {
  auto store = make_store();
  add_synthetic_run(store, {.epochs = 3});
  add_synthetic_run(store, {.selection = "all", .epochs = 3});
  EXPECT_EQ(page(store), page(store));
}

}  // namespace
}  // namespace normscope
