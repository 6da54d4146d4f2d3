// The format image_folder: a folder of pictures for each class, in byte order of names.
#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/text.h"
#include "data/formats.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool is_picture_name(const fs::path& path) {
  auto extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  constexpr std::string_view kKnown[] = {".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp"};
  return std::ranges::find(kKnown, extension) != std::end(kKnown);
}

bool is_folder(const fs::path& path) {
  std::error_code problem;
  return fs::is_directory(path, problem);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
    entries.push_back(at->path());
  require(!problem, ErrorKind::Data, folder.string(), ": cannot be read: ", problem.message());
  std::ranges::sort(entries, {}, [](const fs::path& path) -> const std::string& { return path.native(); });
  return entries;
}

// Collects pictures below folders; what is hidden or no picture is counted.
class PictureWalk {
 public:
  std::vector<std::string> pictures_below(const fs::path& folder) {
    std::vector<std::string> pictures;
    walk(folder, pictures);
    std::ranges::sort(pictures);
    return pictures;
  }
  void pass_over() { ++num_passed_over_; }
  int64_t num_passed_over() const { return num_passed_over_; }

 private:
  void walk(const fs::path& folder, std::vector<std::string>& pictures) {
    std::error_code problem;
    const auto real = fs::canonical(folder, problem);
    require(!problem, ErrorKind::Data, folder.string(), ": cannot be read: ", problem.message());
    require(std::ranges::find(above_, real) == above_.end(), ErrorKind::Data, folder.string(),
            ": the folder is a link back to ", real.string(), ", which it is in");
    above_.push_back(real);
    for (const auto& entry : entries_of(folder)) {
      if (is_hidden(entry)) {
        pass_over();
      } else if (is_folder(entry)) {
        walk(entry, pictures);
      } else if (is_picture_name(entry)) {
        pictures.push_back(entry.string());
      } else {
        pass_over();
      }
    }
    above_.pop_back();
  }

  std::vector<fs::path> above_;
  int64_t num_passed_over_ = 0;
};

void add_picture(const std::string& file, const std::string& label, RowCollector& rows) {
  SourceRow row{.image = {.file = file}, .label = label};
  std::error_code problem;
  if (find_invalid_utf8(file) != std::string_view::npos) {
    rows.add_bad(row, "the name is not UTF-8");
  } else if (!fs::is_regular_file(file, problem)) {
    rows.add_bad(row, "expected a file, found something else");
  } else {
    rows.add(std::move(row));
  }
}

}  // namespace

SourceRows read_image_folder(const std::string& path, const ReadOptions& options) {
  require(is_folder(path), ErrorKind::Data, path, ": image_folder expects a folder");
  require(!options.needs_true_labels || options.true_label_column.empty(), ErrorKind::Usage, path,
          ": a folder tells one label; true_label_column \"", options.true_label_column, "\" needs csv, tsv or jsonl");
  RowCollector rows(path, options);
  PictureWalk walk;
  std::vector<fs::path> class_folders;
  if (!options.labels_in_names)
    for (const auto& entry : entries_of(path))
      if (is_folder(entry) && !is_hidden(entry)) class_folders.push_back(entry);
  const bool has_labels = !class_folders.empty();
  require(has_labels || options.labels_in_names || !options.needs_labels, ErrorKind::Data, path,
          ": no class folder; image_folder expects a folder of pictures for each class");
  rows.set_columns(has_labels, false);
  if (!has_labels)
    for (const auto& file : walk.pictures_below(path)) add_picture(file, "", rows);
  std::vector<std::string> empty;
  for (const auto& folder : class_folders) {
    const auto name = folder.filename().string();
    require(find_invalid_utf8(name) == std::string_view::npos, ErrorKind::Data, folder.string(),
            ": the class's name is not UTF-8");
    const auto pictures = walk.pictures_below(folder);
    if (pictures.empty()) empty.push_back(name);
    for (const auto& file : pictures) add_picture(file, name, rows);
  }
  if (has_labels)
    for (const auto& entry : entries_of(path))
      if (std::ranges::find(class_folders, entry) == class_folders.end()) walk.pass_over();
  if (!empty.empty()) rows.add_note(path + ": class folders without pictures: " + join(empty, ", "));
  if (walk.num_passed_over() > 0)
    rows.add_note(path + ": passed over " + std::to_string(walk.num_passed_over()) +
                  " files or folders that are hidden, no picture by their extension, or in no class folder");
  return rows.finish();
}

}  // namespace normscope
