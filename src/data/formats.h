// The table of data formats: what a file name or a recipe's `format` selects.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/source_rows.h"

namespace normscope {

using RowReader = SourceRows (*)(std::string_view bytes, const std::string& file, const ReadOptions& options);

// For a folder, or files that belong together.
using PathReader = SourceRows (*)(const std::string& path, const ReadOptions& options);

struct Format {
  std::string name;
  std::vector<std::string> extensions;
  std::string summary;
  RowReader read_bytes;  // or null, then:
  PathReader read_path = nullptr;
  bool (*fits)(const std::string& path) = nullptr;  // a path that extensions do not tell
};

std::span<const Format> formats();

// The format called `name`, or for "auto" the first that fits the path, else the one of its extension. Throws
// Error(Usage) with the known names, Error(Data) when an extension is nobody's.
const Format& find_format(const std::string& name, const std::string& path);

// Reads the file or folder with its format. `options.delimiter` "auto" is settled from the bytes.
SourceRows read_source_rows(const std::string& path, const std::string& format, const ReadOptions& options);

SourceRows read_csv(std::string_view bytes, const std::string& file, const ReadOptions& options);
SourceRows read_tsv(std::string_view bytes, const std::string& file, const ReadOptions& options);
SourceRows read_jsonl(std::string_view bytes, const std::string& file, const ReadOptions& options);
SourceRows read_txt(std::string_view bytes, const std::string& file, const ReadOptions& options);
SourceRows read_idx(const std::string& path, const ReadOptions& options);
SourceRows read_cifar(const std::string& path, const ReadOptions& options);
SourceRows read_image_folder(const std::string& path, const ReadOptions& options);

// Whether a file or folder is named as such data is.
bool is_idx(const std::string& path);
bool is_cifar(const std::string& path);

}  // namespace normscope
