// The table of data formats, and reading a file through it.
#include "data/formats.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace normscope {
namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& format : formats()) names.push_back(format.name);
  return names;
}

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  return extension;
}

bool is_folder(const std::string& path) {
  std::error_code problem;
  return std::filesystem::is_directory(path, problem);
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> table = {
      {"csv", {".csv"}, "RFC 4180 with a header line; the delimiter is found in the header", read_csv},
      {"tsv", {".tsv", ".tab"}, "csv whose delimiter is the tab", read_tsv},
      {"jsonl", {".jsonl", ".ndjson", ".json"}, "one JSON object a line", read_jsonl},
      {"txt", {".txt"}, "one row a line: text, delimiter, label; quotes are characters", read_txt},
      {"idx",
       {},
       "MNIST's pairs of images-idx3-ubyte and labels-idx1-ubyte, plain or .gz; a folder of them",
       nullptr,
       read_idx,
       is_idx},
      {"cifar",
       {".bin"},
       "CIFAR-10's and CIFAR-100's batches, binary or pickled: their folder, or one batch",
       nullptr,
       read_cifar,
       is_cifar},
      {"image_folder", {}, "a folder of pictures for each class", nullptr, read_image_folder, is_folder},
  };
  return table;
}

const Format& find_format(const std::string& name, const std::string& path) {
  const auto names = format_names();
  const auto extension = lower_extension(path);
  for (const auto& format : formats()) {
    if (format.name == name) return format;
    if (name == "auto" && format.fits != nullptr && format.fits(path)) return format;
    if (name == "auto" && std::ranges::find(format.extensions, extension) != format.extensions.end()) return format;
  }
  require(name == "auto", ErrorKind::Usage, "unknown format \"", name, "\"; known: auto, ", join(names, ", "));
  throw Error(ErrorKind::Data, path + ": the name does not tell the format; set format to one of " + join(names, ", "));
}

SourceRows read_source_rows(const std::string& path, const std::string& format, const ReadOptions& options) {
  const auto& reader = find_format(format, path);
  if (reader.read_path != nullptr) return reader.read_path(path, options);
  const MappedFile file(path, ErrorKind::Data);
  return reader.read_bytes(without_byte_order_mark(file.bytes(), path), path, options);
}

}  // namespace normscope
