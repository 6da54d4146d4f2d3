// The table of known faults, and what the logs themselves show about a contrast.
#include "reports/paper_facts.h"

#include <algorithm>
#include <set>

#include "reports/words.h"

namespace normscope {
namespace {

constexpr const char* kGradients = "gradients";
constexpr const char* kTraining = "training";
constexpr const char* kText = "emotions news tweettopic";
constexpr const char* kDepth = "early middle later";

bool holds(std::string_view words, std::string_view word) {
  if (words.empty()) return true;
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

bool is_general(const PaperFact& fact) {
  return fact.datasets.empty() && fact.model_types.empty() && fact.selections.empty() && fact.placement.empty();
}

std::string plural(size_t count, const char* word) { return count_words(static_cast<int64_t>(count), word); }

}  // namespace

const std::vector<PaperFact>& paper_facts() {
  static const std::vector<PaperFact> facts = {
      {"D1",
       "Pictures are normalized and then cast to bytes with wrap-around, so pixel p becomes (2p - 255) mod 256: every "
       "CIFAR model was trained on corrupted pictures.",
       kTraining, "cifar10 cifar100", "", "", ""},
      {"D1", "The pictures that gradients were read from are corrupted the same way.", kGradients, "cifar10 cifar100",
       "", "", ""},
      {"D2",
       "Hooks are registered inside the loop over samples, so sample s counts s - 1 times: learning gradients (828 "
       "rows) come out 413.5 times too large, memorization gradients (42 rows) 20.5 times, and their ratio 20.2 times.",
       kGradients, "news", "", "", ""},
      {"D3",
       "Post-LN models are reported at epoch 40 and Pre-LN models at epoch 70, though nearly all were trained for 70.",
       kTraining, "", "", "", "post_norm"},
      {"D4",
       "The intact models do not reach 100 % train accuracy: 13 of ELECTRA's 42 noisy rows and 9 of Qwen2's flip "
       "between "
       "two labels, as duplicate texts with conflicting labels would.",
       kTraining, "news", "", "", ""},
      {"D5", "All 400 pictures of the noisy class get a false label, so no label can be recovered.", kTraining,
       "cifar100", "", "", ""},
      {"D5", "The noisy rows are those of another seed than the model was trained with.", kGradients, "cifar100", "",
       "", ""},
      {"D7", "Every text is padded to 512 tokens, and gradients are averaged over the padding.", kGradients, kText, "",
       "", ""},
      {"D7",
       "Left padding moves the real tokens of GPT-2 and GPT-Neo to positions near 500, which the network then sees.",
       kTraining, kText, "gpt2 gpt_neo", "", ""},
      {"D9",
       "The hook sees only what flows back through the norm, without the residual path; for Post-LN models it sees "
       "everything. The two are different quantities.",
       kGradients, "", "", "", "pre_norm"},
      {"D10", "The norm is taken of the mean absolute gradient over rows and tokens; it is no mean of norms.",
       kGradients, "", "", "", ""},
      {"D13", "Train accuracy, and with it the overfit gap, is the running value in train mode on the labels as given.",
       kTraining, "", "", "", ""},
      {"D14", "Neither initialization, dropout nor batch order is seeded: a seed names noisy rows and split only.",
       kTraining, "", "", "", ""},
      {"D16", "Seed 28 takes the thirds of a 12-layer network on 24 layers, the other seeds those of 24.", kTraining,
       "tweettopic", "gpt2", kDepth, ""},
      {"D16", "\"All\" keeps the final norm.", kTraining, "", "qwen2", "all", ""},
      {"D16", "\"Output\" takes the embedding norm with it.", kTraining, "", "deberta", "output", ""},
      {"D17", "The split and the noisy rows follow the order of files in a folder, which differs by file system.",
       kTraining, "utkface nico", "", "", ""},
      {"D20",
       "A false label is drawn with seed + row, so the draws of different seeds are shifted copies of each other.",
       kTraining, "", "", "", ""},
      {"D21", "The checkpoint is the one tuned on ImageNet-1k, though the flag says ImageNet-21k.", kTraining, "",
       "vit", "", ""},
      {"D21", "Pictures are normalized with mean and deviation 0.5, not with the checkpoint's own.", kTraining, "",
       "deit vit_msn", "", ""},
      {"D21", "No token has global attention, and the pooler starts at random.", kTraining, "", "longformer", "", ""},
      {"D21", "The pooler starts at random.", kTraining, "", "roberta", "", ""},
  };
  return facts;
}

std::vector<const PaperFact*> facts_of(const PaperUnit& unit, const std::string& norm_selection,
                                       std::string_view touches, bool with_general) {
  std::vector<const PaperFact*> found;
  for (const auto& fact : paper_facts())
    if (fact.touches == touches && (with_general || !is_general(fact)) && holds(fact.datasets, unit.dataset) &&
        holds(fact.model_types, unit.model->model_type) && holds(fact.selections, norm_selection) &&
        holds(fact.placement, unit.model->placement))
      found.push_back(&fact);
  return found;
}

std::vector<std::string> contrast_marks(const PaperUnit& unit, const std::string& norm_selection) {
  std::vector<std::string> marks;
  const auto runs = unit.with(norm_selection), intact = unit.with("none");
  if (norm_selection != "none") {
    if (intact.empty()) {
      marks.push_back("no intact log");
    } else if (intact.size() == 1) {
      marks.push_back("intact: single seed");
    }
    for (const auto* run : intact) {
      if (run->view.last().epoch < std::min<int64_t>(runs[0]->view.last().epoch, unit.model->published_epoch()))
        marks.push_back("intact ends at epoch " + std::to_string(run->view.last().epoch));
      if (run->noisy_class != runs[0]->noisy_class)
        marks.push_back("intact has noisy class " + std::to_string(run->noisy_class) + ", not " +
                        std::to_string(runs[0]->noisy_class));
    }
    if (runs.size() == 1) marks.push_back("removed: single seed");
  }
  std::set<int64_t> draws;
  for (const auto* run : runs) draws.insert(run->noise_draw);
  if (draws.size() < runs.size())
    marks.push_back(plural(runs.size(), "seed") + ", " + plural(draws.size(), "set") + " of noisy rows");
  if (unit.model->placement == "post_norm" && runs[0]->view.last().epoch > unit.model->published_epoch())
    marks.push_back("epoch 40 of " + std::to_string(runs[0]->view.last().epoch));
  for (const auto* fact : facts_of(unit, norm_selection, kTraining)) {
    const std::string id(fact->id);
    if (id != "D3" && std::find(marks.begin(), marks.end(), id) == marks.end()) marks.push_back(id);
  }
  return marks;
}

}  // namespace normscope
