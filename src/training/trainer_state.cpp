// A trainer's state as a safetensors file: flat tensors and a JSON note in the metadata.
#include <nlohmann/json.hpp>

#include "checkpoints/safetensors.h"
#include "core/error.h"
#include "core/file.h"
#include "training/trainer.h"

namespace normscope {
namespace {

TensorView view_of(const torch::Tensor& x) {
  return {x.scalar_type() == torch::kFloat64 ? DType::F64 : DType::F32,
          x.sizes().vec(),
          {static_cast<const char*>(x.const_data_ptr()), x.nbytes()}};
}

TensorView doubles(const std::vector<double>& values) {
  return {DType::F64,
          {static_cast<int64_t>(values.size())},
          {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}};
}

void copy_into(torch::Tensor to, const TensorView& from, const std::string& name, const std::filesystem::path& path) {
  require(from.shape == to.sizes().vec() && from.bytes.size() == to.nbytes(), ErrorKind::Run, path.string(),
          ": tensor '", name, "' does not fit this model; the state belongs to another run");
  auto source = torch::from_blob(const_cast<char*>(from.bytes.data()), to.sizes(), to.options().device(torch::kCPU));
  to.copy_(source);
}

}  // namespace

void Trainer::save_state(const std::filesystem::path& path, const std::string& note) const {
  std::vector<std::pair<std::string, torch::Tensor>> tensors = optimizer_->state();
  for (const auto& named : kept()) tensors.push_back(named);
  tensors.emplace_back("parameters", parameters_.values());
  for (auto& [name, tensor] : tensors) tensor = tensor.cpu().contiguous();
  const auto touched = parameters_.touched();
  std::vector<std::pair<std::string, TensorView>> views;
  for (const auto& [name, tensor] : tensors) views.emplace_back(name, view_of(tensor));
  views.emplace_back("touched_rows", TensorView{DType::U8,
                                                {static_cast<int64_t>(touched.size())},
                                                {reinterpret_cast<const char*>(touched.data()), touched.size()}});
  views.emplace_back("epoch_logits", doubles(epoch_logits_.values));
  std::vector<double> recorded;
  if (options_.recorder != nullptr) {
    recorded = options_.recorder->state();
    views.emplace_back("recorded_gradients", doubles(recorded));
  }
  const nlohmann::json position = {{"epoch", epoch_},
                                   {"next_row", next_row_},
                                   {"steps", optimizer_->steps},
                                   {"rows", progress_.rows},
                                   {"loss_sum", progress_.loss_sum},
                                   {"correct", progress_.correct},
                                   {"change_steps", change_steps_}};
  write_safetensors(path, views, {{"position", position.dump()}, {"note", note}});
}

std::string Trainer::load_state(const std::filesystem::path& path) {
  const MappedFile file(path, ErrorKind::Run);
  std::map<std::string, std::string> metadata;
  const auto tensors = parse_safetensors(file.bytes(), &metadata);
  const auto tensor = [&](const std::string& name) -> const TensorView& {
    const auto found = tensors.find(name);
    require(found != tensors.end(), ErrorKind::Run, path.string(), ": no tensor '", name, "'; not a state of a run");
    return found->second;
  };
  const auto position = nlohmann::json::parse(metadata["position"], nullptr, false);
  require(position.is_object() && position.contains("epoch"), ErrorKind::Run, path.string(),
          ": no position in its metadata");
  // The changes again, for their effect on what parameters there are; every value follows from the file.
  const auto change_steps = position.value("change_steps", std::vector<int64_t>());
  require(change_steps.size() <= options_.changes.size() && change_steps_.empty(), ErrorKind::Run, path.string(),
          ": the model was changed between epochs as this run's is not");
  for (const int64_t steps : change_steps) make_change(steps);
  torch::NoGradGuard no_grad;
  for (auto& [name, to] : kept()) copy_into(to, tensor(name), name, path);
  for (auto& [name, to] : optimizer_->state()) copy_into(to, tensor(name), name, path);
  copy_into(parameters_.values(), tensor("parameters"), "parameters", path);
  const auto& touched = tensor("touched_rows").bytes;
  require(touched.size() == parameters_.touched().size(), ErrorKind::Run, path.string(),
          ": 'touched_rows' does not fit this model");
  parameters_.set_touched({touched.begin(), touched.end()});
  const auto& logits = tensor("epoch_logits").bytes;
  require(logits.size() == epoch_logits_.values.size() * sizeof(double), ErrorKind::Run, path.string(),
          ": 'epoch_logits' does not fit this data");
  std::copy_n(logits.data(), logits.size(), reinterpret_cast<char*>(epoch_logits_.values.data()));

  if (options_.recorder != nullptr) {
    const auto& bytes = tensor("recorded_gradients").bytes;
    std::vector<double> recorded(bytes.size() / sizeof(double));
    std::copy_n(bytes.data(), recorded.size() * sizeof(double), reinterpret_cast<char*>(recorded.data()));
    require(options_.recorder->set_state(recorded), ErrorKind::Run, path.string(),
            ": 'recorded_gradients' does not fit this model");
  }

  epoch_ = position.at("epoch");
  next_row_ = position.at("next_row");
  optimizer_->steps = position.at("steps");
  progress_ = {position.at("rows"), position.at("loss_sum"), position.at("correct")};
  return metadata["note"];
}

}  // namespace normscope
