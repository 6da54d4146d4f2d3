// The format cifar: the batches of a folder, training or test, or one batch file.
#include "data/cifar.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/gzip.h"
#include "core/text.h"
#include "data/formats.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

bool has_file(const fs::path& folder, const std::string& name) {
  std::error_code problem;
  return fs::is_regular_file(folder / name, problem);
}

bool is_folder(const std::string& path) {
  std::error_code problem;
  return fs::is_directory(path, problem);
}

bool has_cifar10(const fs::path& folder) {
  return has_file(folder, "data_batch_1.bin") || has_file(folder, "test_batch.bin");
}

bool has_cifar100(const fs::path& folder) {
  return has_file(folder, "fine_label_names.txt") && (has_file(folder, "train.bin") || has_file(folder, "test.bin"));
}

// By the names beside it, else by the size that a batch's records divide.
CifarLayout layout_of(const fs::path& folder, const std::string& file, size_t size) {
  if (has_file(folder, "fine_label_names.txt")) return kCifar100;
  if (has_file(folder, "batches.meta.txt") || has_cifar10(folder)) return kCifar10;
  const auto divides = [&](const CifarLayout& layout) {
    return static_cast<int64_t>(size) % layout.record_bytes() == 0;
  };
  require(divides(kCifar10) || divides(kCifar100), ErrorKind::Data, file, ": ", size,
          " bytes are no whole number of CIFAR-10's records (", kCifar10.record_bytes(), " bytes) or CIFAR-100's (",
          kCifar100.record_bytes(), ")");
  return divides(kCifar10) ? kCifar10 : kCifar100;
}

std::vector<std::string> class_names(const fs::path& folder, const CifarLayout& layout) {
  const std::string name = layout.num_classes == 100 ? "fine_label_names.txt" : "batches.meta.txt";
  std::vector<std::string> names;
  if (!has_file(folder, name)) {
    for (int i = 0; i < layout.num_classes; ++i) names.push_back(std::to_string(i));
    return names;
  }
  const auto path = (folder / name).string();
  const auto text = read_file(path, ErrorKind::Data);
  require(find_invalid_utf8(text) == std::string_view::npos, ErrorKind::Data, path, ": is not UTF-8");
  for (std::string_view rest = text; !rest.empty();) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) names.emplace_back(line);
  }
  const std::set<std::string> distinct(names.begin(), names.end());
  require(static_cast<int>(names.size()) == layout.num_classes && distinct.size() == names.size(), ErrorKind::Data,
          path, ": expected ", layout.num_classes, " different class names, found ", distinct.size(), " in ",
          names.size(), " lines");
  return names;
}

std::vector<std::string> batches_in(const std::string& folder, SplitRole role) {
  require(role != SplitRole::Validation, ErrorKind::Data, folder,
          ": cifar has no validation batch; name a batch file or set validation_fraction");
  std::vector<std::string> names;
  if (has_file(folder, "fine_label_names.txt") || has_file(folder, "train.bin")) {
    names = {role == SplitRole::Train ? "train.bin" : "test.bin"};
  } else if (role == SplitRole::Test) {
    names = {"test_batch.bin"};
  } else {
    for (int i = 1; i <= 5; ++i) names.push_back("data_batch_" + std::to_string(i) + ".bin");
  }
  std::vector<std::string> files;
  for (const auto& name : names) {
    require(has_file(folder, name), ErrorKind::Data, folder, ": no ", name);
    files.push_back((fs::path(folder) / name).string());
  }
  return files;
}

}  // namespace

int64_t CifarLayout::record_bytes() const { return label_bytes + kCifarPixelBytes; }

ImageSource cifar_picture(const std::string& file, int64_t offset) { return {file, offset, 32, 32, 3, true}; }

void add_cifar_records(std::string_view bytes, const std::string& file, const CifarLayout& layout,
                       const std::vector<std::string>& classes, RowCollector& rows) {
  require(!bytes.empty(), ErrorKind::Data, file, ": is empty; expected a CIFAR batch");
  const auto record_bytes = static_cast<size_t>(layout.record_bytes());
  require(bytes.size() % record_bytes == 0, ErrorKind::Data, file, ": ", bytes.size(),
          " bytes are no whole number of records of ", record_bytes, " bytes");
  for (size_t at = 0; at < bytes.size(); at += record_bytes) {
    const auto pixels = static_cast<int64_t>(at) + layout.label_bytes;
    const auto label = static_cast<unsigned char>(bytes[static_cast<size_t>(pixels - 1)]);
    SourceRow row{.image = cifar_picture(file, pixels)};
    if (label >= layout.num_classes) {
      rows.add_bad(row, "label " + std::to_string(label) + "; expected 0 to " + std::to_string(layout.num_classes - 1));
      continue;
    }
    row.label = classes[label];
    rows.add(std::move(row));
  }
}

SourceRows read_cifar(const std::string& path, const ReadOptions& options) {
  require(!options.needs_true_labels || options.true_label_column.empty(), ErrorKind::Usage, path,
          ": cifar holds one label a picture; true_label_column \"", options.true_label_column,
          "\" needs csv, tsv or jsonl");
  const auto files = is_folder(path) ? batches_in(path, options.role) : std::vector<std::string>{path};
  RowCollector rows(path, options);
  rows.set_columns(true, false);
  std::vector<std::string> classes;
  for (const auto& file : files) {
    const auto folder = fs::path(file).parent_path();
    const UnzippedFile batch(file, ErrorKind::Data);
    const auto layout = layout_of(folder, file, batch.bytes().size());
    if (classes.empty()) classes = class_names(folder, layout);
    add_cifar_records(batch.bytes(), file, layout, classes, rows);
  }
  auto read = rows.finish();
  read.classes = std::move(classes);
  return read;
}

bool is_cifar(const std::string& path) { return is_folder(path) && (has_cifar10(path) || has_cifar100(path)); }

}  // namespace normscope
