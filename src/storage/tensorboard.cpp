// Source: TensorFlow's tensorflow/core/lib/io/record_writer.h, util/event.proto, framework/summary.proto.
#include "storage/tensorboard.h"

#include <array>
#include <bit>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <sstream>

#include "core/error.h"
#include "core/file.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

constexpr auto kCrcTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0x82f63b78u : 0u);
    table[i] = value;
  }
  return table;
}();

std::string little_endian(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string masked_crc(std::string_view bytes) {
  const uint32_t crc = crc32c(bytes);
  return little_endian(std::rotr(crc, 15) + 0xa282ead8u, 4);
}

// Fields of a protocol buffer: a key of number and wire type, then the value.
std::string varint(uint64_t value) {
  std::string text;
  for (; value >= 128; value >>= 7) text += static_cast<char>(value | 128);
  return text + static_cast<char>(value);
}
std::string key(int field, int wire_type) { return varint(static_cast<uint64_t>(field << 3 | wire_type)); }
std::string bytes_field(int field, std::string_view bytes) {
  return key(field, 2) + varint(bytes.size()) + std::string(bytes);
}
std::string double_field(int field, double value) {
  return key(field, 1) + little_endian(std::bit_cast<uint64_t>(value), 8);
}
std::string float_field(int field, float value) {
  return key(field, 5) + little_endian(std::bit_cast<uint32_t>(value), 4);
}
std::string integer_field(int field, int64_t value) { return key(field, 0) + varint(static_cast<uint64_t>(value)); }

// Event: wall_time = 1, step = 2, file_version = 3, summary = 5. Summary: value = 1. Value: tag = 1, simple_value = 2.
std::string version_event(double time) { return event_record(double_field(1, time) + bytes_field(3, "brain.Event:2")); }

class EpochEvent {
 public:
  void add(const std::string& tag, double value) {
    if (!std::isnan(value)) values_ += bytes_field(1, bytes_field(1, tag) + float_field(2, static_cast<float>(value)));
  }
  std::string record(double time, int64_t epoch) const {
    return event_record(double_field(1, time) + integer_field(2, epoch) + bytes_field(5, values_));
  }

 private:
  std::string values_;
};

// Seconds since 1970 of an ISO 8601 time in UTC; 0 when it is none.
double unix_time(const std::string& text) {
  std::tm time{};
  std::istringstream stream(text);
  stream >> std::get_time(&time, "%Y-%m-%dT%H:%M:%SZ");
  return stream.fail() ? 0 : static_cast<double>(::timegm(&time));
}

std::string norm_tag(const Reading& reading) {
  const std::string tag = reading.metric + "/" + reading.split;
  if (!reading.layer && !reading.role) return reading.split + "/" + reading.metric;
  return tag + "/" + (reading.layer ? std::to_string(*reading.layer) + "." : "") + reading.role.value_or("");
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  uint32_t crc = ~0u;
  for (const char byte : bytes) crc = kCrcTable[(crc ^ static_cast<uint8_t>(byte)) & 255] ^ (crc >> 8);
  return ~crc;
}

std::string event_record(std::string_view bytes) {
  const auto length = little_endian(bytes.size(), 8);
  return length + masked_crc(length) + std::string(bytes) + masked_crc(bytes);
}

void export_tensorboard(const RunStore& store, const fs::path& folder) {
  for (const auto& run : store.runs()) {
    const auto epochs = store.metrics(run.id);
    if (epochs.empty()) continue;
    const auto readings = store.norm_readings(run.id);
    // Stopped runs have gone on later: what is told is when training itself would have been there.
    const double start = unix_time(run.started);
    double time = start;
    std::string events = version_event(time);
    for (const auto& epoch : epochs) {
      if (!std::isnan(epoch.seconds)) time += epoch.seconds;
      EpochEvent event;
      for (const auto& field : kMetricFields)
        event.add(std::string(field.split.empty() ? "run" : field.split) + "/" + std::string(field.metric),
                  epoch.*field.member);
      for (const auto& reading : readings)
        if (reading.epoch == epoch.epoch) event.add(norm_tag(reading), reading.value);
      events += event.record(time, epoch.epoch);
    }
    std::error_code error;
    fs::create_directories(folder / run.id, error);
    require(!error, ErrorKind::Run, (folder / run.id).string(), ": cannot be created: ", error.message());
    // One file a run however often it is exported: TensorBoard shows all files of a folder together.
    write_file_atomically(
        folder / run.id / ("events.out.tfevents." + std::to_string(static_cast<int64_t>(start)) + ".normscope"),
        events);
  }
}

}  // namespace normscope
