// Finds the authors' runs that a study repeats and sets both side by side.
#include "reports/compare_paper.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/text.h"
#include "reports/cells.h"
#include "reports/curves.h"
#include "reports/norm_means.h"
#include "reports/pairs.h"
#include "reports/paper_facts.h"
#include "reports/paper_readings.h"
#include "reports/paper_tables.h"
#include "reports/words.h"

namespace normscope {
namespace {

using Member = double EpochMetrics::*;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string more_of(const RunFacts& facts, const char* key) {
  const auto at = facts.more.find(key);
  return at == facts.more.end() ? "" : at->second;
}

bool is_same_model(const Run& run, const PaperModel& model) {
  const std::string architecture = more_of(run.facts, "architecture"), width = more_of(run.facts, "hidden_size");
  if (architecture.empty()) return lower(run.model) == lower(std::string(model.checkpoint));
  return architecture == model.model_type && run.facts.num_hidden_layers == model.num_hidden_layers &&
         (width.empty() || width == std::to_string(model.hidden_size));
}

// Runs of one selection at an epoch that all of them have reached.
std::vector<double> values_at(const std::vector<const RunView*>& runs, double epoch, Member member) {
  std::vector<double> values;
  for (const auto* run : runs) {
    const double value = interpolate(run->epochs, epoch).*member;
    if (!std::isnan(value)) values.push_back(value);
  }
  return values;
}

int64_t shortest(const std::vector<const RunView*>& runs) {
  int64_t last = runs.at(0)->last().epoch;
  for (const auto* run : runs) last = std::min(last, run->last().epoch);
  return last;
}

std::vector<const RunView*> views(const std::vector<const PaperRun*>& runs) {
  std::vector<const RunView*> views;
  for (const auto* run : runs) views.push_back(&run->view);
  return views;
}

// Learning and memorization by layer, both in the authors' own quantity; no rows where it was not measured.
Figure gradients_figure(const Unit& unit, const PaperUnit& paper, const std::string& role, const std::string& prefix) {
  const std::string norms = role == "attention" ? "attention norms" : "feed-forward norms";
  Figure figure{prefix + "paper_gradients_" + role,
                "Gradients over depth, " + norms + ", intact",
                "Lines over layers: learning and memorization gradient at the " + norms +
                    ", this study (solid) and the authors (dashed)",
                {"layer", "learning", "memorization", "learning authors", "memorization authors"},
                {},
                ""};
  const NormMeans means(unit.with("none"), "gradient_paper");
  const int64_t epoch = means.last_epoch("learning");
  const auto learning = paper.gradients.learning.find(role), memorization = paper.gradients.memorization.find(role);
  if (epoch < 0 || !means.roles.contains(role) || learning == paper.gradients.learning.end() ||
      memorization == paper.gradients.memorization.end())
    return figure;
  const auto logged = [](const std::vector<double>& values, int64_t layer) {
    return static_cast<size_t>(layer) < values.size() ? values[static_cast<size_t>(layer)] : kUndefined;
  };
  for (const int64_t layer : means.layers)
    figure.rows.push_back({static_cast<double>(layer), means.at("learning", role, layer, epoch),
                           means.at("memorization", role, layer, epoch), logged(learning->second, layer),
                           logged(memorization->second, layer)});
  const auto line = [](const char* column, const char* style, const char* colour, const char* title) {
    return std::string("$data using 1:") + column + " with linespoints pt 7 ps 0.5 " + style + " lc '" + colour + "' " +
           title;
  };
  figure.commands = "set xlabel 'layer'\nset logscale y\nset format y '%.0e'\nset ylabel 'gradient'\nplot " +
                    line("2", kSolid, kLearningColour, "title 'learning'") + ", \\\n" +
                    line("3", kSolid, kMemorizedColour, "title 'memorization'") + ", \\\n" +
                    line("4", kDashed, kLearningColour, "notitle") + ", \\\n" +
                    line("5", kDashed, kMemorizedColour, "notitle") + "\n";
  figure.height = 310;
  return figure;
}

}  // namespace

const PaperUnit* paper_twin(const Unit& unit) {
  for (const auto& paper : paper_logs().units) {
    const bool is_same_data =
        lower(unit.dataset) == paper.dataset || lower(unit.dataset) == lower(paper_dataset_name(paper.dataset));
    if (!is_same_data) continue;
    for (const auto* run : unit.runs)
      if (run->has_trained() && is_same_model(run->run, *paper.model) &&
          (unit.placement.empty() || unit.placement == paper.model->placement))
        return &paper;
  }
  return nullptr;
}

std::string paper_selection(const PaperUnit& paper, const std::string& norm_selection) {
  const std::string name = norm_selection.starts_with("paper:") ? norm_selection.substr(6) : norm_selection;
  return paper.with(name).empty() ? "" : name;
}

Table compare_table(const Unit& unit, const PaperUnit& paper) {
  Table table{"Beside the authors' runs: " + unit.title,
              {{"norms"}, {"read at"}, {"epoch", true}, {"seeds", true, "here / authors"}},
              {}};
  for (const auto& [name, member] : kQuantities) {
    const char* unit_word = member == &EpochMetrics::overfit_gap ? "points" : "%";
    table.columns.push_back({name, true, std::string(unit_word) + ", here"});
    table.columns.push_back({name, true, std::string(unit_word) + ", authors"});
  }
  table.columns.push_back({"marks of the authors' contrast", false, "", true});
  for (const auto& selection : unit.selections()) {
    const std::string theirs = paper_selection(paper, selection);
    const auto own = unit.with(selection);
    if (theirs.empty() || own.empty()) continue;
    const auto logged = views(paper.with(theirs));
    const int64_t reached = shortest(own), equal = std::min(reached, shortest(logged)),
                  published = std::min(paper.model->published_epoch(), shortest(logged));
    const auto add = [&](const std::string& read_at, int64_t epoch, bool has_marks) {
      std::vector<Cell> row = {{selection_words(selection), "", "colour:" + selection_colour(selection)},
                               {read_at},
                               {std::to_string(epoch)},
                               {std::to_string(own.size()) + " / " + std::to_string(logged.size())}};
      for (const auto& [name, member] : kQuantities)
        for (const auto* runs : {&own, &logged})
          row.push_back(mean_cell(values_at(*runs, static_cast<double>(epoch), member)));
      row.push_back({has_marks ? join(contrast_marks(paper, theirs), "; ") : ""});
      table.add(row);
    };
    if (published == equal) {
      add("as published, equal epochs", equal, true);
      continue;
    }
    if (published < reached) add("as published", published, true);
    add("equal epochs", equal, published >= reached);
  }
  table.note =
      "Mean ± standard deviation over seeds. The authors' runs are those of " + paper.title() +
      ", matched by data set, architecture, number of blocks and hidden size. Equal epochs: the last epoch of the "
      "shortest run of either. Their seeds name noisy rows and split only; what the D numbers mean is said by "
      "normscope "
      "report --paper.";
  return table;
}

FigureGroup compare_figures(const Unit& unit, const PaperUnit& paper, const std::string& prefix) {
  FigureGroup group{"Beside the authors' runs",
                    "Solid: this study. Dashed: the authors' logs of " + paper.title() +
                        ". Means over seeds; bands reach from the lowest to the highest seed.",
                    {}};
  struct Quantity {
    const char *name, *title;
    Member member;
    std::string axis;
  };
  const Quantity quantities[] = {
      {"test_accuracy", "Learning: test accuracy", &EpochMetrics::test_accuracy, kAccuracyAxis},
      {"memorization", "Memorization: the false label is repeated", &EpochMetrics::memorization, kNoisyRowsAxis},
      {"recovery", "Recovery: the true label is said", &EpochMetrics::recovery, kNoisyRowsAxis}};
  for (const auto& [name, title, member, axis] : quantities) {
    std::vector<CurveLine> lines;
    for (const auto& selection : unit.selections()) {
      const std::string theirs = paper_selection(paper, selection), words = selection_words(selection);
      const auto own = unit.with(selection);
      if (theirs.empty() || own.empty()) continue;
      const std::string colour = selection_colour(selection);
      lines.push_back({std::string(name) + " " + words, words, colour, own, member, kSolid});
      lines.push_back(
          {std::string(name) + " " + words + " authors", "", colour, views(paper.with(theirs)), member, kDashed});
    }
    if (!lines.empty())
      group.figures.push_back(curves(
          lines, {prefix + "paper_" + name, title,
                  "Lines over epochs: " + std::string(title) + ", this study (solid) and the authors (dashed)", axis}));
  }
  bool has_gradients = false;
  for (const char* role : {"attention", "feed_forward"}) {
    auto figure = gradients_figure(unit, paper, role, prefix);
    if (figure.rows.empty()) continue;
    has_gradients = true;
    group.figures.push_back(std::move(figure));
  }
  if (has_gradients) {
    std::vector<std::string> marks;
    for (const auto* fact : facts_of(paper, "none", "gradients", true)) marks.emplace_back(fact->id);
    group.text +=
        " Gradients are the authors' quantity, the norm of the mean absolute gradient over tokens and rows; theirs "
        "are of one seed and carry the marks " +
        join(marks, ", ") + ".";
  }
  return group;
}

}  // namespace normscope
