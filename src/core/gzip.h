// Unzipping of gzip bytes (RFC 1952) held in memory.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace normscope {

bool is_gzip(std::string_view bytes);

// The unzipped bytes of every member in turn. Throws Error(Data) for bytes that are no gzip, are cut short,
// fail their checksum, or unzip to more than `limit` bytes.
std::string gunzip(std::string_view bytes, size_t limit);

}  // namespace normscope
