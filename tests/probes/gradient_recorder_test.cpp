// What training records of its own gradients, against the probe's separate passes, and its absence of any effect.
#include "training/gradient_recorder.h"

#include <ATen/ops/cross_entropy_loss.h>

#include <numeric>

#include "models/edited_checkpoint.h"
#include "probes/gradient_probe.h"
#include "training/trainer.h"

namespace normscope {
namespace {

TokenRows rows_with_labels() {
  TokenRows rows;
  rows.input_ids = {{5, 6, 7, 8}, {9}, {10, 11, 12, 13, 14, 15, 16, 17, 18}, {20, 21, 5}, {30, 31, 32, 33, 34}};
  rows.labels = {0, 3, 1, 4, 2};
  return rows;
}
const std::vector<bool> kIsNoisy = {false, true, false, false, true};

// Without dropout unless asked, so that train mode is eval mode.
Model load(const std::string& fixture, torch::ScalarType dtype, std::optional<double> dropout = 0.0) {
  auto options = exact_options();
  options.load.dtype = dtype;
  options.dropout = dropout;
  return load_model(open_checkpoint(model_fixture(fixture).string()), options);
}

TrainerOptions options_for(torch::ScalarType dtype, int64_t batch_size) {
  TrainerOptions options;
  options.batch_size = batch_size;
  options.schedule.learning_rate = 1e-3;
  options.batch.dtype = dtype;
  options.shuffle_seed = options.dropout_seed = 3;
  return options;
}

const auto kGoOn = [](const EpochProgress&) { return false; };

class Recorder : public testing::TestWithParam<std::string> {};

TEST_P(Recorder, MeansOverRowsAreThoseOfSeparatePasses) {
  const auto rows = rows_with_labels();
  auto model = load(GetParam(), torch::kFloat64);
  std::vector<int64_t> all(rows.labels.size());
  std::iota(all.begin(), all.end(), 0);
  const LabelChoice choice{"given", rows.labels};
  const auto expected = probe_gradients(model, rows, all, std::span(&choice, 1), {}).gradients[0];

  GradientRecorder recorder(model, kIsNoisy);
  auto options = options_for(torch::kFloat64, 2);
  options.gradient_accumulation = 3;  // one update: every batch meets the parameters that the probe met
  options.recorder = &recorder;
  Trainer trainer(model, rows, options);
  ASSERT_TRUE(trainer.run_epoch(kGoOn));
  EXPECT_EQ(recorder.clean_rows(), 3);
  EXPECT_EQ(recorder.noisy_rows(), 2);
  ASSERT_EQ(recorder.norms().size(), expected.norms.size());
  for (size_t n = 0; n < expected.norms.size(); ++n) {
    double clean = 0, noisy = 0;
    for (size_t i = 0; i < kIsNoisy.size(); ++i) (kIsNoisy[i] ? noisy : clean) += expected.norms[n].total[i];
    EXPECT_NEAR(recorder.norms()[n].clean, clean, 1e-9 * clean) << expected.norms[n].name;
    EXPECT_NEAR(recorder.norms()[n].noisy, noisy, 1e-9 * noisy) << expected.norms[n].name;
  }
}

TEST_P(Recorder, GradientsOfWAndBAreThoseOfTheLoss) {
  const auto rows = rows_with_labels();
  auto model = load(GetParam(), torch::kFloat64), plain = load(GetParam(), torch::kFloat64);
  GradientRecorder recorder(model, kIsNoisy);
  auto options = options_for(torch::kFloat64, 5);
  options.recorder = &recorder;
  Trainer trainer(model, rows, options);
  ASSERT_TRUE(trainer.run_epoch(kGoOn));

  const std::vector<int64_t> all = {0, 1, 2, 3, 4};
  const auto batch = make_batch(rows, all, options.batch);
  Pass pass;
  pass.rows = batch.rows;
  at::cross_entropy_loss(plain.forward(batch.inputs, pass), batch.labels).backward();
  for (size_t n = 0; n < plain.norms.size(); ++n) {
    const auto length = [](const ParameterPtr& p) {
      return p ? p->value.grad().square().sum().sqrt().item<double>() : 0.0;
    };
    const auto& sums = recorder.norms()[n];
    const double weight = length(plain.norms[n]->weight()), bias = length(plain.norms[n]->bias());
    EXPECT_NEAR(sums.weight, weight, 1e-9 * weight) << plain.norms[n]->site().name;
    EXPECT_NEAR(sums.bias, bias, 1e-9 * bias + 1e-12) << plain.norms[n]->site().name;
    EXPECT_EQ(sums.weight_updates, 1);
    EXPECT_EQ(sums.bias_updates, plain.norms[n]->bias() ? 1 : 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Recorder, testing::Values("bert", "gpt2", "deberta", "qwen2", "longformer"),
                         [](const auto& info) { return info.param; });

std::vector<float> values_of(const Model& model) {
  std::vector<float> all;
  for (const auto& p : model.parameters.all()) {
    const auto flat = p->value.detach().contiguous();
    all.insert(all.end(), flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel());
  }
  return all;
}

TEST(GradientRecorder, LeavesNoTraceAndGoesOnWhereItStopped) {
  const auto rows = rows_with_labels();
  auto plain = load("bert", torch::kFloat32, 0.1), watched = load("bert", torch::kFloat32, 0.1),
       stopped = load("bert", torch::kFloat32, 0.1), resumed = load("bert", torch::kFloat32, 0.1);
  GradientRecorder whole(watched, kIsNoisy), first_part(stopped, kIsNoisy), second_part(resumed, kIsNoisy);
  const auto trainer_of = [&](Model& model, GradientRecorder* recorder) {
    auto options = options_for(torch::kFloat32, 2);
    options.recorder = recorder;
    return Trainer(model, rows, options);
  };
  auto a = trainer_of(plain, nullptr), b = trainer_of(watched, &whole), c = trainer_of(stopped, &first_part),
       d = trainer_of(resumed, &second_part);
  for (auto* trainer : {&a, &b}) ASSERT_TRUE(trainer->run_epoch(kGoOn));
  EXPECT_EQ(values_of(plain), values_of(watched));

  int steps = 0;
  ASSERT_FALSE(c.run_epoch([&](const EpochProgress&) { return ++steps == 2; }));
  const auto path = std::filesystem::path(testing::TempDir()) / "normscope_recorder_state";
  c.save_state(path, "");
  d.load_state(path);
  ASSERT_TRUE(d.run_epoch(kGoOn));
  EXPECT_EQ(second_part.state(), whole.state());
  EXPECT_EQ(values_of(resumed), values_of(watched));

  ASSERT_TRUE(b.run_epoch(kGoOn));
  EXPECT_EQ(whole.clean_rows() + whole.noisy_rows(), 5) << "every epoch starts anew";
  EXPECT_FALSE(whole.set_state(std::vector<double>(3)));
}

}  // namespace
}  // namespace normscope
