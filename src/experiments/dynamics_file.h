// Writing dynamics.bin (measurements/dynamics_records.h), an epoch at a time.
#pragma once
#include <filesystem>
#include <span>

#include "measurements/dynamics_records.h"
#include "measurements/logits.h"

namespace normscope {

// Writes one epoch at its place and syncs; earlier epochs stay, later ones are cut off.
// Throws Error(Run) when the file belongs to other data or cannot be written.
void write_dynamics(const std::filesystem::path& path, int64_t epoch, const Logits& logits,
                    std::span<const int> given_labels);

}  // namespace normscope
