// A file that several processes need and one of them makes.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>

#include "core/file.h"

namespace normscope {

// Makes the file unless it is there (with `size` bytes, if that is known); who comes while another process makes it
// waits for that one. What killed processes left half written in its folder goes. Throws Error(Run).
void make_cache_file(const std::filesystem::path& path, std::optional<size_t> size,
                     const std::function<void(AtomicFile&)>& write);

}  // namespace normscope
