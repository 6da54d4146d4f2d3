// Exports follow the product's column order, leave undefined cells empty and quote what needs it.
#include "storage/export.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/file.h"
#include "storage/tests_storage.h"

namespace normscope {
namespace {

using Json = nlohmann::json;

constexpr const char* kColumns =
    "epoch,train_loss,train_accuracy,train_accuracy_eval,train_clean_accuracy,validation_loss,"
    "validation_accuracy,test_loss,test_accuracy,test_macro_precision,test_macro_recall,test_macro_f1,"
    "memorization,recovery,random_prediction,overfit_gap,overfit_gap_eval,noisy_loss,samples_per_s,seconds";

class ExportTest : public FreshFolder {
 protected:
  ExportTest() : store_(RunStore::open(folder() / "normscope.db")) {
    store_.create_run(example_run("a"));
    store_.set_noisy_rows("a", std::vector<StoredNoisyRow>{{7, 9, "joy", "surprise", "x"}});
    EpochMetrics row;
    row.test_accuracy = 33.25;
    store_.add_epoch("a", row);
    row.epoch = 1;
    row.train_loss = 0.1;
    row.seconds = 8;
    row.noisy_loss = std::numeric_limits<double>::infinity();
    const std::vector<Reading> readings = {{1, "test", "gradient_norm", 2, "attention", 0.25}};
    store_.add_epoch("a", row, readings, std::vector<NoisyPrediction>{{7, "joy"}});
  }
  RunStore store_;
};

TEST_F(ExportTest, WritesARunsMetrics) {
  write_run_metrics(store_, "a", folder());
  EXPECT_EQ(read_file(folder() / "metrics.csv", ErrorKind::Run),
            std::string(kColumns) + "\n0,,,,,,,,33.25,,,,,,,,,,,\n1,0.1,,,,,,,33.25,,,,,,,,,inf,,8\n");
  std::istringstream lines(read_file(folder() / "metrics.jsonl", ErrorKind::Run));
  std::string line;
  std::getline(lines, line);
  const auto json = nlohmann::ordered_json::parse(line);
  std::string keys;
  for (const auto& item : json.items()) keys += (keys.empty() ? "" : ",") + item.key();
  EXPECT_EQ(keys, kColumns);
  EXPECT_TRUE(json["train_loss"].is_null());
  EXPECT_EQ(json["test_accuracy"], 33.25);
}

TEST_F(ExportTest, CsvHoldsEveryRunAndEpoch) {
  std::ostringstream out;
  export_csv(store_, out);
  EXPECT_EQ(out.str(), std::string("run,name,model,placement,norm_selection,seed,") + kColumns +
                           "\na,\"bert, all \"\"removed\"\"\",bert,post_norm,all,28,0,,,,,,,,33.25,,,,,,,,,,,\n"
                           "a,\"bert, all \"\"removed\"\"\",bert,post_norm,all,28,1,0.1,,,,,,,33.25,,,,,,,,,inf,,8\n");
}

TEST_F(ExportTest, JsonLinesHoldReadingsAndPredictions) {
  std::ostringstream out;
  export_jsonl(store_, out);
  std::istringstream lines(out.str());
  std::string line;
  std::getline(lines, line);
  EXPECT_FALSE(Json::parse(line).contains("readings"));
  std::getline(lines, line);
  const auto json = Json::parse(line);
  EXPECT_EQ(json["run"], "a");
  EXPECT_EQ(json["epoch"], 1);
  EXPECT_TRUE(json["noisy_loss"].is_null()) << "JSON has no infinity";
  EXPECT_EQ(json["readings"], Json::parse(R"([{"split": "test", "metric": "gradient_norm", "layer": 2,
                                               "role": "attention", "value": 0.25}])"));
  EXPECT_EQ(json["noisy_predictions"],
            Json::parse(R"([{"row": 7, "source_row": 9, "given_label": "joy", "true_label": "surprise",
                             "predicted_label": "joy"}])"));
  EXPECT_FALSE(std::getline(lines, line));
}

}  // namespace
}  // namespace normscope
