#include "cli/measure_json.h"

#include <cmath>

#include "core/statistics.h"

namespace normscope {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json estimate(const Estimate& e) {
  return {{"mean", number(e.mean)}, {"low", number(e.low)}, {"high", number(e.high)}};
}

Json place(const NormPlace& norm) {
  return {{"name", norm.name}, {"layer", norm.layer >= 0 ? Json(norm.layer) : Json(nullptr)}, {"role", norm.role}};
}

Json gradients_json(const NormGradients& norm, uint64_t seed) {
  Json json;
  for (const auto& field : kGradientFields) {
    const auto& values = norm.*field.member;
    if (!values.empty()) json[std::string(field.name)] = estimate(estimate_mean(values, seed));
  }
  json["paper"] = number(norm.paper);
  json["news_script"] = number(norm.news_script);
  return json;
}

Json inputs_json(const NormInputs& norm) {
  Json json;
  for (const auto& field : kNormInputFields)
    if (!(norm.*field.member).empty()) json[std::string(field.name)] = number(mean(norm.*field.member));
  return json;
}

Json verdict_place(const NormVerdict& norm) {
  auto json = place(norm);
  json["verdict"] = to_text(norm.verdict);
  return json;
}

Json first_json(const Theorem1& theorem) {
  Json norms = Json::array();
  for (const auto& norm : theorem.norms) {
    auto json = verdict_place(norm);
    json["ratio"] = estimate(norm.ratio);
    json["gain_ratio"] = estimate(norm.gain_ratio);
    json["gain_learning"] = estimate(norm.gain_learning);
    json["gain_memorization"] = estimate(norm.gain_memorization);
    json["has_equal_gain"] = norm.has_equal_gain;
    norms.push_back(json);
  }
  return {{"theorem", 1},
          {"verdict", to_text(theorem.verdict)},
          {"loss_ratio", estimate(theorem.loss_ratio)},
          {"norms", norms}};
}

Json second_json(const Theorem2& theorem) {
  Json norms = Json::array();
  for (const auto& norm : theorem.norms) {
    auto json = verdict_place(norm);
    const auto& m = norm.mean;
    json["t0"] = number(m.t0);
    json["t1"] = number(m.t1_upper);
    json["t2"] = number(m.t2_upper);
    json["t3"] = number(m.t3_upper);
    if (theorem.has_paper_form) {
      json["t4"] = number(m.t4);
      json["t4_valid"] = number(m.t4_valid);
      json["t4_assumption_met"] = norm.has_assumption;
      json["is_within_t4"] = norm.is_within_paper_form;
    } else {
      json["branch"] = number(m.branch);
      json["branch_bound"] = number(m.branch_bound);
    }
    json["largest_share_of_t3"] = number(norm.largest_share);
    json["ordered_rows"] = norm.ordered_rows;
    norms.push_back(json);
  }
  Json json = {{"verdict", to_text(theorem.verdict)}, {"rows", theorem.rows}};
  if (theorem.has_paper_form) json["paper_form"] = to_text(theorem.paper_form);
  json["norms"] = norms;
  return json;
}

Json third_json(const Theorem3& theorem) {
  Json norms = Json::array();
  for (const auto& norm : theorem.norms) {
    auto json = verdict_place(norm);
    json["bound"] = number(norm.bound);
    json["gradient"] = number(norm.gradient);
    json["largest_variance"] = number(norm.largest_variance);
    if (!norm.is_last) {
      json["bound_falls"] = norm.bound_falls;
      json["gradient_falls"] = norm.gradient_falls;
    }
    norms.push_back(json);
  }
  Json correlations = Json::object();
  for (const auto& trend : theorem.trends) correlations[trend.role] = number(trend.correlation);
  return {{"verdict", to_text(theorem.verdict)}, {"gradient_depth_correlation", correlations}, {"norms", norms}};
}

}  // namespace

Json measure_json(const Measured& measured, const TheoremChecks& theorems, uint64_t seed) {
  Json norms = Json::array();
  const size_t count = measured.gradients.empty() ? 0 : measured.gradients[0].norms.size();
  for (size_t i = 0; i < count; ++i) {
    auto norm = place(measured.gradients[0].norms[i]);
    for (const auto& set : measured.gradients) norm["gradients"][set.name] = gradients_json(set.norms[i], seed);
    norm["sigma"] = number(mean(measured.inputs[0].norms[i].sigma));
    norm["input_norm"] = number(mean(measured.inputs[0].norms[i].input_norm));
    for (const auto& set : measured.inputs) norm["inputs"][set.name] = inputs_json(set.norms[i]);
    norms.push_back(norm);
  }
  Json sets = Json::object(), inputs = Json::object();
  for (const auto& set : measured.gradients)
    sets[set.name] = {{"rows", set.logits.size()},
                      {"loss", number(mean(set.loss))},
                      {"logits", estimate(estimate_mean(set.logits, seed))}};
  for (const auto& set : measured.inputs) inputs[set.name] = estimate(estimate_mean(set.logit_norm, seed));
  Json checks = Json::array({first_json(theorems.first)});
  if (!theorems.sets.empty()) {
    for (const int theorem : {2, 3}) {
      Json by_set = Json::object();
      std::vector<TheoremVerdict> verdicts;
      for (const auto& set : theorems.sets) {
        by_set[set.name] = theorem == 2 ? second_json(set.second) : third_json(set.third);
        verdicts.push_back(theorem == 2 ? set.second.verdict : set.third.verdict);
      }
      checks.push_back({{"theorem", theorem}, {"verdict", to_text(combined(verdicts))}, {"sets", by_set}});
    }
  }
  return {{"norms", norms}, {"sets", sets}, {"logit_norm", inputs}, {"theorems", checks}};
}

}  // namespace normscope
