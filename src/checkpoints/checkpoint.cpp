// Finds the folder, then its config and its weights.
#include "checkpoints/checkpoint.h"

#include <algorithm>
#include <set>

#include "checkpoints/config.h"
#include "checkpoints/hub_cache.h"
#include "checkpoints/tensor_names.h"
#include "checkpoints/weight_files.h"
#include "core/text.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> entry_names(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  constexpr size_t kMaxShown = 12;
  if (names.size() > kMaxShown) {
    names.resize(kMaxShown);
    names.emplace_back("...");
  }
  return names;
}

std::string listed(const std::vector<std::string>& names) { return names.empty() ? "nothing" : join(names, ", "); }

fs::path find_folder(const std::string& given) {
  require(!given.empty(), ErrorKind::Checkpoint, "checkpoint: expected a folder or an org/name, found \"\"");
  const fs::path path(given);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    if (fs::exists(path / "config.json", ignored)) return path;
    if (fs::exists(path / "checkpoint" / "config.json", ignored)) return path / "checkpoint";
    const bool is_study = fs::is_directory(path / "runs", ignored);
    throw Error(ErrorKind::Checkpoint,
                given + ": expected a folder with config.json" +
                    (is_study ? "; this is a study, pass one of its runs: " + listed(entry_names(path / "runs"))
                              : ", found " + listed(entry_names(path))));
  }
  require(!fs::exists(path, ignored), ErrorKind::Checkpoint, given,
          ": expected a folder, found a file; pass the folder that holds it");
  if (const auto cached = find_in_hub_cache(given)) return *cached;
  std::vector<std::string> places = {path.string()};
  if (is_hub_name(given))
    for (const auto& cache : hub_cache_folders()) places.push_back(cache.string());
  throw Error(ErrorKind::Checkpoint,
              given + ": no such checkpoint; nothing is downloaded. Looked in: " + join(places, ", "));
}

}  // namespace

struct Checkpoint::State {
  fs::path folder;
  nlohmann::json config;
  WeightFiles weights;
  std::set<std::string> asked;
};

Checkpoint open_checkpoint(const std::string& path_or_org_name, bool needs_weights) {
  Checkpoint checkpoint;
  checkpoint.state_ = std::make_shared<Checkpoint::State>();
  auto& state = *checkpoint.state_;
  try {
    state.folder = find_folder(path_or_org_name);
    const fs::path config = state.folder / "config.json";
    require(fs::exists(config), ErrorKind::Checkpoint, config.string(), ": is missing");
    state.config = parse_config(read_file(config, ErrorKind::Checkpoint), config.string());
    state.weights = open_weight_files(state.folder);
    require(state.weights.is_present || !needs_weights, ErrorKind::Checkpoint, state.folder.string(),
            ": expected model.safetensors, model.safetensors.index.json or pytorch_model.bin, found ",
            listed(entry_names(state.folder)));
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorKind::Checkpoint, path_or_org_name + ": cannot be read: " + error.code().message());
  }
  return checkpoint;
}

const nlohmann::json& Checkpoint::config() const { return state_->config; }
const fs::path& Checkpoint::folder() const { return state_->folder; }
bool Checkpoint::has_weights() const { return state_->weights.is_present; }

std::vector<std::string> Checkpoint::labels() const {
  return class_labels(state_->config, (state_->folder / "config.json").string());
}

std::vector<std::string> Checkpoint::names() const {
  std::vector<std::string> names;
  for (const auto& [name, view] : state_->weights.tensors) names.push_back(name);
  return names;
}

std::optional<TensorView> Checkpoint::find(const std::string& name, const std::string& base_prefix) const {
  for (const auto& candidate : lookup_names(name, base_prefix)) {
    const auto found = state_->weights.tensors.find(candidate);
    if (found == state_->weights.tensors.end()) continue;
    state_->asked.insert(candidate);
    return found->second;
  }
  return std::nullopt;
}

std::vector<std::string> Checkpoint::unused() const {
  std::vector<std::string> names;
  for (const auto& [name, view] : state_->weights.tensors)
    if (!state_->asked.contains(name)) names.push_back(name);
  return names;
}

}  // namespace normscope
