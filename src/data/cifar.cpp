// The format cifar: the batches of a folder, training or test, or one batch file.
#include "data/cifar.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/gzip.h"
#include "data/cifar_pickle.h"
#include "data/class_names.h"
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

// The four ways that CIFAR is published.
struct Version {
  std::vector<std::string> train_batches;
  std::string test_batch;
  std::string names_file, names_key;  // the key of a pickle's list
  CifarLayout layout;
  bool is_pickle;
};

const std::vector<Version>& versions() {
  static const std::vector<Version> table = {
      {{"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"},
       "test_batch.bin",
       "batches.meta.txt",
       "",
       kCifar10,
       false},
      {{"train.bin"}, "test.bin", "fine_label_names.txt", "", kCifar100, false},
      {{"data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5"},
       "test_batch",
       "batches.meta",
       "label_names",
       kCifar10,
       true},
      {{"train"}, "test", "meta", "fine_label_names", kCifar100, true},
  };
  return table;
}

bool has_batch(const fs::path& folder, const Version& version) {
  return has_file(folder, version.train_batches[0]) || has_file(folder, version.test_batch);
}

// The version of which the folder holds a batch, or null.
const Version* version_in(const fs::path& folder) {
  for (const auto& version : versions())
    if (has_batch(folder, version)) return &version;
  return nullptr;
}

// By the names beside it, else by the size that a batch's records divide.
CifarLayout layout_of(const fs::path& folder, const std::string& file, size_t size) {
  for (const auto& version : versions())
    if (!version.is_pickle && (has_file(folder, version.names_file) || has_batch(folder, version)))
      return version.layout;
  const auto divides = [&](const CifarLayout& layout) {
    return static_cast<int64_t>(size) % layout.record_bytes() == 0;
  };
  require(divides(kCifar10) || divides(kCifar100), ErrorKind::Data, file, ": ", size,
          " bytes are no whole number of CIFAR-10's records (", kCifar10.record_bytes(), " bytes) or CIFAR-100's (",
          kCifar100.record_bytes(), ")");
  return divides(kCifar10) ? kCifar10 : kCifar100;
}

// From the file beside the batches, else numbers.
std::vector<std::string> class_names(const fs::path& folder, int num_classes, bool is_pickle) {
  const auto version = std::ranges::find_if(versions(), [&](const Version& candidate) {
    return candidate.layout.num_classes == num_classes && candidate.is_pickle == is_pickle;
  });
  std::vector<std::string> names;
  if (!has_file(folder, version->names_file)) {
    for (int i = 0; i < num_classes; ++i) names.push_back(std::to_string(i));
    return names;
  }
  const auto path = (folder / version->names_file).string();
  names = is_pickle ? parse_cifar_names(MappedFile(path, ErrorKind::Data).bytes(), path, version->names_key)
                    : read_class_names(path);
  check_class_names(names, num_classes, path);
  return names;
}

std::vector<std::string> batches_in(const std::string& folder, SplitRole role) {
  require(role != SplitRole::Validation, ErrorKind::Data, folder,
          ": cifar has no validation batch; name a batch file or set validation_fraction");
  const auto* version = version_in(folder);
  require(version != nullptr, ErrorKind::Data, folder,
          ": no CIFAR batch; expected data_batch_1.bin, train.bin, data_batch_1 or train, or a test batch");
  std::vector<std::string> files;
  for (const auto& name : role == SplitRole::Train ? version->train_batches : std::vector{version->test_batch}) {
    require(has_file(folder, name), ErrorKind::Data, folder, ": no ", name);
    files.push_back((fs::path(folder) / name).string());
  }
  return files;
}

// A row of label `label`, bad where that is no class.
void add_row(const std::string& file, int64_t offset, int64_t label, const std::vector<std::string>& classes,
             RowCollector& rows) {
  SourceRow row{.image = cifar_picture(file, offset)};
  if (label < 0 || label >= std::ssize(classes)) {
    rows.add_bad(row, "label " + std::to_string(label) + "; expected 0 to " + std::to_string(classes.size() - 1));
    return;
  }
  row.label = classes[static_cast<size_t>(label)];
  rows.add(std::move(row));
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
    add_row(file, pixels, label, classes, rows);
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
    const auto bytes = batch.bytes();
    if (bytes.starts_with('\x80')) {  // a pickle; as a label it would be out of range
      const auto pickle = parse_cifar_pickle(bytes, file);
      if (classes.empty()) classes = class_names(folder, pickle.num_classes, true);
      for (size_t i = 0; i < pickle.labels.size(); ++i)
        add_row(file, pickle.offset + static_cast<int64_t>(i) * kCifarPixelBytes, pickle.labels[i], classes, rows);
    } else {
      const auto layout = layout_of(folder, file, bytes.size());
      if (classes.empty()) classes = class_names(folder, layout.num_classes, false);
      add_cifar_records(bytes, file, layout, classes, rows);
    }
  }
  auto read = rows.finish();
  read.classes = std::move(classes);
  return read;
}

bool is_cifar(const std::string& path) {
  const auto name = fs::path(path).filename().string();
  if (!is_folder(path)) return name.starts_with("data_batch_") || name == "test_batch";
  const auto* version = version_in(path);
  // "train" alone is a common name.
  return version != nullptr && (version->layout.num_classes == 10 || has_file(path, version->names_file));
}

}  // namespace normscope
