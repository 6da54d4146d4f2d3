// Layout: models--<org>--<name>/{refs/main, snapshots/<commit>/<file> -> blobs/<hash>}.
// Source: huggingface_hub documentation, "Understand caching".
#include "checkpoints/hub_cache.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "core/error.h"
#include "core/file.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

bool is_inside(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// A link planted in a shared cache could make us read, and later publish, somebody's private file.
void refuse_links_that_leave(const fs::path& snapshot, const fs::path& cache) {
  const fs::path root = fs::canonical(cache);
  require(is_inside(fs::canonical(snapshot), root), ErrorKind::Checkpoint, snapshot.string(),
          ": leaves the cache folder ", cache.string(), "; refused");
  for (const auto& entry : fs::recursive_directory_iterator(snapshot)) {
    if (!entry.is_symlink()) continue;
    std::error_code problem;
    const fs::path target = fs::canonical(entry.path(), problem);
    require(!problem, ErrorKind::Checkpoint, entry.path().string(),
            ": a link to a file that is not in the cache; the download is incomplete");
    require(is_inside(target, root), ErrorKind::Checkpoint, entry.path().string(), ": links to ", target.string(),
            ", outside the cache; refused");
  }
}

std::string read_commit(const fs::path& reference) {
  std::string commit = read_file(reference, ErrorKind::Checkpoint);
  while (!commit.empty() && std::isspace(static_cast<unsigned char>(commit.back()))) commit.pop_back();
  const bool is_name = !commit.empty() && commit.size() <= 100 &&
                       std::all_of(commit.begin(), commit.end(), [](unsigned char c) { return std::isalnum(c); });
  require(is_name, ErrorKind::Checkpoint, reference.string(), ": expected a commit, found something else");
  return commit;
}

fs::path snapshot_of(const fs::path& model) {
  const fs::path snapshots = model / "snapshots";
  if (fs::is_regular_file(model / "refs" / "main")) {
    const fs::path snapshot = snapshots / read_commit(model / "refs" / "main");
    require(fs::is_directory(snapshot), ErrorKind::Checkpoint, snapshot.string(),
            ": refs/main names this snapshot, but it is not there; the download is incomplete");
    return snapshot;
  }
  std::vector<fs::path> found;
  if (fs::is_directory(snapshots))
    for (const auto& entry : fs::directory_iterator(snapshots)) found.push_back(entry.path());
  require(found.size() == 1, ErrorKind::Checkpoint, model.string(), ": no refs/main and ", found.size(),
          " snapshots; pass the folder of one of them");
  return found[0];
}

}  // namespace

bool is_hub_name(const std::string& name) {
  const auto is_allowed = [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == '/';
  };
  return !name.empty() && name.size() <= 200 && std::all_of(name.begin(), name.end(), is_allowed) &&
         std::count(name.begin(), name.end(), '/') <= 1 && std::isalnum(static_cast<unsigned char>(name.front())) &&
         name.find("..") == std::string::npos && name.find("--") == std::string::npos &&
         name.find("/.") == std::string::npos && !name.ends_with('/');
}

std::vector<fs::path> hub_cache_folders() {
  std::vector<fs::path> folders;
  const auto add = [&](const char* variable, const char* below) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') return;
    const fs::path folder = *below == '\0' ? fs::path(value) : fs::path(value) / below;
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  };
  add("HF_HUB_CACHE", "");
  add("HUGGINGFACE_HUB_CACHE", "");
  add("HF_HOME", "hub");
  add("XDG_CACHE_HOME", "huggingface/hub");
  add("HOME", ".cache/huggingface/hub");
  return folders;
}

std::optional<fs::path> find_in_hub_cache(const std::string& name) {
  if (!is_hub_name(name)) return std::nullopt;
  std::string folder = "models--" + name;
  if (const size_t slash = folder.find('/'); slash != std::string::npos) folder.replace(slash, 1, "--");
  for (const auto& cache : hub_cache_folders()) {
    std::error_code ignored;  // a cache that cannot be looked at has nothing for us
    if (!fs::is_directory(cache / folder, ignored)) continue;
    try {
      const fs::path snapshot = snapshot_of(cache / folder);
      refuse_links_that_leave(snapshot, cache);
      return snapshot;
    } catch (const fs::filesystem_error& error) {
      throw Error(ErrorKind::Checkpoint, (cache / folder).string() + ": cannot be read: " + error.code().message());
    }
  }
  return std::nullopt;
}

}  // namespace normscope
