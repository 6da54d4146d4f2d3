// Finds org/name in Hugging Face's local cache; nothing is ever downloaded.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// Whether the text has the form of a model's name on the hub: "bert-base-uncased", "org/name".
bool is_hub_name(const std::string& name);

// The cache folders, first wins: HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME/hub,
// XDG_CACHE_HOME/huggingface/hub,
// ~/.cache/huggingface/hub; each only when its variable is set.
std::vector<std::filesystem::path> hub_cache_folders();

// The snapshot that refs/main names (or the only one there is), or nothing when no cache has the model.
// Throws Error(Checkpoint) for a damaged cache and for links that leave it.
std::optional<std::filesystem::path> find_in_hub_cache(const std::string& name);

}  // namespace normscope
