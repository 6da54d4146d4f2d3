// The training loop: its arithmetic against plain formulas, and stopping at any step without a trace.
#include "training/trainer.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/error.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

Model tiny_model(const std::string& name, torch::ScalarType dtype = torch::kFloat32) {
  ModelOptions options;
  options.load.dtype = dtype;
  options.build.num_labels = 5;
  return load_model(open_checkpoint((fs::path(NORMSCOPE_FIXTURES) / "models" / name).string()), options);
}

TokenRows tiny_rows(int64_t count) {
  TokenRows rows;
  RandomStream random(5, "rows");
  for (int64_t i = 0; i < count; ++i) {
    std::vector<int64_t> ids(2 + random.below(9));
    for (auto& id : ids) id = static_cast<int64_t>(1 + random.below(90));
    rows.input_ids.push_back(ids);
    rows.labels.push_back(static_cast<int>(random.below(5)));
  }
  return rows;
}

TrainerOptions options() {
  TrainerOptions o;
  o.batch_size = 4;
  o.schedule.learning_rate = 1e-3;
  o.shuffle_seed = o.dropout_seed = 3;
  return o;
}

std::vector<float> values_of(const Model& model) {
  std::vector<float> all;
  for (const auto& p : model.parameters.all()) {
    const auto flat = p->value.detach().to(torch::kFloat32).contiguous();
    all.insert(all.end(), flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel());
  }
  return all;
}

const auto kGoOn = [](const EpochProgress&) { return false; };

class ResumeAt : public testing::TestWithParam<int> {};

TEST_P(ResumeAt, IsBitIdentical) {
  const auto rows = tiny_rows(22);
  auto whole = tiny_model("bert");
  Trainer undisturbed(whole, rows, options());
  for (int epoch = 0; epoch < 2; ++epoch) ASSERT_TRUE(undisturbed.run_epoch(kGoOn));

  const auto path = fs::path(testing::TempDir()) / ("normscope_state_" + std::to_string(GetParam()));
  {
    auto model = tiny_model("bert");
    Trainer trainer(model, rows, options());
    int steps = 0;
    while (steps < GetParam() && trainer.epoch() < 2)
      trainer.run_epoch([&](const EpochProgress&) { return ++steps == GetParam(); });
    trainer.save_state(path, "note");
  }
  auto model = tiny_model("bert");
  Trainer resumed(model, rows, options());
  EXPECT_EQ(resumed.load_state(path), "note");
  while (resumed.epoch() < 2) ASSERT_TRUE(resumed.run_epoch(kGoOn));
  EXPECT_EQ(values_of(model), values_of(whole));
  EXPECT_EQ(resumed.progress().loss_sum, undisturbed.progress().loss_sum);
  EXPECT_EQ(resumed.epoch_logits().values, undisturbed.epoch_logits().values);
  EXPECT_EQ(resumed.steps(), 12);
}

// 6 steps an epoch: inside the first, at its end, at the start and inside the second.
INSTANTIATE_TEST_SUITE_P(Steps, ResumeAt, testing::Values(1, 4, 6, 7, 11));

TEST(Trainer, AnotherSeedGivesAnotherRun) {
  const auto rows = tiny_rows(12);
  auto a = tiny_model("bert"), b = tiny_model("bert");
  auto other = options();
  other.dropout_seed = 4;
  Trainer first(a, rows, options()), second(b, rows, other);
  first.run_epoch(kGoOn);
  second.run_epoch(kGoOn);
  EXPECT_NE(values_of(a), values_of(b));
}

TEST(Trainer, AccumulationEqualsOneLargeBatch) {
  const auto rows = tiny_rows(15);
  for (const auto* name : {"bert", "gpt2"}) {
    auto a = tiny_model(name, torch::kFloat64), b = tiny_model(name, torch::kFloat64);
    for (auto* model : {&a, &b})
      *model = [&] {
        ModelOptions o;
        o.load.dtype = torch::kFloat64;
        o.build.num_labels = 5;
        o.dropout = 0.0;
        return load_model(open_checkpoint((fs::path(NORMSCOPE_FIXTURES) / "models" / name).string()), o);
      }();
    auto large = options(), small = options();
    large.batch_size = 8;
    small.batch_size = 2;
    small.gradient_accumulation = 4;
    large.batch.dtype = small.batch.dtype = torch::kFloat64;
    Trainer one(a, rows, large), many(b, rows, small);
    one.run_epoch(kGoOn);
    many.run_epoch(kGoOn);
    const auto x = values_of(a), y = values_of(b);
    for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 1e-6) << name;
    EXPECT_EQ(one.steps(), many.steps());
  }
}

TEST(Trainer, ClippingBoundsTheGradient) {
  const auto rows = tiny_rows(4);
  auto model = tiny_model("bert");
  const auto before = values_of(model);
  auto o = options();
  o.optimizer.kind = "sgd";
  o.schedule.learning_rate = 1;
  o.max_grad_norm = 0.01;
  Trainer trainer(model, rows, o);
  trainer.run_epoch(kGoOn);
  const auto after = values_of(model);
  double squares = 0;
  for (size_t i = 0; i < after.size(); ++i) squares += std::pow(double(after[i]) - before[i], 2);
  EXPECT_NEAR(std::sqrt(squares), 0.01, 1e-5) << "sgd at rate 1 moves by the clipped gradient";
}

TEST(Trainer, StopsAtANonFiniteLossWithTheParametersBefore) {
  const auto rows = tiny_rows(8);
  auto model = tiny_model("bert");
  auto o = options();
  o.schedule.learning_rate = 1e30;
  Trainer trainer(model, rows, o);
  std::vector<float> last;
  try {
    for (int epoch = 0; epoch < 5; ++epoch)
      trainer.run_epoch([&](const EpochProgress&) {
        last = values_of(model);
        return false;
      });
    FAIL() << "the loss stayed finite";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Run);
    EXPECT_NE(std::string(error.what()).find("the loss became"), std::string::npos);
  }
  EXPECT_EQ(values_of(model).size(), last.size());
  const auto now = values_of(model);
  EXPECT_TRUE(std::equal(now.begin(), now.end(), last.begin(),
                         [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }));
}

TEST(Trainer, RefusesAStateOfAnotherModel) {
  const auto rows = tiny_rows(6);
  auto bert = tiny_model("bert"), gpt2 = tiny_model("gpt2");
  Trainer a(bert, rows, options()), b(gpt2, rows, options());
  const auto path = fs::path(testing::TempDir()) / "normscope_state_other";
  a.save_state(path, "");
  EXPECT_THROW(b.load_state(path), Error);
}

TEST(AdamW, EqualsItsFormulaStepByStep) {
  ParameterSet parameters;
  auto p = std::make_shared<Parameter>();
  p->name = "p";
  p->value = torch::tensor({1.0, -2.0, 3.0}, torch::kFloat64).requires_grad_();
  parameters.add(p);
  FlatParameters flat(parameters);
  OptimizerOptions o;
  o.weight_decay = 0.1;
  const auto optimizer = make_optimizer(o, flat);
  std::vector<double> x = {1, -2, 3}, m(3), v(3);
  for (int t = 1; t <= 5; ++t) {
    for (int i = 0; i < 3; ++i) {
      const double g = std::sin(t + i);
      flat.gradients()[i] = g;
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      x[i] -= 0.01 * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)) * m[i] / (std::sqrt(v[i]) + 1e-6);
      x[i] -= 0.01 * 0.1 * x[i];
    }
    optimizer->step(0.01, 1);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(p->value[i].item<double>(), x[i], 1e-14);
  }
}

TEST(Schedule, WarmsUpThenFollowsItsShape) {
  const Schedule linear{"linear", 1.0, 10, 110}, cosine{"cosine", 1.0, 10, 110}, constant{"constant", 1.0, 10, 110};
  for (const auto& s : {linear, cosine, constant}) EXPECT_DOUBLE_EQ(s.at(5), 0.5);
  EXPECT_DOUBLE_EQ(linear.at(60), 0.5);
  EXPECT_DOUBLE_EQ(cosine.at(60), 0.5);
  EXPECT_NEAR(cosine.at(35), 0.5 * (1 + std::cos(std::acos(-1.0) / 4)), 1e-15);
  EXPECT_DOUBLE_EQ(constant.at(109), 1);
  EXPECT_DOUBLE_EQ(linear.at(110), 0);
}

}  // namespace
}  // namespace normscope
