// Every intervention on every text architecture: its algebra, what is refused, what a saved checkpoint remembers, what
// is put back, and changes between epochs that an interruption leaves no trace in.
#include <algorithm>

#include "core/error.h"
#include "experiments/open_model.h"
#include "interventions/applied_intervention.h"
#include "interventions/norm_selector.h"
#include "models/edited_checkpoint.h"
#include "models/save_model.h"
#include "training/trainer.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;
using torch::Tensor;

const std::vector<std::vector<int64_t>> kRows = {{5, 6, 7}, {8}, {9, 10, 11, 12, 13, 14, 15}};

// The fixture with norms and biases that are far from 1 and 0, so that losing them shows.
Model load(const std::string& fixture, torch::ScalarType dtype = torch::kFloat64) {
  auto options = exact_options();
  options.load.dtype = dtype;
  auto model = load_model(open_checkpoint(model_fixture(fixture).string()), options);
  torch::NoGradGuard no_grad;
  for (const auto& parameter : model.parameters.all())
    if (parameter->value.dim() == 1)
      parameter->value.add_(draw(Init::normal(0.3), parameter->value.sizes(), 7, parameter->name).to(dtype));
  return model;
}

Tensor logits(const Model& model) {
  torch::NoGradGuard no_grad;
  return logits_of(model, rows_of(kRows));
}

// The norms that this intervention can change.
std::vector<NormPtr> changeable(const Model& model, const Intervention& row) {
  std::vector<NormPtr> norms;
  for (const auto& norm : model.norms)
    if (row.why_not == nullptr || !row.why_not(*norm)) norms.push_back(norm);
  return norms;
}

std::set<std::string> trained(const Model& model) {
  std::set<std::string> names;
  for (const auto& parameter : model.parameters.all()) names.insert(parameter->name);
  return names;
}

std::vector<NormPtr> in_role(const std::vector<NormPtr>& norms, NormRole role) {
  std::vector<NormPtr> chosen;
  std::ranges::copy_if(norms, std::back_inserter(chosen), [&](const NormPtr& n) { return n->site().role == role; });
  return chosen;
}

void change(Model& model, const std::string& name, const std::vector<NormPtr>& norms, double alpha = 1) {
  AppliedIntervention(intervention(name), alpha, norms).apply(model.parameters);
}

std::string refusal(const std::string& name, const std::vector<NormPtr>& norms) {
  try {
    AppliedIntervention(intervention(name), 1, norms);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    return error.what();
  }
  return "accepted";
}

// -- algebra ----------------------------------------------------------------------------------------------------

TEST(Fold, LeavesTheFunctionAsItWas) {
  const std::map<std::string, std::vector<NormRole>> exact = {
      {"gpt2", {NormRole::Attention, NormRole::FeedForward}},
      {"gpt_neo", {NormRole::FeedForward}},  // query, key and value have no bias
      {"gpt_neox", {NormRole::Attention, NormRole::FeedForward}},
      {"roberta_prelayernorm", {NormRole::Attention, NormRole::FeedForward}},
      {"qwen2", {NormRole::Attention, NormRole::FeedForward, NormRole::Final}},  // no shift
  };
  for (const auto& [fixture, roles] : exact) {
    auto model = load(fixture);
    const auto before = logits(model);
    for (const auto role : {NormRole::Embedding, NormRole::Attention, NormRole::FeedForward, NormRole::Final}) {
      const auto norms = in_role(model.norms, role);
      if (norms.empty()) continue;
      const bool is_exact = std::ranges::find(roles, role) != roles.end();
      EXPECT_EQ(refusal("fold", norms) == "accepted", is_exact) << fixture << " " << role_name(role);
      if (!is_exact) continue;
      change(model, "fold", norms);
      EXPECT_LT(largest_difference(logits(model), before), 1e-10) << fixture << " " << role_name(role);
      for (const auto& norm : norms) EXPECT_FALSE(norm->affine());
    }
    auto removed = load(fixture);
    change(removed, "remove_affine", in_role(removed.norms, NormRole::FeedForward));
    EXPECT_GT(largest_difference(logits(removed), before), 1e-6) << "the fixture's norms do too little to tell";
  }
}

TEST(Fold, SaysWhyItCannot) {
  const auto bert = load("bert"), gpt_neo = load("gpt_neo");
  EXPECT_NE(refusal("fold", bert.norms).find("in Post-LN by the residual too"), std::string::npos);
  EXPECT_NE(refusal("fold", gpt_neo.norms).find("transformer.h.0.ln_1 has a shift, and a linear map"),
            std::string::npos);
}

TEST(Interpolate, GoesFromIntactToReset) {
  for (const auto* fixture : {"bert", "qwen2"}) {
    auto none = load(fixture), half = load(fixture), whole = load(fixture), reset = load(fixture);
    change(none, "interpolate", none.norms, 0);
    change(half, "interpolate", half.norms, 0.5);
    change(whole, "interpolate", whole.norms, 1);
    change(reset, "reset", reset.norms);
    const auto intact = load(fixture);
    EXPECT_EQ(largest_difference(logits(none), logits(intact)), 0) << fixture;
    EXPECT_EQ(largest_difference(logits(whole), logits(reset)), 0) << fixture;
    for (size_t i = 0; i < half.norms.size(); ++i) {
      const auto& w = half.norms[i]->weight()->value;
      EXPECT_LT(largest_difference(w, (intact.norms[i]->weight()->value + 1) / 2), 1e-15);
    }
    EXPECT_EQ(trained(half), trained(intact));
  }
}

TEST(RemoveLinearBias, EqualsZeroBiasesOfTheBlocks) {
  for (const auto& fixture : text_fixtures()) {
    auto zeroed = load(fixture), removed = load(fixture);
    std::set<std::string> own;
    for (const auto& norm : zeroed.norms)
      if (norm->bias()) own.insert(norm->bias()->name);
    std::set<std::string> biases;
    torch::NoGradGuard no_grad;
    for (const auto& parameter : zeroed.parameters.all()) {
      const auto& name = parameter->name;
      // What stands inside a numbered layer.
      const bool in_block = name.find(".layer.") != std::string::npos || name.find(".layers.") != std::string::npos ||
                            name.find(".h.") != std::string::npos;
      if (!in_block || parameter->value.dim() != 1 || own.contains(name) || !name.ends_with("bias")) continue;
      parameter->value.zero_();
      biases.insert(name);
    }
    ASSERT_FALSE(biases.empty()) << fixture;
    const auto before = trained(removed);
    change(removed, "remove_linear_bias", changeable(removed, intervention("remove_linear_bias")));
    EXPECT_EQ(largest_difference(logits(removed), logits(zeroed)), 0) << fixture;
    std::set<std::string> gone;
    std::ranges::set_difference(before, trained(removed), std::inserter(gone, gone.end()));
    EXPECT_EQ(gone, biases) << fixture;
  }
}

TEST(RemoveLinearBias, TakesTheMapsIntoOrOutOfALayer) {
  const auto gone = [](const std::string& fixture, const std::string& name, NormRole role) {
    auto model = load(fixture);
    const auto before = trained(model);
    change(model, name, {in_role(model.norms, role)[1]});
    std::set<std::string> names;
    std::ranges::set_difference(before, trained(model), std::inserter(names, names.end()));
    return names;
  };
  using Names = std::set<std::string>;
  const std::string bert = "bert.encoder.layer.1.", deberta = "deberta.encoder.layer.1.attention.";
  EXPECT_EQ(gone("bert", "remove_input_bias", NormRole::Attention),
            (Names{bert + "attention.self.query.bias", bert + "attention.self.key.bias",
                   bert + "attention.self.value.bias"}));
  EXPECT_EQ(gone("bert", "remove_output_bias", NormRole::Attention), Names{bert + "attention.output.dense.bias"});
  EXPECT_EQ(gone("bert", "remove_input_bias", NormRole::FeedForward), Names{bert + "intermediate.dense.bias"});
  EXPECT_EQ(gone("bert", "remove_output_bias", NormRole::FeedForward), Names{bert + "output.dense.bias"});
  EXPECT_EQ(gone("gpt2", "remove_input_bias", NormRole::Attention), Names{"transformer.h.1.attn.c_attn.bias"});
  EXPECT_EQ(gone("deberta", "remove_input_bias", NormRole::Attention),
            (Names{deberta + "self.q_bias", deberta + "self.v_bias", deberta + "self.pos_q_proj.bias"}));
  const auto qwen2 = load("qwen2");
  EXPECT_NE(refusal("remove_output_bias", in_role(qwen2.norms, NormRole::Attention)).find("without bias"),
            std::string::npos);
}

TEST(Interventions, SayWhichNormCannotBeChanged) {
  const auto qwen2 = load("qwen2"), bert = load("bert");
  EXPECT_NE(refusal("remove_bias", qwen2.norms).find("model.layers.0.input_layernorm has no shift"), std::string::npos);
  EXPECT_NE(refusal("to_rms_norm", qwen2.norms).find("is RMSNorm already"), std::string::npos);
  EXPECT_NE(refusal("to_layer_norm", bert.norms).find("is LayerNorm already"), std::string::npos);
  EXPECT_NE(refusal("remove_linear_bias", bert.norms).find("outside the blocks"), std::string::npos);
  EXPECT_NE(refusal("remove_linear_bias", in_role(qwen2.norms, NormRole::FeedForward)).find("without bias"),
            std::string::npos);
  EXPECT_EQ(refusal("remove_weight", qwen2.norms), "accepted");
}

// -- saved and put back ----------------------------------------------------------------------------------------

class EveryIntervention : public testing::TestWithParam<std::string> {};

TEST_P(EveryIntervention, IsRememberedByASavedCheckpoint) {
  const auto folder = fs::path(testing::TempDir()) / ("normscope_intervened_" + GetParam());
  for (const auto& row : interventions()) {
    auto model = load(GetParam(), torch::kFloat32);
    const auto norms = changeable(model, row);
    if (norms.empty()) continue;
    const auto before = trained(model);
    change(model, std::string(row.name), norms, row.has_alpha ? 0.3 : 1);
    save_model(model, {{"a", "b", "c", "d", "e"}, nlohmann::json::object(), {}}, folder);
    const auto opened = open_model(folder.string(), {});
    EXPECT_EQ(largest_difference(logits(opened.model), logits(model)), 0) << row.name;
    EXPECT_EQ(trained(opened.model), trained(model)) << row.name;
    EXPECT_EQ(opened.model.removed_norms(), model.removed_norms()) << row.name;
    EXPECT_TRUE(opened.model.unused.empty()) << row.name << " " << opened.model.unused[0];
    EXPECT_TRUE(opened.model.drawn.empty()) << row.name << " " << opened.model.drawn[0];
    const bool is_replaced = row.name.starts_with("to_");
    EXPECT_EQ(opened.checkpoint->config().at("normscope").contains("transformers"), is_replaced) << row.name;
    // A second round: what was read is written alike.
    const auto second = folder.string() + "_second";
    save_model(opened.model, {opened.labels, nlohmann::json::object(), {}}, second);
    EXPECT_EQ(read_file(fs::path(second) / "config.json", ErrorKind::Run),
              read_file(folder / "config.json", ErrorKind::Run))
        << row.name;
  }
}

TEST_P(EveryIntervention, IsPutBack) {
  for (const auto& row : interventions()) {
    if (row.put_back == PutBack::Nothing) continue;
    auto reset = load(GetParam());
    const auto intact = load(GetParam());
    change(reset, "reset", changeable(reset, row));
    for (const bool to_values : {false, true}) {
      if (to_values && row.put_back == PutBack::AtIdentity) continue;
      auto model = load(GetParam());
      const auto norms = changeable(model, row);
      if (norms.empty()) continue;
      AppliedIntervention applied(row, 1, norms);
      applied.apply(model.parameters);
      const auto changed = logits(model);
      applied.restore(model.parameters, to_values, 11);
      EXPECT_EQ(trained(model), trained(intact)) << row.name;
      for (const auto& norm : model.norms) EXPECT_EQ(norm->kind(), norm->published_kind());
      // What the logits must be, where that is known.
      const auto expected = to_values || row.name == "freeze" || row.name == "fold"    ? logits(intact)
                            : row.name == "remove_affine" || row.name == "to_identity" ? logits(reset)
                            : row.name.starts_with("to_")                              ? Tensor()
                                                                                       : changed;  // 1 and 0 do nothing
      if (expected.defined()) {
        EXPECT_LT(largest_difference(logits(model), expected), 1e-10) << row.name;
      }
      for (const auto& parameter : model.parameters.all()) EXPECT_TRUE(parameter->value.requires_grad());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, EveryIntervention, testing::ValuesIn(text_fixtures()),
                         [](const auto& info) { return info.param; });

TEST(SavedCheckpoint, StartedAtRandomHasItsReplacedNormsAtTheirStart) {
  const auto folder = fs::path(testing::TempDir()) / "normscope_random_tanh";
  auto model = load("bert");
  change(model, "to_tanh", model.norms);
  {
    torch::NoGradGuard no_grad;
    model.norms[0]->parts().slope->value.fill_(3);
  }
  save_model(model, {{"a", "b", "c", "d", "e"}, nlohmann::json::object(), {}}, folder);
  auto options = exact_options();
  const auto checkpoint = open_checkpoint(folder.string());
  EXPECT_EQ(load_model(checkpoint, options).norms[0]->parts().slope->value.item<double>(), 3);
  options.load.random_start = true;
  const auto random = load_model(checkpoint, options);
  EXPECT_EQ(random.norms[0]->kind(), NormKind::Tanh);
  EXPECT_EQ(random.norms[0]->parts().slope->value.item<double>(), Norm::kInitialSlope);
}

TEST(SavedCheckpoint, OfAnOlderVersionIsReadAndAStrangeOneRefused) {
  const EditedCheckpoint older("bert", {{"normscope", {{"removed_norms", {"bert.embeddings.LayerNorm"}}}}});
  const auto model = load_model(older.open(), exact_options());
  EXPECT_EQ(model.removed_norms(), std::vector<std::string>{"bert.embeddings.LayerNorm"});
  const nlohmann::json strange[] = {{{"norms", {{"bert.no_such_norm", nlohmann::json::object()}}}},
                                    {{"norms", {{"bert.embeddings.LayerNorm", {{"type", "sigmoid"}}}}}},
                                    {{"norms", {{"bert.embeddings.LayerNorm", {{"removed", {"scale"}}}}}}},
                                    {{"norms", {{"bert.embeddings.LayerNorm", {{"type", "tanh"}}}}}},
                                    {{"norms", {{"bert.embeddings.LayerNorm", 3}}}},
                                    {{"norms", 3}},
                                    {{"removed_biases", {"bert.pooler.dense.bias"}}},
                                    {{"removed_biases", "all"}},
                                    {{"removed_norms", {1}}}};
  for (const auto& own : strange) {
    const EditedCheckpoint edited("bert", {{"normscope", own}});
    try {
      load_model(edited.open(), exact_options());
      FAIL() << own;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Checkpoint) << error.what();
    }
  }
}

// -- between epochs ---------------------------------------------------------------------------------------------

TokenRows tiny_rows() {
  TokenRows rows;
  RandomStream random(5, "rows");
  for (int i = 0; i < 10; ++i) {
    std::vector<int64_t> ids(2 + random.below(9));
    for (auto& id : ids) id = static_cast<int64_t>(1 + random.below(90));
    rows.input_ids.push_back(ids);
    rows.labels.push_back(static_cast<int>(random.below(5)));
  }
  return rows;
}

// Four epochs of three steps: changed after the first, put back after the third.
struct ChangedRun {
  Model model;
  AppliedIntervention applied;
  Trainer trainer;

  ChangedRun(const TokenRows& rows, const std::string& fixture, const Intervention& row, const std::string& optimizer,
             bool to_values)
      : model(load(fixture, torch::kFloat32)),
        applied(row, 1, changeable(model, row)),
        trainer(model, rows, options(optimizer, to_values)) {}

  TrainerOptions options(const std::string& optimizer, bool to_values) {
    TrainerOptions o;
    o.batch_size = 4;
    o.schedule.learning_rate = 1e-3;
    o.optimizer.kind = optimizer;
    o.optimizer.momentum = 0.9;
    o.changes = {{1, [this](int64_t) { applied.apply(model.parameters); }},
                 {3, [this, to_values](int64_t steps) { applied.restore(model.parameters, to_values, steps); }}};
    o.kept = [this] { return applied.kept(); };
    return o;
  }

  // Runs on until `steps` updates in all.
  void run_to(int64_t steps) {
    while (trainer.steps() < steps) trainer.run_epoch([&](const EpochProgress&) { return trainer.steps() >= steps; });
  }
};

TEST(Epochs, AnInterruptionBeforeAndAfterAChangeLeavesNoTrace) {
  const auto rows = tiny_rows();
  const auto path = fs::path(testing::TempDir()) / "normscope_changed_state";
  struct Case {
    const char *fixture, *intervention, *optimizer;
    bool to_values;
  };
  for (const auto& c : {Case{"bert", "remove_affine", "adamw", false}, Case{"bert", "remove_affine", "adamw", true},
                        Case{"gpt2", "freeze", "adamw", true}, Case{"gpt2", "fold", "muon", false},
                        Case{"qwen2", "to_tanh", "sgd", true}, Case{"bert", "remove_linear_bias", "muon", true}}) {
    const auto& row = intervention(c.intervention);
    ChangedRun whole(rows, c.fixture, row, c.optimizer, c.to_values);
    whole.run_to(12);
    for (const int64_t stop : {2, 3, 4, 9, 10}) {  // around steps 3 and 9, where the changes are
      {
        ChangedRun begun(rows, c.fixture, row, c.optimizer, c.to_values);
        begun.run_to(stop);
        begun.trainer.save_state(path, "");
      }
      ChangedRun resumed(rows, c.fixture, row, c.optimizer, c.to_values);
      resumed.trainer.load_state(path);
      resumed.run_to(12);
      ASSERT_EQ(trained(resumed.model), trained(whole.model));
      for (const auto& parameter : whole.model.parameters.all())
        ASSERT_TRUE(torch::equal(parameter->value, resumed.model.parameters.find(parameter->name)->value))
            << c.fixture << " " << c.intervention << " stopped at " << stop << ": " << parameter->name;
    }
  }
}

TEST(Epochs, RestoredParametersStartAfreshAndTheOthersKeepTheirMoments) {
  const auto rows = tiny_rows();
  const auto& row = intervention("remove_affine");
  ChangedRun run(rows, "bert", row, "adamw", false);
  run.run_to(3);
  const auto norm = run.model.norms[2];
  const auto dense = run.model.parameters.find("bert.encoder.layer.0.output.dense.weight");
  const auto weight = norm->weight();
  run.run_to(4);
  EXPECT_FALSE(norm->affine());
  EXPECT_EQ(run.model.parameters.find(weight->name), nullptr);
  run.run_to(9);
  const auto before = dense->value.detach().clone();
  run.run_to(10);
  ASSERT_EQ(norm->weight(), weight);
  // Adam's first step is the learning rate in every element with a gradient, whatever the gradient (Kingma and Ba 2015,
  // 2.1); counted from the start of the run it would be three times that.
  const auto moved = (weight->value.detach() - 1).abs();
  EXPECT_NEAR(moved.max().item<double>(), 1e-3, 2e-5);
  EXPECT_GT(moved.median().item<double>(), 0.9e-3);
  const auto others = (dense->value.detach() - before).abs();
  EXPECT_LT(others.median().item<double>(), 0.9e-3) << "moments that were kept differ from a first step";
}

}  // namespace
}  // namespace normscope
