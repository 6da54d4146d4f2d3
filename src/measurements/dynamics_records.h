// dynamics.bin: what every epoch's own training pass said of every training row.
// Layout, little endian: "NSDYNAM1", uint32 rows, uint32 classes, 48 zero bytes; then for epoch 0, 1, ... and each
// row in order: float32 loss (given label, nats), float32 logit of the given label, float32 margin, int32 prediction.
// Epoch 0 is read in eval mode before training; the others in train mode, as the epoch met the rows.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace normscope {

struct DynamicsHeader {
  char magic[8] = {'N', 'S', 'D', 'Y', 'N', 'A', 'M', '1'};
  uint32_t rows = 0, classes = 0;
  char reserved[48] = {};
};
static_assert(sizeof(DynamicsHeader) == 64);

// One row after one epoch, of its given label.
struct DynamicsRecord {
  float loss, given_logit, margin;  // cross entropy in nats, logit, logit minus the largest other
  int32_t prediction;               // class
};
static_assert(sizeof(DynamicsRecord) == 16);

struct Dynamics {
  uint32_t rows = 0, classes = 0;
  std::vector<std::span<const DynamicsRecord>> epochs;  // views of the parsed bytes
};

// Throws Error(Data) unless `bytes` (16-byte aligned, as maps are) is a whole file of whole epochs whose predictions
// are classes.
Dynamics parse_dynamics(std::string_view bytes);

}  // namespace normscope
