// normscope list
#include <cstdio>

#include "cli/commands.h"
#include "data/formats.h"
#include "data/label_noise.h"
#include "data/preparations.h"
#include "interventions/intervention.h"
#include "models/model.h"

namespace normscope {
namespace {

void print_row(std::string_view name, std::string_view summary) {
  std::printf("%-22.*s %.*s\n", static_cast<int>(name.size()), name.data(), static_cast<int>(summary.size()),
              summary.data());
}

void list_architectures() {
  for (const auto& row : architectures()) print_row(row.model_type, row.published_class());
}
void list_interventions() {
  for (const auto& row : interventions()) print_row(row.name, row.summary);
}
void list_measurements() {
  print_row("classification", "loss, accuracy, macro precision, recall and F1 of every split");
  print_row("memorization", "memorization, recovery, random_prediction and loss of the noisy rows");
  print_row("m_score", "how far a trigger word moves p(its class), with a one-sided paired t-test ([trigger])");
  print_row("norm_gradients", "gradients at every norm: learning, memorization and three controls; total and branch");
  print_row("norm_inputs", "sizes, deviations, activations, sublayer variances and attention entropy at every norm");
  print_row("theorems", "the study's three theorems with their bounds (normscope measure --theorems)");
  print_row("dynamics", "loss, logit, margin and prediction of every training row, every epoch");
  print_row("label_audit",
            "rows whose label is suspicious: margin, cartography, forgetting, confident learning (audit)");
}
void list_formats() {
  for (const auto& row : formats()) print_row(row.name, row.summary);
}
void list_noise() {
  for (const auto& row : noise_kinds()) print_row(row.name, row.summary);
}
void list_preparations() {
  for (const auto& row : preparations()) print_row(row.name, row.summary);
}

struct Row {
  const char* name;
  void (*print)();
};
constexpr Row kLists[] = {
    {"architectures", list_architectures},
    {"interventions", list_interventions},
    {"measurements", list_measurements},
    {"formats", list_formats},
    {"noise", list_noise},
    {"preparations", list_preparations},
};

}  // namespace

std::function<int()> add_list(CLI::App& app) {
  auto what = std::make_shared<std::string>();
  std::vector<std::string> names;
  for (const auto& row : kLists) names.emplace_back(row.name);
  app.add_option("what", *what, "What to list")->required()->check(CLI::IsMember(names));
  return [what] {
    for (const auto& row : kLists)
      if (*what == row.name) row.print();
    return 0;
  };
}

}  // namespace normscope
