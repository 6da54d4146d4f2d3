// Per-row gradients of packed passes against the reference's fixtures, passes of one row, and numeric differentiation.
#include "probes/gradient_probe.h"

#include <ATen/ops/cross_entropy_loss.h>

#include <numeric>

#include "models/edited_checkpoint.h"

namespace normscope {
namespace {

using torch::Tensor;

TokenRows token_rows() {
  TokenRows rows;
  rows.input_ids = {{5, 6, 7, 8}, {9}, {10, 11, 12, 13, 14, 15, 16, 17, 18}, {20, 21, 5}, {30, 31, 32, 33, 34}};
  return rows;
}
const std::vector<int> kLabels = {0, 3, 1, 4, 2};
const std::vector<int64_t> kAll = {0, 1, 2, 3, 4};

Model load(const std::string& fixture, std::optional<Placement> placement = {}) {
  auto options = exact_options();
  options.build.placement = placement;
  options.load.random_start = placement.has_value();
  options.load.init_seed = 5;
  return load_model(open_checkpoint(model_fixture(fixture).string()), options);
}

ProbeOptions options_of(int64_t batch_size) {
  ProbeOptions options;
  options.batch_size = batch_size;
  options.padded_length = 12;
  return options;
}

void expect_close(double found, double expected, double tolerance, const std::string& what) {
  EXPECT_LE(std::abs(found - expected), tolerance * std::max(std::abs(expected), 1e-12))
      << what << ": " << found << " against " << expected;
}

class GradientProbe : public testing::TestWithParam<std::string> {};

// |g| of every row at every norm, from the gradients that transformers gave for the padded batch.
TEST_P(GradientProbe, EqualsTheReference) {
  const auto folder = model_fixture(GetParam());
  std::map<std::string, Tensor> inputs, expected;
  const auto input_bytes = read_file(folder / "inputs.safetensors", ErrorKind::Checkpoint);
  const auto bytes = read_file(folder / "expected.safetensors", ErrorKind::Checkpoint);
  for (const auto& [name, view] : parse_safetensors(input_bytes, nullptr))
    inputs[name] = to_tensor(view, torch::kInt64);
  for (const auto& [name, view] : parse_safetensors(bytes, nullptr))
    if (name.starts_with("norm_input_grad.") || name == "logits") expected[name] = to_tensor(view, torch::kFloat64);
  const auto ids = inputs.at("input_ids"), mask = inputs.at("attention_mask");
  TokenRows rows;
  ProbeOptions options;
  LabelChoice choice{"learning", {}};
  for (int64_t i = 0; i < ids.size(0); ++i) {
    std::vector<int64_t> row;
    for (int64_t t = 0; t < ids.size(1); ++t)
      if (mask[i][t].item<int64_t>() != 0) row.push_back(ids[i][t].item<int64_t>());
    if (mask[i][0].item<int64_t>() == 0) options.batch.padded_length = ids.size(1);  // left padded: shifted positions
    rows.input_ids.push_back(row);
    choice.labels.push_back(static_cast<int>(inputs.at("labels")[i].item<int64_t>()));
  }
  std::vector<int64_t> all(rows.input_ids.size());
  std::iota(all.begin(), all.end(), 0);
  auto load_options = exact_options(expected.at("logits").size(1));
  const auto model = load_model(open_checkpoint(folder.string()), load_options);
  const auto probed = probe_gradients(model, rows, all, std::span(&choice, 1), options);
  for (const auto& norm : probed.gradients[0].norms) {
    auto gradient = expected.at("norm_input_grad." + norm.name);
    const auto real = mask.to(torch::kFloat64).unsqueeze(2);
    if (gradient.size(1) > real.size(1)) gradient = gradient.narrow(1, 0, real.size(1));  // Longformer pads further
    const auto norms = (gradient * real).square().sum({1, 2}).sqrt();
    const double largest = norms.max().item<double>();
    for (size_t i = 0; i < norm.total.size(); ++i)
      EXPECT_NEAR(norm.total[i], norms[static_cast<int64_t>(i)].item<double>(), 2e-6 * largest) << norm.name;
  }
}

// Everything a row gets in company is what it gets alone.
TEST_P(GradientProbe, RowsGiveTheSameInPassesOfOne) {
  const auto model = load(GetParam());
  const LabelChoice choices[] = {{"learning", kLabels}, {"random_labels", {1, 0, 2, 2, 0}}};
  const auto rows = token_rows();
  const auto together = probe_gradients(model, rows, kAll, choices, options_of(5));
  const auto alone = probe_gradients(model, rows, kAll, choices, options_of(1));
  for (size_t c = 0; c < 2; ++c)
    for (size_t n = 0; n < model.norms.size(); ++n) {
      const auto &a = together.gradients[c].norms[n], &b = alone.gradients[c].norms[n];
      for (const auto& field : kGradientFields) {
        ASSERT_EQ((a.*field.member).size(), (b.*field.member).size()) << field.name;
        for (size_t i = 0; i < (a.*field.member).size(); ++i)
          expect_close((a.*field.member)[i], (b.*field.member)[i], 1e-8, a.name + " " + std::string(field.name));
      }
      expect_close(a.paper, b.paper, 1e-8, "paper");
      expect_close(a.news_script, b.news_script, 1e-8, "news_script");
    }
  for (size_t n = 0; n < model.norms.size(); ++n)
    for (const auto& field : kNormInputFields) {
      const auto &a = together.inputs.norms[n].*field.member, &b = alone.inputs.norms[n].*field.member;
      ASSERT_EQ(a.size(), b.size());
      for (size_t i = 0; i < a.size(); ++i) expect_close(a[i], b[i], 1e-8, std::string(field.name));
    }
}

// A row's own pass, with autograd's own gradients of the parameters and of what stands at the norm.
TEST_P(GradientProbe, AgreesWithAPlainBackwardPassOfOneRow) {
  const auto model = load(GetParam());
  const LabelChoice choice{"learning", kLabels};
  const auto rows = token_rows();
  const auto options = options_of(5);
  const auto probed = probe_gradients(model, rows, kAll, std::span(&choice, 1), options);
  struct Watch : Observer {
    std::map<std::string, Tensor> inputs, outputs;
    Tensor norm_input(const NormSite& site, const Tensor& x) override {
      x.retain_grad();
      return inputs[site.name] = x;
    }
    Tensor norm_output(const NormSite& site, const Tensor& y) override {
      y.retain_grad();
      return outputs[site.name] = y;
    }
  };
  std::map<std::string, Tensor> script, news;
  for (size_t i = 0; i < kLabels.size(); ++i) {
    for (const auto& parameter : model.parameters.all()) parameter->value.mutable_grad().reset();
    Watch watch;
    const auto logits = logits_of(model, rows_of({rows.input_ids[i]}), &watch);
    at::cross_entropy_loss(logits, torch::tensor({static_cast<int64_t>(kLabels[i])})).backward();
    const auto p_minus_y =
        logits.detach().softmax(1)[0] - torch::one_hot(torch::tensor(static_cast<int64_t>(kLabels[i])), 5);
    for (size_t n = 0; n < model.norms.size(); ++n) {
      const auto& norm = *model.norms[n];
      const auto& found = probed.gradients[0].norms[n];
      const auto g = watch.inputs.at(norm.site().name).grad();
      const double total = g.norm().item<double>();
      const auto x = watch.inputs.at(norm.site().name).detach();
      const auto centred = norm.kind() == NormKind::LayerNorm ? x - x.mean(1, true) : x;
      const auto sigma = (centred.square().mean(1, true) + norm.eps()).sqrt();
      expect_close(found.total[i], total, 1e-9, "total");
      expect_close(found.scale_free[i], (sigma * g).norm().item<double>(), 1e-9, "scale_free");
      expect_close(found.first_token[i], g[0].norm().item<double>(), 1e-9, "first_token");
      expect_close(found.last_token[i], g[-1].norm().item<double>(), 1e-9, "last_token");
      expect_close(found.gain[i], total / p_minus_y.norm().item<double>(), 1e-9, "gain");
      expect_close(found.output[i], watch.outputs.at(norm.site().name).grad().norm().item<double>(), 1e-9, "output");
      if (norm.weight())
        expect_close(found.weight[i], norm.weight()->value.grad().norm().item<double>(), 1e-9, "weight");
      if (norm.bias()) expect_close(found.bias[i], norm.bias()->value.grad().norm().item<double>(), 1e-9, "bias");
      expect_close(probed.inputs.norms[n].sigma[i], sigma.mean().item<double>(), 1e-9, "sigma");
      expect_close(probed.inputs.norms[n].sigma_of_mean[i], x.mean(0).std().item<double>(), 1e-9, "sigma_of_mean");
      if (model.network.placement != Placement::PostNorm) continue;
      expect_close(found.branch[i], total, 1e-9, "branch is total in Post-LN");
      // The scripts' forms, literally: abs, mean over 12 padded tokens, mean over rows, norm over features.
      auto& sum = script[norm.site().name];
      auto& counted = news[norm.site().name];
      const auto mean = g.abs().sum(0) / 12;
      sum = i == 0 ? mean : sum + mean;
      counted = i == 0 ? at::zeros_like(mean) : counted + static_cast<double>(i) * mean;
    }
    // The first feed-forward map's weight: the widest one of the block.
    for (const auto& found : probed.gradients[0].norms) {
      if (found.role != "feed_forward") continue;
      ASSERT_EQ(found.feed_forward_weight.size(), kLabels.size());
      bool any = false;
      for (const auto& parameter : model.parameters.all()) {
        if (parameter->value.dim() != 2 || !parameter->value.grad().defined()) continue;
        const double norm = parameter->value.grad().norm().item<double>();
        any = any || std::abs(norm - found.feed_forward_weight[i]) < 1e-9 * norm;
      }
      EXPECT_TRUE(any) << found.name << ": no weight has this gradient";
    }
  }
  for (const auto& [name, sum] : script)
    for (const auto& found : probed.gradients[0].norms)
      if (found.name == name) {
        expect_close(found.paper, (sum / 5).norm().item<double>(), 1e-9, "paper");
        expect_close(found.news_script, (news.at(name) / 5).norm().item<double>(), 1e-9, "news_script");
      }
}

INSTANTIATE_TEST_SUITE_P(All, GradientProbe, testing::ValuesIn(text_fixtures()),
                         [](const auto& info) { return info.param; });

// Moves what one norm reads, alone or with the residual stream around it, by a multiple of a direction.
struct Shift : Observer {
  std::string norm;
  int depth = -1;
  Tensor by;
  Tensor norm_input(const NormSite& site, const Tensor& x) override { return site.name == norm ? x + by : x; }
  Tensor hidden_states(int at, const Tensor& x) override { return at == depth ? x + by : x; }
};

// The slope of the loss along a direction is the gradient's product with it: numerically for the norm's own view
// (branch) and for the stream itself (total), and the probe's |g| is the slope along g.
TEST(GradientProbe, BranchAndTotalAreSlopes) {
  for (const std::string fixture : {"gpt2", "gpt_neox", "qwen2"}) {
    const auto model = load(fixture, Placement::PreNorm);
    const auto rows = token_rows();
    const LabelChoice choice{"learning", kLabels};
    const auto probed = probe_gradients(model, rows, kAll, std::span(&choice, 1), options_of(5));
    size_t n = 0;
    while (model.norms[n]->site().role != NormRole::Attention || model.norms[n]->site().layer != 1) ++n;
    const auto& site = model.norms[n]->site();
    const auto row = rows_of({rows.input_ids[2]});
    const auto label = torch::tensor({static_cast<int64_t>(kLabels[2])});
    for (const bool is_branch : {true, false}) {
      Shift shift;
      if (is_branch) {
        shift.norm = site.name;
      } else {
        shift.depth = site.layer;
      }
      const auto loss_at = [&](const Tensor& by) {
        shift.by = by;
        return at::cross_entropy_loss(logits_of(model, row, &shift), label);
      };
      auto by = at::zeros({9, 32}, torch::kFloat64).requires_grad_();
      loss_at(by).backward();  // only to know in which direction the loss is steepest
      const auto direction = by.grad() / by.grad().norm();
      torch::NoGradGuard no_grad;
      const double h = 1e-4;
      const double slope = (loss_at(h * direction) - loss_at(-h * direction)).item<double>() / (2 * h);
      const auto& norm = probed.gradients[0].norms[n];
      expect_close(is_branch ? norm.branch[2] : norm.total[2], slope, 1e-5,
                   fixture + (is_branch ? " branch" : " total"));
    }
    EXPECT_GT(std::abs(probed.gradients[0].norms[n].branch[2] / probed.gradients[0].norms[n].total[2] - 1), 1e-3)
        << "in Pre-LN the two are different quantities";
  }
}

// A row fitted so well that float32 knows no p other than 1 still has its gain: the one of float64.
TEST(GradientProbe, GainsOfWellFittedRowsSurviveFloat32) {
  const auto probe = [](torch::ScalarType dtype) {
    auto options = exact_options();
    options.load.dtype = dtype;
    const auto model = load_model(open_checkpoint(model_fixture("bert").string()), options);
    torch::NoGradGuard no_grad;
    for (const auto& parameter : model.parameters.all())
      if (parameter->name == "classifier.bias") parameter->value[2] += 40;
    torch::AutoGradMode with_gradients(true);
    const LabelChoice choice{"memorization", {2, 2, 2, 2, 2}};
    return probe_gradients(model, token_rows(), kAll, std::span(&choice, 1), options_of(5)).gradients[0];
  };
  const auto exact = probe(torch::kFloat64), rounded = probe(torch::kFloat32);
  EXPECT_LT(exact.logits[0], 1e-15);
  for (size_t n = 0; n < exact.norms.size(); ++n)
    for (size_t i = 0; i < 5; ++i)
      expect_close(rounded.norms[n].gain[i], exact.norms[n].gain[i], 1e-3, exact.norms[n].name);
}

TEST(GradientProbe, RemovedNormsHaveNoParametersToDifferentiate) {
  auto model = load("bert");
  for (const auto& norm : model.norms) norm->remove_affine(model.parameters);
  const LabelChoice choice{"learning", kLabels};
  const auto probed = probe_gradients(model, token_rows(), kAll, std::span(&choice, 1), options_of(2));
  for (const auto& norm : probed.gradients[0].norms) {
    EXPECT_TRUE(norm.weight.empty() && norm.bias.empty());
    EXPECT_EQ(norm.total.size(), kLabels.size());
  }
}

// Causal attention of equal scores: query i spreads evenly over i + 1 keys.
TEST(AttentionProbe, EvenAttentionHasTheEntropyOfItsKeys) {
  auto model = load("gpt2");
  torch::NoGradGuard no_grad;
  for (const auto& parameter : model.parameters.all())
    if (parameter->name.ends_with("attn.c_attn.weight") || parameter->name.ends_with("attn.c_attn.bias"))
      parameter->value.zero_();
  const auto rows = token_rows();
  const LabelChoice choice{"learning", kLabels};
  Probed probed;
  {
    torch::AutoGradMode with_gradients(true);
    probed = probe_gradients(model, rows, kAll, std::span(&choice, 1), options_of(5));
  }
  probe_attention(model, rows, kAll, options_of(2), probed.inputs);
  for (const auto& norm : probed.inputs.norms) {
    if (norm.role != "attention") {
      EXPECT_TRUE(norm.attention_entropy.empty());
      continue;
    }
    for (size_t i = 0; i < rows.input_ids.size(); ++i) {
      double sum = 0, padded = 0;
      const size_t tokens = rows.input_ids[i].size();
      for (size_t t = 1; t <= tokens; ++t) sum += std::log(static_cast<double>(t));
      for (size_t t = 1; t <= 12 - tokens; ++t) padded += std::log(static_cast<double>(t));
      EXPECT_NEAR(norm.attention_entropy[i], sum / static_cast<double>(tokens), 1e-12);
      EXPECT_NEAR(norm.padded_attention_entropy[i], (sum + padded) / 12, 1e-12);
    }
  }
}

}  // namespace
}  // namespace normscope
