// dynamics.bin: what every epoch's own training pass said of every training row.
// Layout, little endian: "NSDYNAM1", uint32 rows, uint32 classes, 48 zero bytes; then for epoch 0, 1, ... and each
// row in order: float32 loss (given label, nats), float32 logit of the given label, float32 margin, int32 prediction.
// Epoch 0 is read in eval mode before training; the others in train mode, as the epoch met the rows.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "measurements/logits.h"

namespace normscope {

struct DynamicsRecord {
  float loss, given_logit, margin;
  int32_t prediction;
};
static_assert(sizeof(DynamicsRecord) == 16);

struct Dynamics {
  uint32_t rows = 0, classes = 0;
  std::vector<std::span<const DynamicsRecord>> epochs;  // views of the parsed bytes
};

// Writes one epoch at its place and syncs; earlier epochs stay, later ones are cut off.
// Throws Error(Run) when the file belongs to other data or cannot be written.
void write_dynamics(const std::filesystem::path& path, int64_t epoch, const Logits& logits,
                    std::span<const int> given_labels);

// Throws Error(Data) unless `bytes` (16-byte aligned, as maps are) is a whole file of whole epochs.
Dynamics parse_dynamics(std::string_view bytes);

}  // namespace normscope
