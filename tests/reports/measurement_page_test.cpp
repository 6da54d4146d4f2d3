// The section on a measured run: what measure.json says, and nothing where it is no measurement.
#include "reports/measurement_page.h"

#include <gmock/gmock.h>

#include "core/file.h"
#include "reports/drawable.h"
#include "reports/synthetic_study.h"

namespace normscope {
namespace {

constexpr const char* kDocument = R"({
  "norms": [
    {"name": "a", "layer": 0, "role": "attention", "inputs": {"test": {"attention_entropy": 1.25},
                                                              "noisy": {"attention_entropy": 1.5}}},
    {"name": "f", "layer": 0, "role": "feed_forward", "inputs": {"test": {}, "noisy": {}}}],
  "sets": {},
  "logit_norm": {"test": {"mean": 3.5, "low": 3.25, "high": 3.75}},
  "theorems": [
    {"theorem": 1, "verdict": "holds", "loss_ratio": {"mean": 2.5, "low": 2, "high": 3}, "norms": [
      {"name": "a", "layer": 0, "role": "attention", "verdict": "holds",
       "ratio": {"mean": 2.25, "low": 2, "high": 2.5}, "gain_ratio": {"mean": 0.9, "low": 0.8, "high": 1.0},
       "gain_learning": {"mean": 0.09, "low": 0, "high": 1}, "gain_memorization": {"mean": 0.1, "low": 0, "high": 1},
       "has_equal_gain": true}]},
    {"theorem": 2, "verdict": "fails", "sets": {"learning": {"verdict": "fails", "rows": 8, "norms": [
      {"name": "a", "layer": 0, "role": "attention", "verdict": "holds", "t0": 0.1, "t1": 1, "t2": 10, "t3": 100,
       "largest_share_of_t3": 0.002, "ordered_rows": 8},
      {"name": "f", "layer": 0, "role": "feed_forward", "verdict": "fails", "t0": 0.2, "t1": 2, "t2": 20, "t3": null,
       "largest_share_of_t3": 0.004, "ordered_rows": 8}]}}},
    {"theorem": 3, "verdict": "assumption not met", "sets": {"learning": {"verdict": "assumption not met",
      "gradient_depth_correlation": {"attention": -0.75}, "norms": [
      {"name": "a", "layer": 0, "role": "attention", "verdict": "assumption not met", "bound": 1, "gradient": 1,
       "largest_variance": 5}]}}}]
})";

class MeasurementPageTest : public ReportFolder {
 protected:
  std::filesystem::path write(const std::string& text) const {
    const auto path = folder_ / "measure.json";
    write_file_atomically(path, text);
    return path;
  }
};

TEST_F(MeasurementPageTest, SaysVerdictsAndDrawsBoundsInForwardOrder) {
  const auto measurement = read_measurement(write(kDocument), "seed28", "seed28_");
  ASSERT_EQ(measurement.tables.size(), 4u);
  const auto& verdicts = measurement.tables[0];
  ASSERT_EQ(verdicts.rows.size(), 3u);
  EXPECT_EQ(verdicts.rows[0][3].kind, "supported");
  EXPECT_EQ(verdicts.rows[1][3].kind, "contradicted");
  EXPECT_EQ(verdicts.rows[1][4].text, "holds at 1 of 2 norms; a gradient reaches at most 0.40 % of T3");
  EXPECT_EQ(verdicts.rows[2][3].kind, "undecided");
  EXPECT_THAT(verdicts.rows[2][4].text, testing::HasSubstr("attention norms: −0.75"));
  EXPECT_EQ(measurement.tables[1].rows[0][1].text, "9.00e-02");
  EXPECT_EQ(measurement.tables[2].rows[0][1].text, "3.500");
  EXPECT_EQ(measurement.tables[3].rows.size(), 1u) << "entropies are the attention norms'";

  ASSERT_EQ(measurement.bounds.figures.size(), 1u);
  const auto& figure = measurement.bounds.figures[0];
  EXPECT_EQ(figure.name, "seed28_bounds_learning");
  EXPECT_EQ(figure.columns, (std::vector<std::string>{"layer", "t0", "t1", "t2", "t3"}));
  EXPECT_EQ(figure.rows[0], (std::vector<double>{0, 0.1, 1, 10, 100}));
  EXPECT_EQ(figure.rows[1][0], 0.5);
  expect_drawable(measurement.bounds);
}

TEST_F(MeasurementPageTest, NamesAFileThatIsNone) {
  for (const char* text : {"", "{}", "[1]", R"({"norms": [], "logit_norm": {}, "theorems": [{"theorem": 2}]})"}) try {
      read_measurement(write(text), "r", "r_");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Data);
      EXPECT_THAT(error.what(), testing::HasSubstr("measure.json"));
    }
}

}  // namespace
}  // namespace normscope
