#include "reports/measurement_page.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/text.h"
#include "reports/cells.h"
#include "reports/norm_means.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Json = nlohmann::json;

double number_of(const Json& value) { return value.is_number() ? value.get<double>() : kUndefined; }

Cell estimate_cell(const Json& estimate, int decimals = 2) {
  return {fixed(number_of(estimate.at("mean")), decimals),
          in_brackets({number_of(estimate.at("low")), number_of(estimate.at("high"))}, decimals)};
}

std::string placed(const Json& norm) {
  const auto role = norm.at("role").get<std::string>();
  return norm.at("layer").is_number() ? role + " " + std::to_string(norm.at("layer").get<int64_t>()) : role;
}

Cell verdict_cell(const Json& of) {
  const auto text = of.at("verdict").get<std::string>();
  return {text, "", text == "holds" ? "supported" : text == "fails" ? "contradicted" : "undecided"};
}

const std::map<std::string, std::string> kSetWords = {{"learning", "test rows"},
                                                      {"memorization", "noisy rows, given labels"},
                                                      {"noisy_true", "noisy rows, true labels"},
                                                      {"train_clean", "training rows with true labels"},
                                                      {"random_labels", "test rows, random labels"},
                                                      {"noisy", "noisy rows"},
                                                      {"test", "test rows"}};
std::string set_words(const std::string& set) {
  const auto found = kSetWords.find(set);
  return found == kSetWords.end() ? set : found->second;
}

Table verdicts_table(const Json& theorems, const std::string& run) {
  Table table{"The theorems on run " + run,
              {{"theorem"}, {"says", false, "", true}, {"rows"}, {"verdict"}, {"in numbers", false, "", true}},
              {}};
  for (const auto& theorem : theorems) {
    const auto number = theorem.at("theorem").get<int>();
    if (number == 1) {
      const auto& loss = theorem.at("loss_ratio");
      table.add({{"1"},
                 {"learning gradients are at least memorization gradients, if kappa is alike for both"},
                 {"test and noisy rows"},
                 verdict_cell(theorem),
                 {"|p − y| alone makes the ratio " + estimate_cell(loss).text, estimate_cell(loss).detail}});
      continue;
    }
    for (const auto& [set, of] : theorem.at("sets").items()) {
      size_t held = 0;
      double largest = 0;
      for (const auto& norm : of.at("norms")) {
        held += norm.at("verdict") == "holds";
        if (number == 2) largest = std::max(largest, number_of(norm.at("largest_share_of_t3")));
      }
      std::string numbers = "holds at " + std::to_string(held) + " of " +
                            count_words(static_cast<int64_t>(of.at("norms").size()), "norm");
      if (number == 2) numbers += "; a gradient reaches at most " + fixed(100 * largest, 2) + " % of T3";
      if (number == 3)
        for (const auto& [role, correlation] : of.at("gradient_depth_correlation").items())
          numbers += "; rank correlation of layer and measured gradient, " + role +
                     " norms: " + fixed(number_of(correlation), 2);
      table.add({{std::to_string(number)},
                 {number == 2 ? "every gradient lies under each level of its bound" : "the bound falls with depth"},
                 {set_words(set)},
                 verdict_cell(of),
                 {numbers}});
    }
  }
  table.note = "Assumption not met: the theorem does not speak of this case, and nothing is said against it.";
  return table;
}

Table first_table(const Json& theorem, const std::string& run) {
  Table table{"Learning against memorization gradients, run " + run,
              {{"norm"},
               {"learning", true, "kappa"},
               {"memorization", true, "kappa"},
               {"ratio", true},
               {"ratio of kappa", true, "what the loss does not explain"},
               {"theorem 1"}},
              {}};
  for (const auto& norm : theorem.at("norms"))
    table.add({{placed(norm)},
               {scientific(number_of(norm.at("gain_learning").at("mean")))},
               {scientific(number_of(norm.at("gain_memorization").at("mean")))},
               estimate_cell(norm.at("ratio")),
               estimate_cell(norm.at("gain_ratio"), 3),
               verdict_cell(norm)});
  table.note =
      "kappa is the gradient's norm over |p − y|, which the loss alone decides. In brackets 95 % bootstrap intervals "
      "over rows.";
  return table;
}

// Attention entropy by block and logit norm, by set of rows.
std::vector<Table> output_tables(const Json& document, const std::string& run) {
  Table logits{"Logit norms, run " + run, {{"rows"}, {"|logits|", true, "mean"}}, {}};
  for (const auto& [set, estimate] : document.at("logit_norm").items())
    logits.add({{set_words(set)}, estimate_cell(estimate, 3)});
  Table entropy{"Attention entropy, run " + run, {{"block", true}}, {}};
  for (const auto& norm : document.at("norms")) {
    if (norm.at("role") != "attention") continue;
    std::vector<Cell> row = {{std::to_string(norm.at("layer").get<int64_t>())}};
    for (const auto& [set, inputs] : norm.at("inputs").items()) {
      if (!inputs.contains("attention_entropy")) continue;
      if (entropy.rows.empty()) entropy.columns.push_back({set_words(set), true, "nats"});
      row.push_back({fixed(number_of(inputs.at("attention_entropy")), 3)});
    }
    if (row.size() > 1) entropy.add(std::move(row));
  }
  entropy.note = "Mean over rows, heads and queries, padding left out.";
  return {logits, entropy};
}

// Block norms in forward order: attention at the layer, feed-forward half a step after it.
Figure bounds_figure(const Json& of, const std::string& set, const std::string& prefix) {
  Figure figure;
  figure.name = prefix + "bounds_" + file_part(set);
  figure.title = "Measured gradient and its bounds, " + set_words(set);
  figure.alt = "Lines over layers on a log axis: the measured gradient norm and each level of theorem 2's bound";
  struct Level {
    const char *key, *words, *colour;
  };
  constexpr Level kLevels[] = {{"t0", "measured", kMemorizedColour},
                               {"t1", "T1: the network's Jacobian", "#0072b2"},
                               {"t2", "T2: a factor a sublayer", "#009e73"},
                               {"t3", "T3: 1 + s(J)", "#e69f00"},
                               {"t4", "T4: the variance form", "#111111"}};
  figure.columns = {"layer"};
  std::vector<std::string> elements;
  const bool has_paper_form = of.at("norms").size() > 0 && of.at("norms")[0].contains("t4");
  for (const auto& level : kLevels) {
    if (std::string(level.key) == "t4" && !has_paper_form) continue;
    figure.columns.push_back(level.key);
    elements.push_back("$data using 1:" + std::to_string(figure.columns.size()) + " with linespoints pt 7 ps 0.4 lw " +
                       (elements.empty() ? "2.6" : "1.6") + " lc '" + level.colour + "' title " +
                       quote_gnuplot(level.words));
  }
  int64_t layers = 0;
  for (const auto& norm : of.at("norms")) {
    if (!norm.at("layer").is_number()) continue;
    const auto layer = norm.at("layer").get<int64_t>();
    layers = std::max(layers, layer + 1);
    std::vector<double> row = {static_cast<double>(layer) + (norm.at("role") == "feed_forward" ? 0.5 : 0.0)};
    for (size_t i = 1; i < figure.columns.size(); ++i) row.push_back(number_of(norm.at(figure.columns[i])));
    figure.rows.push_back(row);
  }
  figure.commands =
      std::string("set xlabel 'layer (feed-forward norms between)'\n") + (layers <= 13 ? "set xtics 1\n" : "") +
      "set logscale y\nset format y '10^{%T}'\nset ylabel 'gradient norm'\nplot " + join(elements, ", \\\n") + "\n";
  figure.height = 330;
  return figure;
}

Measurement parse(const Json& document, const std::string& run, const std::string& prefix) {
  Measurement measurement{
      {"Bounds and measured gradients, run " + run,
       "The measured gradient at each block norm's input and the levels of theorem 2's upper bound, means over rows. "
       "Each level replaces something measured by something easier to bound, so the lines may only rise.",
       {}},
      {}};
  const auto& theorems = document.at("theorems");
  measurement.tables.push_back(verdicts_table(theorems, run));
  for (const auto& theorem : theorems) {
    if (theorem.at("theorem") == 1) measurement.tables.push_back(first_table(theorem, run));
    if (theorem.at("theorem") == 2)
      for (const auto& [set, of] : theorem.at("sets").items())
        measurement.bounds.figures.push_back(bounds_figure(of, set, prefix));
  }
  for (auto& table : output_tables(document, run))
    if (!table.rows.empty()) measurement.tables.push_back(std::move(table));
  return measurement;
}

}  // namespace

Measurement read_measurement(const std::filesystem::path& measure_json, const std::string& run,
                             const std::string& prefix) {
  const auto bytes = read_file(measure_json, ErrorKind::Data);
  try {
    return parse(Json::parse(bytes), run, prefix);
  } catch (const nlohmann::json::exception& failure) {
    throw Error(ErrorKind::Data,
                measure_json.string() + ": is no measurement that can be read (" + failure.what() + ")");
  }
}

std::vector<std::pair<std::string, Measurement>> read_measurements(const StudyView& study) {
  std::vector<std::pair<std::string, Measurement>> measurements;
  for (const auto& run : study.runs)
    if (!run.measurement.empty())
      measurements.emplace_back(run.run.id, read_measurement(run.measurement, run.run.id, file_part(run.run.id) + "_"));
  return measurements;
}

}  // namespace normscope
