// The built-in logs hold the numbers that were parsed from the authors' files, and broken ones are refused.
#include "reports/paper_logs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"

namespace normscope {
namespace {

nlohmann::json reference(const std::string& name) {
  std::ifstream file(std::string(NORMSCOPE_SOURCE) + "/../shared/reference/" + name);
  return file ? nlohmann::json::parse(file) : nlohmann::json();
}

std::string short_name(const std::string& name) {
  std::string last = name.substr(name.rfind('/') + 1);
  return last == "nico++" ? "nico" : last;
}

// Every epoch of the reference run, whatever its seed is called.
bool same_run(const PaperRun& run, const nlohmann::json& expected) {
  const auto& accuracy = expected["test_acc"];
  if (run.view.epochs.size() != accuracy.size()) return false;
  for (size_t i = 0; i < accuracy.size(); ++i) {
    const auto& row = run.view.epochs[i];
    const auto differs = [&](double value, const char* key) {
      return std::abs(value - expected[key][i].get<double>()) > 0.0051;  // the logs are rounded to 0.01 %
    };
    if (differs(row.test_accuracy, "test_acc") || differs(row.train_accuracy, "train_acc") ||
        differs(row.memorization, "memorization") || differs(row.recovery, "recovery"))
      return false;
  }
  return true;
}

TEST(PaperLogs, HoldEveryRunOfTheAuthorsLogs) {
  const auto runs = reference("runs.json");
  if (runs.empty()) GTEST_SKIP() << "../shared/reference/runs.json is absent";
  size_t held = 0;
  for (const auto& unit : paper_logs().units) held += unit.runs.size();
  EXPECT_EQ(held, runs.size());
  for (const auto& expected : runs) {
    const std::string removed = expected["removed"] == "ffn" ? "output" : expected["removed"].get<std::string>();
    size_t found = 0;
    for (const auto& unit : paper_logs().units)
      if (unit.dataset == short_name(expected["dataset"]) && unit.model->checkpoint == short_name(expected["model"]))
        for (const auto& run : unit.runs) found += run.view.run.norm_selection == removed && same_run(run, expected);
    EXPECT_EQ(found, 1u) << expected["log"];
  }
}

TEST(PaperLogs, HoldTheGradientsOfTheAuthorsLogs) {
  const auto logs = reference("gradients.json");
  if (logs.empty()) GTEST_SKIP() << "../shared/reference/gradients.json is absent";
  size_t compared = 0;
  for (const auto& log : logs) {
    if (log["log"].get<std::string>().find("wrt_x") == std::string::npos) continue;
    for (const auto& unit : paper_logs().units) {
      if (unit.dataset != short_name(log["dataset"]) || unit.model->checkpoint != short_name(log["model"])) continue;
      for (size_t i = 0; i < 4; ++i) {
        const auto& held = i < 2 ? unit.gradients.memorization : unit.gradients.learning;  // the logs' order
        const auto& series = log["series"][i];
        const auto& values = held.at(series["ln"] == "attention" ? "attention" : "feed_forward");
        ASSERT_EQ(values.size(), series["by_layer"].size()) << log["log"];
        for (size_t layer = 0; layer < values.size(); ++layer) {
          const double expected = series["by_layer"][layer];
          EXPECT_NEAR(values[layer], expected, 6e-4 * expected) << log["log"] << " layer " << layer;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 700u);
}

TEST(PaperLogs, SeedsThatShareNoisyRowsShareTheirDraw) {
  const auto runs = reference("runs.json");
  if (runs.empty()) GTEST_SKIP() << "../shared/reference/runs.json is absent";
  std::map<std::string, std::map<int64_t, nlohmann::json>> labels;  // by data set and draw
  for (const auto& expected : runs)
    for (const auto& unit : paper_logs().units)
      if (unit.dataset == short_name(expected["dataset"]) && unit.model->checkpoint == short_name(expected["model"]))
        for (const auto& run : unit.runs)
          if (same_run(run, expected)) {
            EXPECT_EQ(run.noisy_class, expected["true_labels"][0].get<int64_t>());
            const nlohmann::json list = {expected["noisy_labels"], expected["true_labels"]};
            const auto [at, is_new] = labels[unit.dataset].try_emplace(run.noise_draw, list);
            EXPECT_EQ(at->second, list) << expected["log"];
          }
  for (const auto& [dataset, lists] : labels)
    for (const auto& [draw, list] : lists)
      for (const auto& [other, other_list] : lists) EXPECT_EQ(draw == other, list == other_list) << dataset;
}

TEST(PaperLogs, ExtraRunsAreLeftOutOfMeans) {
  const auto& logs = paper_logs();
  for (const auto& unit : logs.units) {
    for (const auto& selection : unit.selections()) {
      std::set<int64_t> seeds;
      for (const auto* run : unit.with(selection)) {
        EXPECT_TRUE(seeds.insert(run->view.run.seed).second) << unit.title() << " " << selection;
        EXPECT_LE(run->view.last().epoch, 72);
      }
    }
    EXPECT_EQ(unit.selections()[0] == "none", !unit.with("none").empty());
  }
}

std::string error_of(const std::string& text) {
  try {
    parse_paper_logs(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Data);
    return error.what();
  }
  return "";
}

TEST(PaperLogs, BrokenOnesAreRefusedWithTheirLine) {
  const std::string run = "run emotions bert-base-uncased all 28 0 5 160 2\n";
  EXPECT_EQ(parse_paper_logs("# remark\n" + run + "1 2\n3 4\n16 8\n0 40\n").units.at(0).runs.at(0).view.last().recovery,
            25);
  EXPECT_EQ(error_of(run + "1 2\n3\n"), "paper logs, line 3: expected 2 values, found 1");
  EXPECT_EQ(error_of(run + "1 2\n"), "paper logs: the last run has fewer than four lines of values");
  EXPECT_EQ(error_of(run + "1 2\n3 4\n160 100\n0 61\n"),
            "paper logs, line 1: epoch 2: 100 rows memorized and 61 recovered are no part of 160");
  EXPECT_EQ(error_of(run + "1 x\n"), "paper logs, line 2: expected a number, found x");
  EXPECT_EQ(error_of("run emotions bert all 28 0 5 160 2\n"),
            "paper logs, line 1: no checkpoint of the study is called bert");
  EXPECT_EQ(error_of("run emotions bert-base-uncased all 28 0 5 0 2\n"),
            "paper logs, line 1: expected noisy rows, found 0");
  EXPECT_EQ(error_of("speed emotions bert-base-uncased 1 2\n"),
            "paper logs, line 1: expected run, gradients, deviation or epochs, found speed");
  EXPECT_EQ(error_of("gradients emotions bert-base-uncased attention learning 1\n"),
            "paper logs: BERT on Emotions has gradients and no run");
}

}  // namespace
}  // namespace normscope
