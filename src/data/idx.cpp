// The format idx: pictures and labels in two files, found by their names, plain or zipped.
#include "data/idx.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/error.h"
#include "core/gzip.h"
#include "core/text.h"
#include "data/class_names.h"
#include "data/formats.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem);
}

// "images-idx3-ubyte", or with a point as torchvision's mirrors name it.
constexpr std::string_view kImages[] = {"images-idx3-ubyte", "images.idx3-ubyte"};
constexpr std::string_view kLabels[] = {"labels-idx1-ubyte", "labels.idx1-ubyte"};

bool is_images_name(const std::string& path) {
  const auto name = fs::path(path).filename().string();
  return std::ranges::any_of(kImages, [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

// The path, zipped or not, that there is; or "".
std::string plain_or_zipped(const std::string& path) {
  for (const auto& candidate : {path, path + ".gz"})
    if (is_file(candidate)) return candidate;
  return "";
}

std::string images_in(const std::string& folder, const std::string& part) {
  for (const auto name : kImages) {
    const auto found = plain_or_zipped((fs::path(folder) / (part + "-" + std::string(name))).string());
    if (!found.empty()) return found;
  }
  return "";
}

std::string images_of(const std::string& path, SplitRole role) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) return path;
  require(role != SplitRole::Validation, ErrorKind::Data, path,
          ": idx has no validation files; name an images file or set validation_fraction");
  const std::string part = role == SplitRole::Train ? "train" : "t10k";
  const auto found = images_in(path, part);
  require(!found.empty(), ErrorKind::Data, path, ": no ", part, "-images-idx3-ubyte or ", part,
          "-images-idx3-ubyte.gz");
  return found;
}

// The labels' file beside `images`, or "" when there is none or the name tells none.
std::string labels_of(const std::string& images) {
  auto name = fs::path(images).filename().string();
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  for (const auto part : kImages) {
    const auto at = name.find(part);
    if (at == std::string::npos) continue;
    for (const auto label_part : kLabels) {
      const auto labels = name.substr(0, at) + std::string(label_part) + name.substr(at + part.size());
      const auto found = plain_or_zipped((fs::path(images).parent_path() / labels).string());
      if (!found.empty()) return found;
    }
  }
  return "";
}

std::string shape_text(const std::vector<int64_t>& shape) {
  std::vector<std::string> sizes;
  for (const int64_t size : shape) sizes.push_back(std::to_string(size));
  return "[" + join(sizes, ", ") + "]";
}

}  // namespace

IdxArray parse_idx(std::string_view bytes, const std::string& file) {
  constexpr size_t kMagicBytes = 4, kMaxDimensions = 4;
  require(bytes.size() >= kMagicBytes, ErrorKind::Data, file, ": ", bytes.size(), " bytes are too few for an idx file");
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  require(byte(0) == 0 && byte(1) == 0 && byte(2) == 8, ErrorKind::Data, file,
          ": an idx file of bytes starts with 00 00 08; found something else");
  const size_t dimensions = byte(3), begin = kMagicBytes + 4 * dimensions;
  require(dimensions >= 1 && dimensions <= kMaxDimensions, ErrorKind::Data, file, ": ", dimensions,
          " dimensions; expected 1 to ", kMaxDimensions);
  require(bytes.size() >= begin, ErrorKind::Data, file, ": ends in the header");
  IdxArray array;
  array.offset = static_cast<int64_t>(begin);
  array.values = bytes.substr(begin);
  size_t count = 1;
  for (size_t i = 0; i < dimensions; ++i) {
    size_t size = 0;
    for (size_t k = 0; k < 4; ++k) size = size << 8 | byte(kMagicBytes + 4 * i + k);
    array.shape.push_back(static_cast<int64_t>(size));
    // Kept from overflowing: beyond the file's size no shape fits.
    count = size > 0 && count > bytes.size() / size ? bytes.size() + 1 : count * size;
  }
  if (std::ranges::find(array.shape, 0) != array.shape.end()) count = 0;
  require(count == array.values.size(), ErrorKind::Data, file, ": the shape ", shape_text(array.shape),
          " does not fit the ", array.values.size(), " bytes that follow the header");
  return array;
}

SourceRows read_idx(const std::string& path, const ReadOptions& options) {
  require(!options.needs_true_labels || options.true_label_column.empty(), ErrorKind::Usage, path,
          ": idx holds one label a picture; true_label_column \"", options.true_label_column,
          "\" needs csv, tsv or jsonl");
  const auto images_file = images_of(path, options.role);
  const auto labels_file = labels_of(images_file);
  require(!labels_file.empty() || !options.needs_labels, ErrorKind::Data, images_file,
          ": no labels file beside it; expected a name ...labels-idx1-ubyte for ...images-idx3-ubyte");
  const UnzippedFile images_bytes(images_file, ErrorKind::Data);
  const auto images = parse_idx(images_bytes.bytes(), images_file);
  const bool has_colours = images.shape.size() == 4;
  require(images.shape.size() == 3 || (has_colours && images.shape[3] == 3), ErrorKind::Data, images_file,
          ": the shape is ", shape_text(images.shape), "; expected [pictures, height, width] or [.., .., .., 3]");
  require(images.shape[0] == 0 || !images.values.empty(), ErrorKind::Data, images_file,
          ": the pictures have no pixels: ", shape_text(images.shape));

  std::optional<UnzippedFile> labels_bytes;
  IdxArray labels;
  if (!labels_file.empty()) {
    labels = parse_idx(labels_bytes.emplace(labels_file, ErrorKind::Data).bytes(), labels_file);
    require(labels.shape.size() == 1 && labels.shape[0] == images.shape[0], ErrorKind::Data, labels_file, ": ",
            shape_text(labels.shape), " labels; ", images_file, " has ", images.shape[0], " pictures");
  }
  const auto names_file = (fs::path(images_file).parent_path() / "class_names.txt").string();
  std::vector<std::string> names;
  if (labels_bytes && is_file(names_file)) {
    names = read_class_names(names_file);
    check_class_names(names, std::ssize(names), names_file);
  }
  RowCollector rows(images_file, options);
  rows.set_columns(labels_bytes.has_value(), false);
  const ImageSource first{images_file, images.offset, images.shape[2], images.shape[1], has_colours ? 3 : 1};
  const int64_t size = first.width * first.height * first.channels;
  for (int64_t i = 0; i < images.shape[0]; ++i) {
    SourceRow row{.image = first};
    row.image.offset += i * size;
    if (labels_bytes) {
      const size_t label = static_cast<unsigned char>(labels.values[static_cast<size_t>(i)]);
      if (!names.empty() && label >= names.size()) {
        rows.add_bad(row, "label " + std::to_string(label) + "; " + names_file + " names " +
                              std::to_string(names.size()) + " classes");
        continue;
      }
      row.label = names.empty() ? std::to_string(label) : names[label];
    }
    rows.add(std::move(row));
  }
  auto read = rows.finish();
  read.classes = std::move(names);
  return read;
}

bool is_idx(const std::string& path) {
  std::error_code problem;
  if (!fs::is_directory(path, problem)) return is_images_name(path);
  return !images_in(path, "train").empty() || !images_in(path, "t10k").empty();
}

}  // namespace normscope
