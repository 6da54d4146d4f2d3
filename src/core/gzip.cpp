// Unzipping with zlib, in blocks, so that a small file cannot claim much memory.
#include "core/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/error.h"

namespace normscope {
namespace {

struct Inflater {
  z_stream stream = {};
  Inflater() {
    require(inflateInit2(&stream, 15 + 16) == Z_OK, ErrorKind::Run, "zlib does not start");
  }  // 16: gzip only
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view bytes, size_t limit) {
  require(is_gzip(bytes), ErrorKind::Data, "no gzip file: it does not start with 1f 8b");
  Inflater inflater;
  auto& stream = inflater.stream;
  std::string out;
  std::array<char, 1 << 16> block;
  for (;;) {
    if (stream.avail_in == 0) {
      require(!bytes.empty(), ErrorKind::Data, "the gzip file is cut short");
      const size_t taken = std::min<size_t>(bytes.size(), std::numeric_limits<uInt>::max());
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads it
      stream.avail_in = static_cast<uInt>(taken);
      bytes.remove_prefix(taken);
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    require(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR, ErrorKind::Data,
            "the gzip file is damaged: ", stream.msg ? stream.msg : "zlib gives no reason");
    const size_t count = block.size() - stream.avail_out;
    require(count <= limit - out.size(), ErrorKind::Data, "the gzip file holds more than ", limit, " bytes");
    out.append(block.data(), count);
    if (status != Z_STREAM_END) continue;
    if (stream.avail_in == 0 && bytes.empty()) return out;
    inflateReset(&stream);
  }
}

UnzippedFile::UnzippedFile(const std::filesystem::path& path, ErrorKind kind, size_t limit) : file_(path, kind) {
  if (!is_gzip(file_.bytes())) return;
  try {
    unzipped_ = gunzip(file_.bytes(), limit);
  } catch (const Error& error) {
    throw Error(kind, path.string() + ": " + error.what());
  }
}

}  // namespace normscope
