// Unzipping of gzip bytes (RFC 1952), and files that may be zipped or not.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "core/file.h"

namespace normscope {

bool is_gzip(std::string_view bytes);

// The unzipped bytes of every member in turn. Throws Error(Data) for bytes that are no gzip, are cut short,
// fail their checksum, or unzip to more than `limit` bytes.
std::string gunzip(std::string_view bytes, size_t limit);

// A file's bytes, unzipped when it is a gzip file (else a read-only map); they live as long as the object.
class UnzippedFile {
 public:
  // Throws Error of `kind` naming the path for a file that cannot be read, is damaged or unzips to more than `limit`.
  explicit UnzippedFile(const std::filesystem::path& path, ErrorKind kind, size_t limit = size_t{1} << 32);

  std::string_view bytes() const { return is_gzip(file_.bytes()) ? std::string_view(unzipped_) : file_.bytes(); }

 private:
  MappedFile file_;
  std::string unzipped_;
};

}  // namespace normscope
