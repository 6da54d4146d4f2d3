#include "training/batches.h"

namespace normscope {

TokenRows select_rows(const TokenRows& rows, std::span<const int64_t> indices) {
  TokenRows selected;
  if (rows.has_pictures()) {
    selected.pictures = rows.pictures;
    selected.pictures.rgb.clear();
  }
  selected.mapped.file = rows.mapped.file;
  for (const int64_t index : indices) {
    const auto at = static_cast<size_t>(index);
    if (rows.has_pictures())
      selected.pictures.rgb.push_back(rows.pictures.rgb[at]);
    else if (rows.mapped.rows.empty())
      selected.input_ids.push_back(rows.input_ids[at]);
    else
      selected.mapped.rows.push_back(rows.mapped.rows[at]);
    if (!rows.labels.empty()) selected.labels.push_back(rows.labels[at]);
  }
  return selected;
}

Batch make_batch(const TokenRows& rows, std::span<const int64_t> indices, const BatchOptions& options) {
  Batch batch;
  const auto to_device = [&](const std::vector<int64_t>& values) {
    return torch::tensor(values, torch::kInt64).to(options.device);
  };
  if (!rows.labels.empty()) {
    std::vector<int64_t> labels;
    for (const int64_t index : indices) labels.push_back(rows.labels[static_cast<size_t>(index)]);
    batch.labels = to_device(labels);
  }
  if (rows.has_pictures()) {
    batch.inputs.pixel_values = pixel_values(rows.pictures, indices).to(options.device, options.dtype);
    return batch;
  }
  std::vector<int64_t> ids, positions;
  for (const int64_t index : indices) {
    const auto row = rows.ids(index);
    const auto length = static_cast<int64_t>(row.size());
    const int64_t shift = std::max<int64_t>(0, options.padded_length - length);
    batch.rows.append(length);
    ids.insert(ids.end(), row.begin(), row.end());
    for (int64_t t = 0; t < length; ++t) positions.push_back(shift + t);
  }
  batch.inputs.input_ids = to_device(ids);
  batch.inputs.positions = to_device(positions);
  return batch;
}

}  // namespace normscope
