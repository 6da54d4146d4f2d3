// The members of a zip archive that are stored as they are; torch.save compresses nothing.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace normscope {

// Name to bytes, pointing into `bytes`. Throws Error(Checkpoint) that starts with `origin` for a damaged
// archive and for members that are compressed or encrypted. Checksums are not compared.
std::map<std::string, std::string_view> parse_zip(std::string_view bytes, const std::string& origin = "zip");

}  // namespace normscope
