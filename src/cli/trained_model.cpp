#include "cli/trained_model.h"

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"

namespace normscope {

DataOptions TrainedModel::reading_options() const {
  auto options = data_options(data);
  reader->check_pictures(options);
  return options;
}

TrainedModel open_trained_model(const std::string& checkpoint, const DataArguments& a) {
  TrainedModel trained;
  const auto device = find_device("auto");
  trained.opened = open_model(checkpoint, {torch::kFloat32, device});
  const auto& model = trained.opened.model;
  require(model.drawn.empty(), ErrorKind::Checkpoint, checkpoint,
          ": has no trained classification head (missing: ", join(model.drawn, ", "),
          "); train it with normscope run first");
  trained.data = data_recipe(a, trained.opened.data);
  trained.labels = trained.data.labels.empty() ? trained.opened.labels : trained.data.labels;
  require(static_cast<int64_t>(trained.labels.size()) == model.num_labels, ErrorKind::Usage, "--labels: expected ",
          model.num_labels, " classes, found ", trained.labels.size());
  const int64_t limit = model.network.max_tokens, asked = trained.data.max_length;
  trained.max_length = limit > 0 && !a.max_length ? std::min(asked, limit) : asked;
  require(limit == 0 || trained.max_length <= limit, ErrorKind::Usage, "--max-length is ", trained.max_length, ", but ",
          checkpoint, " has ", limit, " positions");
  trained.batch = batch_options(trained.data, trained.max_length, model, device);
  trained.reader.emplace(trained.data, *trained.opened.checkpoint, trained.opened.interpolates_positions,
                         usable_cores());
  return trained;
}

}  // namespace normscope
