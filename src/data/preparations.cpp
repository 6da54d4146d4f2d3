// The preparations: class orders as the study numbers them, its label swap and its subset.
#include "data/preparations.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "data/class_order.h"
#include "data/numpy_random.h"

namespace normscope {
namespace {

using Names = std::vector<std::string>;

Names numbers(size_t count) {
  Names names;
  for (size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

void for_each_file(PreparationInput& input, const std::function<void(SourceRows&)>& change) {
  for (SourceRows* file : {&input.train, &input.validation, &input.test}) change(*file);
}

// `names`, or their numbers when the files are labelled with those. Other labels are refused with their line.
Names study_classes(PreparationInput& input, const Names& names) {
  const auto& rows = input.train.rows;
  const bool has_numbers = !rows.empty() && std::ranges::find(names, rows[0].label) == names.end();
  const Names classes = has_numbers ? numbers(names.size()) : names;
  for_each_file(input, [&](const SourceRows& file) {
    for (const auto& row : file.rows)
      for (const auto* label : {&row.label, &row.true_label})
        require(label->empty() || std::ranges::find(classes, *label) != classes.end(), ErrorKind::Data,
                place_of(file.file, row), ": label \"", *label, "\"; the preparation expects ", join(names, ", "),
                " or their numbers from 0");
  });
  return classes;
}

Names prepare_plain(PreparationInput&) { return {}; }

Names prepare_emotions(PreparationInput& input) {
  return study_classes(input, {"sadness", "joy", "love", "anger", "fear", "surprise"});
}

Names prepare_news(PreparationInput& input) {
  return study_classes(input, {"business", "sports", "politics", "health", "entertainment", "tech"});
}

// The study swaps labels 3 and 5 in all splits: numbers are exchanged, names only change their order.
Names prepare_tweettopic(PreparationInput& input) {
  const auto classes = study_classes(input, {"arts_&_culture", "business_&_entrepreneurs", "pop_culture",
                                             "science_&_technology", "sports_&_gaming", "daily_life"});
  if (classes[3] != "3") return classes;
  for_each_file(input, [](SourceRows& file) {
    for (auto& row : file.rows)
      for (auto* label : {&row.label, &row.true_label}) {
        if (*label == "3") {
          *label = "5";
        } else if (*label == "5") {
          *label = "3";
        }
      }
  });
  return classes;
}

// Classes 0 to 6 only; of training so many rows a class, drawn as pandas draws with the split seed.
Names prepare_newsgroups(PreparationInput& input) {
  const Names names = {
      "alt.atheism",    "comp.graphics", "comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware",
      "comp.windows.x", "misc.forsale"};
  constexpr int64_t kRowsOfClass[] = {480, 580, 500, 150, 100, 300, 200};
  const auto& label_of = [&](const SourceRow& row) -> const std::string& {
    return row.true_label.empty() ? row.label : row.true_label;
  };
  std::set<std::string> kept(names.begin(), names.end());
  kept.merge(std::set<std::string>{"0", "1", "2", "3", "4", "5", "6"});
  for_each_file(input, [&](SourceRows& file) {
    std::erase_if(file.rows, [&](const SourceRow& row) { return !kept.contains(label_of(row)); });
  });
  const auto classes = study_classes(input, names);

  std::vector<SourceRow> subset;
  for (size_t i = 0; i < classes.size(); ++i) {
    std::vector<SourceRow> rows;
    std::ranges::copy_if(input.train.rows, std::back_inserter(rows),
                         [&](const SourceRow& row) { return label_of(row) == classes[i]; });
    const auto size = static_cast<int64_t>(rows.size());
    require(size >= kRowsOfClass[i], ErrorKind::Data, input.train.file, ": class \"", classes[i], "\" has ", size,
            " rows; the preparation newsgroups draws ", kRowsOfClass[i]);
    for (const int64_t row : pandas_sample(size, kRowsOfClass[i], input.split_seed))
      subset.push_back(std::move(rows[static_cast<size_t>(row)]));
  }
  input.train.rows = std::move(subset);
  return classes;
}

}  // namespace

std::span<const Preparation> preparations() {
  static const std::vector<Preparation> table = {
      {"plain", "rows as they are", "", "", 0, prepare_plain},
      {"emotions", "dair-ai/emotion: the study's class order", "", "", 0, prepare_emotions},
      {"tweettopic", "tweet_topic_single: labels 3 and 5 exchanged", "", "", 0, prepare_tweettopic},
      {"news", "okite97/news-data: Excerpt and Category, the study's class order, 10 % validation", "Excerpt",
       "Category", 0.1, prepare_news},
      {"newsgroups", "20 newsgroups: seven classes, the study's rows of each, 10 % validation", "", "", 0.1,
       prepare_newsgroups},
      {"cifar10", "CIFAR-10: the study's 2000 of each class, a fifth validation", "", "", 0, prepare_cifar10, true},
      {"cifar100", "CIFAR-100: all 500 of each class, a fifth validation", "", "", 0, prepare_cifar100, true},
      {"utkface", "UTKFace: labels from names (race, or label_column age or gender), 64 / 16 / 20 %", "", "", 0,
       prepare_utkface, true, true, label_utkface},
      {"nico", "NICO++: the study's 15 of 60 classes, 80 / 10 / 10 %", "", "", 0, prepare_nico, true, true},
  };
  return table;
}

const Preparation& find_preparation(const std::string& name) {
  Names names;
  for (const auto& preparation : preparations()) {
    if (preparation.name == name) return preparation;
    names.push_back(preparation.name);
  }
  const auto nearest = nearest_name(name, names);
  throw Error(ErrorKind::Usage, "unknown preparation \"" + name + "\"; known: " + join(names, ", ") +
                                    (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
}

}  // namespace normscope
