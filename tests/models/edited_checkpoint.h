// A fixture's checkpoint with another config or other tensor names, in a temporary folder.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "checkpoints/safetensors.h"
#include "core/file.h"
#include "models/model.h"

namespace normscope {

inline std::filesystem::path model_fixture(const std::string& name) {
  return std::filesystem::path(NORMSCOPE_FIXTURES) / "models" / name;
}

inline nlohmann::json fixture_config(const std::string& name) {
  return nlohmann::json::parse(read_file(model_fixture(name) / "config.json", ErrorKind::Checkpoint));
}

// Nothing: the tensor is left out.
using Rename = std::function<std::optional<std::string>(const std::string& name)>;

class EditedCheckpoint {
 public:
  EditedCheckpoint(
      const std::string& fixture, const nlohmann::json& config_changes,
      const Rename& rename = [](const std::string& name) { return name; })
      : folder_(std::filesystem::path(testing::TempDir()) / ("normscope_edited_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    auto config = fixture_config(fixture);
    config.merge_patch(config_changes);
    write_file_atomically(folder_ / "config.json", config.dump());
    const auto bytes = read_file(model_fixture(fixture) / "model.safetensors", ErrorKind::Checkpoint);
    std::vector<std::pair<std::string, TensorView>> tensors;
    for (const auto& [name, view] : parse_safetensors(bytes, nullptr))
      if (const auto renamed = rename(name)) tensors.emplace_back(*renamed, view);
    write_safetensors(folder_ / "model.safetensors", tensors, {});
  }
  ~EditedCheckpoint() { std::filesystem::remove_all(folder_); }
  EditedCheckpoint(const EditedCheckpoint&) = delete;

  Checkpoint open() const { return open_checkpoint(folder_.string()); }

 private:
  std::filesystem::path folder_;
};

inline ModelOptions exact_options(int64_t num_labels = 5) {
  ModelOptions options;
  options.load.dtype = torch::kFloat64;
  options.build.num_labels = num_labels;
  return options;
}

inline std::vector<std::string> model_fixtures(const std::function<bool(const Architecture&)>& wanted = {}) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(model_fixture("")))
    for (const auto& row : architectures())
      if (fixture_config(entry.path().filename()).at("model_type") == row.model_type && (!wanted || wanted(row)))
        names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

inline std::vector<std::string> text_fixtures() {
  return model_fixtures([](const Architecture& row) { return row.kind != ModelKind::Image; });
}

inline std::vector<std::string> image_fixtures() {
  return model_fixtures([](const Architecture& row) { return row.kind == ModelKind::Image; });
}

// Rows of the fixtures' vocabulary; the positions of each end at `positions_end`, or start at 0 when that is 0.
struct Rows {
  Inputs inputs;
  PackedRows packed;
};

inline Rows rows_of(const std::vector<std::vector<int64_t>>& rows, int64_t positions_end = 0) {
  std::vector<int64_t> ids, positions;
  Rows result;
  for (const auto& row : rows) {
    const auto length = static_cast<int64_t>(row.size());
    for (int64_t t = 0; t < length; ++t) positions.push_back(t + (positions_end > 0 ? positions_end - length : 0));
    ids.insert(ids.end(), row.begin(), row.end());
    result.packed.append(length);
  }
  result.inputs.input_ids = torch::tensor(ids);
  result.inputs.positions = torch::tensor(positions);
  return result;
}

inline torch::Tensor logits_of(const Model& model, const Rows& rows, Observer* observer = nullptr) {
  Pass pass;
  pass.rows = rows.packed;
  pass.observer = observer;
  return model.forward(rows.inputs, pass);
}

inline double largest_difference(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace normscope
