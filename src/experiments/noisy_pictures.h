// The pictures with wrong labels as small files, for people to look at.
#pragma once
#include <filesystem>

#include "experiments/prepared_data.h"

namespace normscope {

// "<row>.png" for each of `rows`, as the model sees them, at most 64 pixels wide and high. Throws Error(Run).
void write_small_pictures(const Pictures& pictures, std::span<const int64_t> rows, const std::filesystem::path& folder);

// "<row>.png" for the first 200 noisy rows, as the model sees them, at most 64 pixels wide and high. Throws Error(Run).
void write_noisy_pictures(const PreparedData& data, const std::filesystem::path& folder);

}  // namespace normscope
