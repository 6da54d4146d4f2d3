// Files of probabilities: the forms that are understood, and the messages for those that are not.
#include "data/prediction_file.h"

#include "data/data_test.h"

namespace normscope {
namespace {

PredictionFile parse(const std::string& bytes, const PredictionColumns& columns = {}) {
  return parse_predictions(bytes, "p.csv", columns);
}

TEST(PredictionFile, TakesEveryOtherColumnAsAClass) {
  const auto file = parse("given_label,cat,dog,true_label\ncat,0.25,0.75,dog\ndog,0,1,dog\n");
  EXPECT_EQ(file.classes, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(file.labels, (std::vector<int>{0, 1}));
  EXPECT_EQ(file.true_labels, (std::vector<int>{1, 1}));
  EXPECT_EQ(file.rows, (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(file.values, (std::vector<double>{0.25, 0.75, 0, 1}));
  EXPECT_FALSE(file.are_logits);
}

TEST(PredictionFile, ReadsTheLogitsOfPredictionsCsv) {
  const auto file = parse("row,label,predicted_label,logit_cat,\"logit_a, b\"\n7,\"a, b\",cat,3,-2.5\n");
  EXPECT_EQ(file.classes, (std::vector<std::string>{"cat", "a, b"}));
  EXPECT_TRUE(file.are_logits);
  EXPECT_EQ(file.rows, (std::vector<int64_t>{7}));
  EXPECT_EQ(file.labels, (std::vector<int>{1}));
  EXPECT_EQ(file.values, (std::vector<double>{3, -2.5}));
}

TEST(PredictionFile, OrdersClassesAsAsked) {
  const auto file = parse("label,prob_a,note,prob_b\n1,0.125,x,0.875\n", {.classes = {"b", "a"}});
  EXPECT_EQ(file.classes, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(file.labels, (std::vector<int>{1}));  // a number, where no class is one, is a place in the order
  EXPECT_EQ(file.values, (std::vector<double>{0.875, 0.125}));
}

TEST(PredictionFile, TakesLabelsFromAnotherFile) {
  const std::string probabilities = "a,b\n0.5,0.5\n1,0\n";
  for (const std::string labels : {"a\nb\n", "labels\na\nb\n", "text,label\n\"x, y\",a\nz,b\n"})
    EXPECT_EQ(parse_predictions(probabilities, "p.csv", {}, labels, "l.csv").labels, (std::vector<int>{0, 1}))
        << labels;
}

std::string refused(const std::string& bytes, const PredictionColumns& columns = {}, ErrorKind kind = ErrorKind::Data) {
  return error_of([&] { parse(bytes, columns); }, kind);
}

TEST(PredictionFile, NamesLineAndReason) {
  EXPECT_EQ(refused(""), "p.csv:1: expected a header line, found an empty file");
  EXPECT_EQ(refused("label,a,b\n"), "p.csv: expected rows of probabilities, found none");
  EXPECT_EQ(refused("label,a,b\na,0.5,0.5\na,0.5,0.25\n"),
            "p.csv:3: the probabilities sum to 0.75; expected 1 (logits go in columns logit_<class>)");
  EXPECT_EQ(refused("label,a,b\na,-1.5,2.5\n"),
            "p.csv:2: a is -1.5; expected a probability from 0 to 1 (logits go in columns logit_<class>)");
  EXPECT_EQ(refused("label,a,b\na,nan,1\n"), "p.csv:2: a is \"nan\"; expected a number");
  EXPECT_EQ(refused("label,a,b\na,,1\n"), "p.csv:2: a is \"\"; expected a number");
  EXPECT_EQ(refused("label,a,b\nc,0.5,0.5\n"),
            "p.csv:2: label: class \"c\" does not exist; classes are a, b; did you mean \"a\"?");
  EXPECT_EQ(refused("label,a,b\na,1\n"), "p.csv:2: expected 3 fields as in the header, found 2");
  EXPECT_EQ(refused("label,a\na,1\n"),
            "p.csv:1: expected a column of probabilities for each of two or more classes; columns are label, a");
  EXPECT_EQ(refused("label,a,a\na,0,1\n"), "p.csv:1: column \"a\" appears more than once");
  EXPECT_EQ(refused("a,b\n0,1\n"),
            "p.csv:1: no column \"label\"; columns are a, b; --labels FILE names a file of the labels");
  EXPECT_EQ(refused("labl,a,b\na,0,1\n", {.label = "label"}),
            "p.csv:1: no column \"label\"; columns are labl, a, b; did you mean \"labl\"?");
  EXPECT_EQ(refused("label,a,b\na,0,1\n", {.classes = {"a", "c"}}, ErrorKind::Usage),
            "p.csv:1: --labels: no column of probabilities for \"c\"; they are a, b");
  EXPECT_EQ(refused("row,label,a,b\n-1,a,0,1\n"), "p.csv:2: row is \"-1\"; expected an integer of at least 0");
}

TEST(PredictionFile, NamesWhatIsWrongWithTheLabels) {
  const auto labels_refused = [](const std::string& labels) {
    return error_of([&] { parse_predictions("a,b\n0.5,0.5\n1,0\n", "p.csv", {}, labels, "l.csv"); }, ErrorKind::Data);
  };
  EXPECT_EQ(labels_refused(""), "l.csv:1: expected labels, found an empty file");
  EXPECT_EQ(labels_refused("a\n"), "l.csv: expected 2 labels, one for each row of p.csv, found 1");
  EXPECT_EQ(labels_refused("a\nc\n"),
            "l.csv:2: label: class \"c\" does not exist; classes are a, b; did you mean \"a\"?");
  EXPECT_EQ(labels_refused("x,y\na,b\n"), "l.csv:1: no column \"label\"; columns are x, y");
}

}  // namespace
}  // namespace normscope
