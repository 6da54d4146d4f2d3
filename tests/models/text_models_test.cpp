// What holds of every text architecture: a row's company does not matter, its last token is found, and what a config
// asks for and we do not have is refused by name.
#include <ATen/ops/randint.h>

#include <cmath>

#include "core/error.h"
#include "models/edited_checkpoint.h"

namespace normscope {
namespace {

using torch::Tensor;

class TextModel : public testing::TestWithParam<std::string> {
 protected:
  Model load(Head head = Head::Transformers) const {
    auto options = exact_options();
    options.build.head = head;
    return load_model(open_checkpoint(model_fixture(GetParam()).string()), options);
  }
};

std::vector<int64_t> row(int64_t length, uint64_t seed) {
  std::vector<int64_t> ids;
  for (int64_t t = 0; t < length; ++t)
    ids.push_back(3 + static_cast<int64_t>(mix(seed, static_cast<uint64_t>(t)) % 92));
  return ids;
}

// Longer than the window of the models that have one, one token, and in between.
const std::vector<std::vector<int64_t>> kRows = {row(5, 1), row(1, 2), row(23, 3), row(9, 4)};

struct Gradients {
  Tensor logits;
  std::vector<Tensor> of_parameters;
};

Gradients gradients(const Model& model, const Rows& rows, Observer* observer = nullptr) {
  for (const auto& parameter : model.parameters.all()) parameter->value.mutable_grad().reset();
  Gradients result{logits_of(model, rows, observer), {}};
  result.logits.square().sum().backward();
  for (const auto& parameter : model.parameters.all()) {
    const auto& gradient = parameter->value.grad();
    result.of_parameters.push_back(gradient.defined() ? gradient.clone() : torch::zeros_like(parameter->value));
  }
  return result;
}

TEST_P(TextModel, RowsGiveTheSameAloneAndInAnyCompany) {
  for (const auto head : {Head::Transformers, Head::Paper})
    for (const int64_t positions_end : {0, 40}) {
      const auto model = load(head);
      const auto together = gradients(model, rows_of(kRows, positions_end));
      std::vector<Tensor> sum;
      for (size_t i = 0; i < kRows.size(); ++i) {
        const auto alone = gradients(model, rows_of({kRows[i]}, positions_end));
        EXPECT_LT(largest_difference(alone.logits[0], together.logits[static_cast<int64_t>(i)]), 1e-10) << i;
        for (size_t p = 0; p < alone.of_parameters.size(); ++p)
          i == 0 ? sum.push_back(alone.of_parameters[p]) : void(sum[p] += alone.of_parameters[p]);
      }
      for (size_t p = 0; p < sum.size(); ++p)
        EXPECT_LT(largest_difference(sum[p], together.of_parameters[p]), 1e-10) << model.parameters.all()[p]->name;
    }
}

// Left and right padding differ in positions only: packed rows have no padding to mistake for a token. The token that
// pads (in GPT-2 the end token) is a token like any other where it is a row's own.
TEST_P(TextModel, TheRowsOwnTokensCountWhateverTheirId) {
  const auto model = load();
  const int64_t pad = fixture_config(GetParam()).value("pad_token_id", 0);
  auto ends_in_pad = row(6, 5);
  ends_in_pad.push_back(pad);
  const auto alone = logits_of(model, rows_of({ends_in_pad}));
  EXPECT_GT(largest_difference(alone, logits_of(model, rows_of({row(6, 5)}))), 1e-6) << "the last token was left out";
  const auto packed = logits_of(model, rows_of({{pad}, ends_in_pad, {pad, pad}}));
  EXPECT_LT(largest_difference(packed[1], alone[0]), 1e-10);
}

TEST_P(TextModel, CausalModelsReadTheLastTokenAndEncodersTheFirst) {
  const auto model = load();
  struct Watch : Observer {
    Tensor last;
    Tensor norm_input(const NormSite&, const Tensor& x) override { return last = x.detach().requires_grad_(); }
  } watch;
  const auto rows = rows_of({row(4, 6), row(7, 7)});
  logits_of(model, rows, &watch).sum().backward();
  const auto touched = watch.last.grad().abs().sum(1) > 0;  // of the last norm: only the token that is read, and what
  const bool reads_last =
      model.architecture->kind == ModelKind::Decoder;  // a norm inside the last block passes on to it
  for (int64_t i = 0; i < 2; ++i) {
    const int64_t first = rows.packed.offsets[i], last = rows.packed.offsets[i + 1] - 1;
    EXPECT_TRUE(touched[reads_last ? last : first].item<bool>());
    EXPECT_FALSE(touched[reads_last ? first : last].item<bool>());
  }
}

// Unobserved, the last block computes only what the head reads; observed, everything.
TEST_P(TextModel, TheLastBlockGivesTheSameWhenOnlyTheTokensThatAreReadGoThroughIt) {
  for (const auto head : {Head::Transformers, Head::Paper}) {
    const auto model = load(head);
    Observer passive;
    const auto fewer = gradients(model, rows_of(kRows)), all = gradients(model, rows_of(kRows), &passive);
    EXPECT_LT(largest_difference(fewer.logits, all.logits), 1e-10);
    for (size_t p = 0; p < all.of_parameters.size(); ++p)
      EXPECT_LT(largest_difference(fewer.of_parameters[p], all.of_parameters[p]), 1e-10)
          << model.parameters.all()[p]->name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, TextModel, testing::ValuesIn(text_fixtures()),
                         [](const auto& info) { return info.param; });

struct Refusal {
  const char *fixture, *changes, *word;
};

constexpr Refusal kRefusals[] = {
    {"bert", R"({"position_embedding_type": "relative_key"})", "position_embedding_type"},
    {"bert", R"({"hidden_act": "gelou"})", "gelou"},
    {"bert", R"({"is_decoder": true})", "is_decoder"},
    {"bert", R"({"num_attention_heads": 5})", "num_attention_heads"},
    {"bert", R"({"hidden_size": -4})", "hidden_size"},
    {"roberta", R"({"pad_token_id": 200})", "pad_token_id"},
    {"distilbert", R"({"n_heads": 7})", "n_heads"},
    {"deberta", R"({"pos_att_type": "c2p|p2p"})", "p2p"},
    {"deberta", R"({"talking_head": true})", "talking_head"},
    {"longformer", R"({"attention_window": [8, 7, 8]})", "attention_window"},
    {"longformer", R"({"attention_window": [8, 8]})", "attention_window"},
    {"gpt2", R"({"add_cross_attention": true})", "add_cross_attention"},
    {"gpt2", R"({"activation_function": "unheard_of"})", "unheard_of"},
    {"gpt_neo",
     R"({"attention_types": [[["global", "sideways", "global"], 1]], "attention_layers": ["global", "sideways", "global"]})",
     "sideways"},
    {"qwen2", R"({"rope_parameters": {"rope_type": "yarn", "rope_theta": 10000.0}})", "rope_type"},
    {"qwen2", R"({"num_key_value_heads": 3})", "num_key_value_heads"},
    {"roberta_prelayernorm", R"({"position_embedding_type": "relative_key_query"})", "position_embedding_type"},
};

TEST(Config, WhatChangesTheForwardPassAndIsNotSupportedIsRefusedByName) {
  for (const auto& refusal : kRefusals) {
    const EditedCheckpoint edited(refusal.fixture, nlohmann::json::parse(refusal.changes));
    try {
      load_model(edited.open(), exact_options());
      ADD_FAILURE() << refusal.fixture << " took " << refusal.changes;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Checkpoint) << error.what();
      EXPECT_NE(std::string(error.what()).find(refusal.word), std::string::npos) << error.what();
    }
  }
}

TEST(Config, InertKeysAreIgnored) {
  for (const auto& name : text_fixtures()) {
    const auto inert = nlohmann::json::parse(
        R"({"use_cache": false, "gradient_checkpointing": true, "_name_or_path": "x", "torchscript": true,
            "output_attentions": false, "chunk_size_feed_forward": 0, "someone_elses_key": {"a": 1}})");
    const EditedCheckpoint edited(name, inert);
    const auto plain = load_model(open_checkpoint(model_fixture(name).string()), exact_options());
    EXPECT_EQ(largest_difference(logits_of(load_model(edited.open(), exact_options()), rows_of(kRows)),
                                 logits_of(plain, rows_of(kRows))),
              0)
        << name;
  }
}

TEST(Config, DebertaTakesItsPositionTermsAsListAndAsText) {
  const EditedCheckpoint as_text("deberta", {{"pos_att_type", "c2p|p2c"}});
  const auto plain = load_model(open_checkpoint(model_fixture("deberta").string()), exact_options());
  const auto expected = logits_of(plain, rows_of(kRows));
  EXPECT_EQ(largest_difference(logits_of(load_model(as_text.open(), exact_options()), rows_of(kRows)), expected), 0);
}

}  // namespace
}  // namespace normscope
