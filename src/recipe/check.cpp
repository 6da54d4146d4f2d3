// The rules between keys.
#include "recipe/check.h"

namespace normscope {
namespace {

class Checks {
 public:
  explicit Checks(const Recipe& recipe) : recipe_(recipe) {}

  void model() const {
    const auto& model = recipe_.model;
    demand(!model.checkpoint.empty(), "model.checkpoint", "is required: a Hugging Face directory or a run's folder");
    demand(model.placement == "checkpoint" || model.start != "checkpoint", "model.placement",
           "\"" + model.placement +
               "\" needs model.start = \"random\": weights trained one way mean nothing the other (\"rewired\" keeps "
               "them to show just that)");
    demand(model.start != "rewired" || model.placement != "checkpoint", "model.start",
           "\"rewired\" needs model.placement, the way to wire the checkpoint's layers");
  }

  void data() const {
    const auto& data = recipe_.data;
    demand(!data.train.empty(), "data.train", "is required: a file or a folder of training rows");
    demand(data.validation.empty() || data.validation_fraction == 0, "data.validation_fraction",
           "and data.validation cannot go together: the validation rows come from one place");
    demand(data.image_column.empty() || !is_given("data.text_column") || data.text_column == DataRecipe().text_column,
           "data.image_column", "and data.text_column cannot go together: a row is one or the other");
    demand(!data.label_column.empty(), "data.label_column", "cannot be empty");
    demand(!data.text_column.empty() || !data.image_column.empty(), "data.text_column",
           "cannot be empty without data.image_column");
    demand(data.folds != 1, "data.folds", "is 1; expected 0, or at least 2 parts");
    demand(data.folds == 0 || (data.fold >= 1 && data.fold <= data.folds), "data.fold",
           "is " + std::to_string(data.fold) + "; expected 1 to data.folds = " + std::to_string(data.folds));
    demand(data.fold == 0 || data.folds > 0, "data.fold", "has no effect without data.folds");
    demand(data.folds == 0 || recipe_.trigger.word.empty(), "data.folds", "and trigger.word cannot go together");
  }

  void noise() const {
    const auto& noise = recipe_.noise;
    const bool draws = noise.kind != "none" && noise.kind != "file";
    const bool has_own_rate = noise.kind == "class_matrix";
    demand(!draws || has_own_rate || is_given("noise.rate") || noise.rate > 0, "noise.kind",
           "\"" + noise.kind + "\" needs noise.rate, the share of the training rows");
    demand(noise.kind != "paper" || !noise.noisy_class.empty(), "noise.kind",
           "\"paper\" needs noise.class, the class whose rows are flipped");
    demand(noise.kind != "none" || is_given("noise.kind") || noise.rate == 0, "noise.rate",
           "has no effect without noise.kind");
    demand((noise.kind == "class_matrix") == !noise.matrix.empty(), "noise.kind",
           noise.matrix.empty() ? "\"class_matrix\" needs noise.matrix: a file, or \"estimated\""
                                : "must be \"class_matrix\" for noise.matrix to have an effect");
    demand(noise.column.empty() || (noise.kind == "file" && !noise.file.empty()), "noise.column",
           "has no effect without noise.kind = \"file\" and noise.file");
    if (noise.kind != "file") return;
    const std::string& column =
        noise.true_label_column.empty() ? recipe_.data.true_label_column : noise.true_label_column;
    demand(!noise.file.empty() || !column.empty(), "noise.kind",
           "\"file\" needs noise.file or noise.true_label_column");
    demand(noise.file.empty() || noise.true_label_column.empty() || !noise.column.empty(), "noise.file",
           "and noise.true_label_column cannot go together: the true labels come from one place");
  }

  void trigger() const {
    const auto& trigger = recipe_.trigger;
    demand(trigger.word.empty() || !trigger.trigger_class.empty(), "trigger.word",
           "needs trigger.class, the class whose rows get it");
    demand(trigger.word.empty() || trigger.rate > 0 || is_given("trigger.rate"), "trigger.word",
           "needs trigger.rate, the share of the training rows");
    demand(trigger.word.empty() || recipe_.data.image_column.empty(), "trigger.word", "needs texts, not images");
  }

  void norm() const {
    const auto& norm = recipe_.norm;
    demand(norm.policy.empty() || norm.layers == "none", "norm.policy",
           "\"" + norm.policy + "\" and norm.layers = \"" + norm.layers + "\" cannot go together");
    demand(norm.policy.empty() || norm.roles.empty(), "norm.policy",
           "\"" + norm.policy + "\" and norm.roles cannot go together");
    demand(norm.at_epoch == 0 || norm.at_epoch < recipe_.training.epochs, "norm.at_epoch",
           std::to_string(norm.at_epoch) + " is never reached: training.epochs is " +
               std::to_string(recipe_.training.epochs));
    if (norm.restore_at_epoch == 0) return;
    demand(norm.restore_at_epoch > norm.at_epoch, "norm.restore_at_epoch",
           std::to_string(norm.restore_at_epoch) + " must come after norm.at_epoch = " + std::to_string(norm.at_epoch));
    demand(norm.restore_at_epoch < recipe_.training.epochs, "norm.restore_at_epoch",
           std::to_string(norm.restore_at_epoch) + " is never reached: training.epochs is " +
               std::to_string(recipe_.training.epochs));
  }

  void training() const {
    const auto& data = recipe_.data;
    demand(!recipe_.training.momentum || recipe_.training.optimizer != "adamw", "training.momentum",
           "has no effect on training.optimizer = \"adamw\"; its decays are training.betas");
    const bool validates = !data.validation.empty() || data.validation_fraction > 0 || data.prepare != "plain";
    demand(recipe_.training.stop_when != "validation_loss" || validates, "training.stop_when",
           "\"validation_loss\" needs data.validation or data.validation_fraction");
    demand(recipe_.training.stop_when != "memorized" || recipe_.noise.kind != "none", "training.stop_when",
           "\"memorized\" needs label noise: noise.kind is \"none\"");
  }

 private:
  bool is_given(const std::string& key) const { return recipe_.source.lines.contains(key); }

  void demand(bool ok, const std::string& key, const std::string& message) const {
    if (!ok) throw Error(ErrorKind::Usage, key_place(recipe_.source, key) + ": " + key + " " + message);
  }

  const Recipe& recipe_;
};

}  // namespace

std::string key_place(const RecipeSource& source, const std::string& key) {
  const auto line = source.lines.find(key);
  if (line == source.lines.end()) return source.origin;
  return line->second == 0 ? "--set" : source.origin + ":" + std::to_string(line->second);
}

void check_consistency(const Recipe& recipe) {
  const Checks checks(recipe);
  checks.model();
  checks.data();
  checks.noise();
  checks.trigger();
  checks.norm();
  checks.training();
}

}  // namespace normscope
