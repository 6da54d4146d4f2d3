// Layout: 8 bytes of header length, a JSON header, then the tensors without gaps.
// Source: github.com/huggingface/safetensors, README, section Format.
#include "checkpoints/safetensors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <nlohmann/json.hpp>

#include "checkpoints/strict_json.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace normscope {
namespace {

static_assert(std::endian::native == std::endian::little, "tensor bytes are used as they lie in the file");

constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the reference's own limit
constexpr size_t kLengthBytes = 8;
constexpr size_t kAlignment = 8;

class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& origin) : bytes_(bytes), origin_(origin) {}

  TensorViews read(std::map<std::string, std::string>* metadata) {
    const nlohmann::json header = parse_header();
    TensorViews tensors;
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__")
        read_metadata(entry, metadata);
      else
        tensors.emplace(name, read_tensor(name, entry));
    }
    check_cover();
    return tensors;
  }

 private:
  struct Range {
    uint64_t begin, end;
    std::string name;
  };

  nlohmann::json parse_header() {
    refuse_absent_weights(bytes_, origin_);
    demand(bytes_.size() >= kLengthBytes, "expected a safetensors file, found only ", bytes_.size(), " bytes");
    uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), kLengthBytes);
    const std::string_view rest = bytes_.substr(kLengthBytes);
    const bool is_json = !rest.empty() && rest.front() == '{';
    demand(is_json || rest.empty(), "not a safetensors file: no header at its start");
    demand(length <= kMaxHeaderBytes, "header of ", length, " bytes, expected at most ", kMaxHeaderBytes);
    demand(length <= rest.size(), "cut short: header of ", length, " bytes, but the file has ", bytes_.size());
    buffer_ = rest.substr(length);
    nlohmann::json header = parse_strict_json(rest.substr(0, length), origin_ + ": header");
    demand(header.is_object(), "header: expected an object, found ", header.type_name());
    return header;
  }

  void read_metadata(const nlohmann::json& entry, std::map<std::string, std::string>* metadata) const {
    demand(entry.is_object(), "__metadata__: expected an object, found ", entry.type_name());
    for (const auto& [key, value] : entry.items()) {
      demand(value.is_string(), "__metadata__: '", key, "': expected text, found ", value.type_name());
      if (metadata != nullptr) (*metadata)[key] = value.get<std::string>();
    }
  }

  TensorView read_tensor(const std::string& name, const nlohmann::json& entry) {
    const std::string place = "tensor '" + name + "': ";
    demand(entry.is_object(), place, "expected an object, found ", entry.type_name());
    for (const char* key : {"dtype", "shape", "data_offsets"}) demand(entry.contains(key), place, "no '", key, "'");
    const auto& dtype_text = entry["dtype"];
    const auto dtype = dtype_text.is_string() ? find_dtype(dtype_text.get<std::string>()) : std::nullopt;
    demand(dtype.has_value(), place, "dtype ", dtype_text.dump(),
           " is not supported; known: F64, F32, F16, BF16, I64, I32, I16, I8, U8, BOOL");
    TensorView view{*dtype, {}, {}};
    for (const uint64_t extent : read_integers(entry["shape"], place + "shape"))
      view.shape.push_back(static_cast<int64_t>(extent));
    const auto offsets = read_integers(entry["data_offsets"], place + "data_offsets");
    demand(offsets.size() == 2, place, "data_offsets: expected 2 numbers, found ", offsets.size());
    const uint64_t begin = offsets[0], end = offsets[1];
    demand(begin <= end, place, "data_offsets: begin ", begin, " is after end ", end);
    demand(end <= buffer_.size(), place, "ends at byte ", end, " but only ", buffer_.size(),
           " bytes of tensors are there; the file is cut short or damaged");
    const auto size = tensor_bytes(*dtype, view.shape);
    demand(size.has_value(), place, "shape ", shape_text(view.shape), " is too large");
    demand(*size == end - begin, place, "shape ", shape_text(view.shape), " of ", dtype_name(*dtype), " needs ", *size,
           " bytes, found ", end - begin);
    view.bytes = buffer_.substr(begin, end - begin);
    ranges_.push_back({begin, end, name});
    return view;
  }

  std::vector<uint64_t> read_integers(const nlohmann::json& list, const std::string& place) const {
    constexpr uint64_t kMax = INT64_MAX;
    demand(list.is_array(), place, ": expected a list, found ", list.type_name());
    std::vector<uint64_t> numbers;
    for (const auto& item : list) {
      demand(item.is_number_unsigned() && item.get<uint64_t>() <= kMax, place,
             ": expected whole numbers of at least 0, found ", item.dump());
      numbers.push_back(item.get<uint64_t>());
    }
    return numbers;
  }

  // A byte that two tensors share, or that none owns, hides something.
  void check_cover() {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Range& a, const Range& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
    uint64_t covered = 0;
    for (const auto& range : ranges_) {
      demand(range.begin >= covered, "tensor '", range.name, "': overlaps another: starts at byte ", range.begin,
             ", expected ", covered);
      demand(range.begin == covered, "bytes ", covered, " to ", range.begin, " belong to no tensor");
      covered = range.end;
    }
    demand(covered == buffer_.size(), "bytes ", covered, " to ", buffer_.size(), " belong to no tensor");
  }

  template <typename... Parts>
  void demand(bool ok, const Parts&... message) const {
    require(ok, ErrorKind::Checkpoint, origin_, ": ", message...);
  }

  std::string_view bytes_, buffer_;
  const std::string& origin_;
  std::vector<Range> ranges_;
};

}  // namespace

void refuse_absent_weights(std::string_view bytes, const std::string& origin) {
  require(!bytes.empty(), ErrorKind::Checkpoint, origin, ": the file is empty; the download was interrupted");
  require(!bytes.starts_with("version https://git-lfs.github.com/spec/"), ErrorKind::Checkpoint, origin,
          ": a Git LFS pointer, not the weights; run `git lfs pull` in that repository or download the file "
          "itself");
}

TensorViews parse_safetensors(std::string_view bytes, std::map<std::string, std::string>* metadata,
                              const std::string& origin) {
  return HeaderReader(bytes, origin).read(metadata);
}

void write_safetensors(const std::filesystem::path& path,
                       const std::vector<std::pair<std::string, TensorView>>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  std::vector<const std::pair<std::string, TensorView>*> order;
  for (const auto& tensor : tensors) order.push_back(&tensor);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    const size_t a_bytes = dtype_bytes(a->second.dtype), b_bytes = dtype_bytes(b->second.dtype);
    return a_bytes != b_bytes ? a_bytes > b_bytes : a->first < b->first;
  });
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const auto* tensor : order) {
    const auto& [name, view] = *tensor;
    assert(tensor_bytes(view.dtype, view.shape) == view.bytes.size() && !header.contains(name));
    header[name] = {{"dtype", dtype_name(view.dtype)},
                    {"shape", view.shape},
                    {"data_offsets", {offset, offset + view.bytes.size()}}};
    offset += view.bytes.size();
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.append((kAlignment - (kLengthBytes + text.size()) % kAlignment) % kAlignment, ' ');
  const uint64_t length = text.size();
  AtomicFile file(path);
  file.write({reinterpret_cast<const char*>(&length), kLengthBytes});
  file.write(text);
  for (const auto* tensor : order) file.write(tensor->second.bytes);
  file.commit();
}

}  // namespace normscope
