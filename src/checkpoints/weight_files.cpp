// One file or an index with shards, safetensors before pickles.
#include "checkpoints/weight_files.h"

#include <nlohmann/json.hpp>

#include "checkpoints/safetensors.h"
#include "checkpoints/strict_json.h"
#include "checkpoints/tensor_names.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

// A dangling link counts: opening it gives the better message.
bool is_there(const fs::path& path) { return fs::exists(fs::symlink_status(path)); }

class WeightReader {
 public:
  explicit WeightReader(const fs::path& folder) : folder_(folder) {}

  WeightFiles read() {
    for (const char* name : {"model.safetensors", "pytorch_model.bin"}) {
      if (is_there(folder_ / name)) {
        for (const auto& [tensor, view] : open(name)) add(tensor, view, name);
        files_.is_present = true;
        return std::move(files_);
      }
      const std::string index = std::string(name) + ".index.json";
      if (is_there(folder_ / index)) {
        read_shards(index);
        files_.is_present = true;
        return std::move(files_);
      }
    }
    return std::move(files_);
  }

 private:
  std::map<std::string, TensorView> open(const std::string& name) {
    const fs::path path = folder_ / name;
    const auto& map = files_.maps.emplace_back(path, ErrorKind::Checkpoint);
    if (!name.ends_with(".bin")) return parse_safetensors(map.bytes(), nullptr, path.string());
    files_.torch_files.push_back(parse_torch_file(map.bytes(), path.string()));
    return files_.torch_files.back().tensors;
  }

  void read_shards(const std::string& index) {
    const std::string origin = (folder_ / index).string();
    std::map<std::string, std::map<std::string, TensorView>> shards;
    for (const auto& [tensor, shard] : parse_weight_index(read_file(origin, ErrorKind::Checkpoint), origin)) {
      if (!shards.contains(shard)) {
        require(is_there(folder_ / shard), ErrorKind::Checkpoint, origin, ": shard '", shard,
                "' is not in the folder; the download is incomplete");
        shards[shard] = open(shard);
      }
      const auto found = shards[shard].find(tensor);
      require(found != shards[shard].end(), ErrorKind::Checkpoint, origin, ": tensor '", tensor,
              "' should be in shard '", shard, "', which does not have it");
      add(tensor, found->second, index);
    }
  }

  void add(const std::string& tensor, const TensorView& view, const std::string& file) {
    const std::string name = canonical_name(tensor);
    if (is_constant_buffer(name)) return;
    require(files_.tensors.emplace(name, view).second, ErrorKind::Checkpoint, (folder_ / file).string(), ": tensor '",
            name, "' comes under two names; one of them is '", tensor, "'");
  }

  fs::path folder_;
  WeightFiles files_;
};

}  // namespace

WeightFiles open_weight_files(const fs::path& folder) { return WeightReader(folder).read(); }

std::map<std::string, std::string> parse_weight_index(std::string_view bytes, const std::string& origin) {
  const nlohmann::json index = parse_strict_json(bytes, origin);
  const bool has_map = index.is_object() && index.contains("weight_map") && index["weight_map"].is_object();
  require(has_map, ErrorKind::Checkpoint, origin, ": expected an object 'weight_map'");
  std::map<std::string, std::string> shards;
  for (const auto& [tensor, shard] : index["weight_map"].items()) {
    require(shard.is_string(), ErrorKind::Checkpoint, origin, ": tensor '", tensor, "': expected a file name, found ",
            shard.dump());
    const auto& name = shard.get_ref<const std::string&>();
    const bool is_plain = !name.empty() && name.find_first_of(std::string("/\\\0", 3)) == std::string::npos &&
                          (name.ends_with(".safetensors") || name.ends_with(".bin"));
    require(is_plain, ErrorKind::Checkpoint, origin, ": tensor '", tensor, "': expected the name of a file beside it, ",
            "found ", shard.dump());
    shards[tensor] = name;
  }
  return shards;
}

}  // namespace normscope
