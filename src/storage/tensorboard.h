// A study's readings as event files, which TensorBoard and its readers show as curves over epochs.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "storage/run_store.h"

namespace normscope {

// CRC-32C (Castagnoli) of the bytes.
uint32_t crc32c(std::string_view bytes);

// One record of an event file: length, its checksum, the bytes, their checksum, little endian.
std::string event_record(std::string_view bytes);

// Writes FOLDER/<run id>/events.out.tfevents.<created>.normscope for every run that has readings; a step is an epoch.
// Tags are "<split>/<metric>" (of no split: "run/<metric>"), and "<metric>/<split>/<layer>.<role>" at norms. Throws
// Error(Run).
void export_tensorboard(const RunStore& store, const std::filesystem::path& folder);

}  // namespace normscope
