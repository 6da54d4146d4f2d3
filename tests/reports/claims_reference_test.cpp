// Every claim's rule against what SciPy and statsmodels say of the same values.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/verdicts.h"

namespace normscope {
namespace {

using nlohmann::json;
using Values = std::vector<double>;

json reference() {
  std::ifstream file(std::string(NORMSCOPE_FIXTURES) + "/claims.json");
  return json::parse(file);
}

Finding judged(const json& row) {
  const std::string claim = row["claim"];
  if (row.contains("norms")) {
    const auto norms = row["norms"].get<std::vector<Values>>();
    return claim == "C4" ? judge_learning_exceeds(norms) : judge_more_than_loss(norms);
  }
  const std::pair<const char*, Finding (*)(std::span<const double>)> rules[] = {
      {"C1", judge_learning_disrupted}, {"C1b", judge_memorization_kept},
      {"C2", judge_learning_kept},      {"C2b", judge_memorization_suppressed},
      {"C5", judge_falls_with_depth},   {"C5b", judge_first_block},
      {"C6", judge_compensation},       {"C7", judge_placement_contrast}};
  for (const auto& [name, rule] : rules)
    if (name == claim) return rule(row["values"].get<Values>());
  throw std::runtime_error("no rule for " + claim);
}

TEST(ClaimsReference, VerdictsEffectsAndPAreThoseOfSciPy) {
  const auto cases = reference()["cases"];
  ASSERT_GT(cases.size(), 60u);
  for (const auto& row : cases) {
    const auto finding = judged(row);
    EXPECT_EQ(to_text(finding.verdict), row["verdict"].get<std::string>()) << row;
    if (row["p"].is_null()) {
      EXPECT_TRUE(std::isnan(finding.p)) << "no test decides";
    } else {
      EXPECT_NEAR(finding.p, row["p"].get<double>(), 1e-9) << row;
    }
    if (!row.contains("effect")) continue;
    // C6 compares logarithms and shows the change in percent.
    const auto shown = [&](double value) { return row["claim"] == "C6" ? 100 * std::expm1(value) : value; };
    const double close = 1e-9 * (1 + std::abs(shown(row["effect"])));
    EXPECT_NEAR(finding.effect, shown(row["effect"]), close) << row;
    EXPECT_NEAR(finding.interval.low, shown(row["interval"][0]), 1e3 * close) << row;
    EXPECT_NEAR(finding.interval.high, shown(row["interval"][1]), 1e3 * close) << row;
  }
}

}  // namespace
}  // namespace normscope
