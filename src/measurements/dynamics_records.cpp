#include "measurements/dynamics_records.h"

#include <cstring>
#include <limits>

#include "core/error.h"

namespace normscope {

Dynamics parse_dynamics(std::string_view bytes) {
  DynamicsHeader header;
  require(bytes.size() >= sizeof header && std::memcmp(bytes.data(), header.magic, sizeof header.magic) == 0,
          ErrorKind::Data, "dynamics: no header 'NSDYNAM1'");
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  require(header.classes <= static_cast<uint32_t>(std::numeric_limits<int32_t>::max()), ErrorKind::Data,
          "dynamics: ", header.classes, " classes are more than a prediction can name");
  const size_t epoch_bytes = size_t{header.rows} * sizeof(DynamicsRecord);
  require(header.rows > 0 && bytes.size() % epoch_bytes == 0, ErrorKind::Data, "dynamics: ", bytes.size(),
          " bytes after the header are not whole epochs of ", header.rows, " rows");
  Dynamics dynamics{header.rows, header.classes, {}};
  for (; !bytes.empty(); bytes.remove_prefix(epoch_bytes))
    dynamics.epochs.emplace_back(reinterpret_cast<const DynamicsRecord*>(bytes.data()), header.rows);
  for (size_t e = 0; e < dynamics.epochs.size(); ++e)
    for (const auto& record : dynamics.epochs[e])
      require(record.prediction >= 0 && static_cast<uint32_t>(record.prediction) < header.classes, ErrorKind::Data,
              "dynamics: epoch ", e, " predicts class ", record.prediction, " of ", header.classes);
  return dynamics;
}

}  // namespace normscope
