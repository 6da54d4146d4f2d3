// Reads paper_logs.txt: a line names a run or a quantity, numbers follow.
#include "reports/paper_logs.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "core/text.h"

namespace normscope {

extern const char* const kPaperLogsText;  // made from paper_logs.txt by the build

namespace {

constexpr PaperModel kModels[] = {
    {"bert-base-uncased", "BERT", "bert", 12, 768, "post_norm"},
    {"roberta-base", "RoBERTa", "roberta", 12, 768, "post_norm"},
    {"longformer-base-4096", "Longformer", "longformer", 12, 768, "post_norm"},
    {"distilbert-base-uncased", "DistilBERT", "distilbert", 6, 768, "post_norm"},
    {"deberta-base", "DeBERTa", "deberta", 12, 768, "post_norm"},
    {"electra-base-discriminator", "ELECTRA", "electra", 12, 768, "post_norm"},
    {"gpt2-medium", "GPT-2 medium", "gpt2", 24, 1024, "pre_norm"},
    {"gpt2", "GPT-2", "gpt2", 12, 768, "pre_norm"},
    {"gpt-neo-125M", "GPT-Neo", "gpt_neo", 12, 768, "pre_norm"},
    {"Qwen2-0.5B-Instruct", "Qwen2", "qwen2", 24, 896, "pre_norm"},
    {"efficient_mlm_m0.40", "RoBERTa-PreLN", "roberta-prelayernorm", 24, 1024, "pre_norm"},
    {"vit-base-patch16-224-in21k", "ViT-B", "vit", 12, 768, "pre_norm"},
    {"deit-base-distilled-patch16-224", "DeiT", "deit", 12, 768, "pre_norm"},
    {"vit-msn-small", "ViT-S", "vit_msn", 12, 384, "pre_norm"},
};

// The words of a line and where it stands, for errors.
struct Line {
  std::vector<std::string_view> words;
  int64_t number = 0;

  template <typename... Parts>
  void demand(bool ok, const Parts&... message) const {
    require(ok, ErrorKind::Data, "paper logs, line ", number, ": ", message...);
  }
  template <typename Number>
  Number value(size_t at) const {
    demand(at < words.size(), "expected at least ", at + 1, " words, found ", words.size());
    const auto word = words[at];
    Number value{};
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    demand(failure == std::errc() && end == word.data() + word.size(), "expected a number, found ", word);
    return value;
  }
  template <typename Number>
  std::vector<Number> values(size_t from) const {
    std::vector<Number> numbers;
    for (size_t at = from; at < words.size(); ++at) numbers.push_back(value<Number>(at));
    return numbers;
  }
};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  PaperLogs read() {
    for (Line line; next(line);) {
      if (line.words[0] == "run") {
        read_run(line);
      } else {
        read_quantity(line);
      }
    }
    for (auto& unit : logs_.units)  // a unit that has gradients only is read no further
      require(!unit.runs.empty(), ErrorKind::Data, "paper logs: ", unit.title(), " has gradients and no run");
    return std::move(logs_);
  }

 private:
  // The next line that is no comment; false at the end.
  bool next(Line& line) {
    while (!rest_.empty()) {
      const auto end = std::min(rest_.find('\n'), rest_.size());
      const auto text = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      if (text.starts_with('#')) continue;
      line = {{}, number_};
      for (size_t at = 0; at < text.size();) {
        const auto stop = std::min(text.find(' ', at), text.size());
        if (stop > at) line.words.push_back(text.substr(at, stop - at));
        at = stop + 1;
      }
      if (!line.words.empty()) return true;
    }
    return false;
  }

  PaperUnit& unit_of(const Line& line) {
    line.demand(line.words.size() > 2, "expected a data set and a checkpoint");
    const auto* model = std::find_if(std::begin(kModels), std::end(kModels),
                                     [&](const auto& m) { return m.checkpoint == line.words[2]; });
    line.demand(model != std::end(kModels), "no checkpoint of the study is called ", line.words[2]);
    for (auto& unit : logs_.units)
      if (unit.dataset == line.words[1] && unit.model == model) return unit;
    logs_.units.push_back({std::string(line.words[1]), model, {}, {}});
    return logs_.units.back();
  }

  std::vector<int64_t> series(int64_t epochs) {
    Line line;
    require(next(line), ErrorKind::Data, "paper logs: the last run has fewer than four lines of values");
    auto values = line.values<int64_t>(0);
    line.demand(static_cast<int64_t>(values.size()) == epochs, "expected ", epochs, " values, found ", values.size());
    return values;
  }

  void read_run(const Line& line) {
    auto& unit = unit_of(line);
    line.demand(line.words.size() == 9 || (line.words.size() == 10 && line.words[9] == "extra"),
                "expected run, data set, checkpoint, norms, seed, draw, class, rows, epochs and perhaps extra");
    PaperRun run;
    run.is_extra = line.words.size() == 10;
    run.noise_draw = line.value<int64_t>(5);
    run.noisy_class = line.value<int64_t>(6);
    const auto rows = line.value<int64_t>(7), epochs = line.value<int64_t>(8);
    line.demand(rows > 0, "expected noisy rows, found ", rows);
    line.demand(epochs > 0, "expected epochs, found ", epochs);
    auto& facts = run.view.run;
    facts.norm_selection = std::string(line.words[3]);
    facts.seed = line.value<int64_t>(4);
    facts.model = std::string(unit.model->name);
    facts.placement = std::string(unit.model->placement);
    facts.epoch = facts.epochs = epochs;
    facts.state = RunState::Done;
    facts.facts.dataset = unit.dataset;
    facts.facts.noisy_rows = rows;
    const auto train = series(epochs), test = series(epochs), memorized = series(epochs), recovered = series(epochs);
    for (size_t i = 0; i < train.size(); ++i) {
      const bool is_share =
          memorized[i] >= 0 && recovered[i] >= 0 && memorized[i] <= rows && recovered[i] <= rows - memorized[i];
      line.demand(is_share, "epoch ", i + 1, ": ", memorized[i], " rows memorized and ", recovered[i],
                  " recovered are no part of ", rows);
      EpochMetrics row;
      row.epoch = static_cast<int64_t>(i) + 1;
      row.train_accuracy = static_cast<double>(train[i]) / 100;
      row.test_accuracy = static_cast<double>(test[i]) / 100;
      row.overfit_gap = row.train_accuracy - row.test_accuracy;
      const auto percent = [&](int64_t count) { return 100 * static_cast<double>(count) / static_cast<double>(rows); };
      row.memorization = percent(memorized[i]);
      row.recovery = percent(recovered[i]);
      row.random_prediction = percent(rows - memorized[i] - recovered[i]);
      run.view.epochs.push_back(row);
    }
    unit.runs.push_back(std::move(run));
  }

  void read_quantity(const Line& line) {
    auto& gradients = unit_of(line).gradients;
    line.demand(line.words.size() > 3, "expected a quantity and its values");
    const std::string role(line.words[3]);
    if (line.words[0] == "gradients") {
      line.demand(line.words.size() > 4, "expected norm and rows");
      const bool is_learning = line.words[4] == "learning";
      line.demand(is_learning || line.words[4] == "memorization", "expected learning or memorization, found ",
                  line.words[4]);
      (is_learning ? gradients.learning : gradients.memorization)[role] = line.values<double>(5);
    } else if (line.words[0] == "deviation") {
      gradients.deviation[role] = line.values<double>(4);
    } else {
      line.demand(line.words[0] == "epochs", "expected run, gradients, deviation or epochs, found ", line.words[0]);
      gradients.by_epoch[line.value<int64_t>(3)] = line.values<double>(4);
    }
  }

  std::string_view rest_;
  int64_t number_ = 0;
  PaperLogs logs_;
};

}  // namespace

std::string PaperUnit::title() const { return std::string(model->name) + " on " + paper_dataset_name(dataset); }

bool PaperUnit::is_published() const { return dataset != "cifar100" && model->name != "GPT-2"; }

std::vector<const PaperRun*> PaperUnit::with(const std::string& norm_selection) const {
  std::vector<const PaperRun*> found;
  for (const auto& run : runs)
    if (!run.is_extra && run.view.run.norm_selection == norm_selection) found.push_back(&run);
  return found;
}

std::vector<std::string> PaperUnit::selections() const { return unit().selections(); }

Unit PaperUnit::unit() const {
  Unit unit{title(), std::string(model->name), std::string(model->placement), dataset, {}};
  for (const auto& run : runs)
    if (!run.is_extra) unit.runs.push_back(&run.view);
  return unit;
}

PaperLogs parse_paper_logs(std::string_view text) { return Reader(text).read(); }

const PaperLogs& paper_logs() {
  static const PaperLogs logs = parse_paper_logs(kPaperLogsText);
  return logs;
}

std::string paper_dataset_name(const std::string& dataset) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"emotions", "Emotions"},  {"tweettopic", "TweetTopic"}, {"news", "News"},   {"cifar10", "CIFAR-10"},
      {"cifar100", "CIFAR-100"}, {"utkface", "UTK-Face"},      {"nico", "NICO++"},
  };
  for (const auto& [key, name] : kNames)
    if (key == dataset) return std::string(name);
  return dataset;
}

}  // namespace normscope
