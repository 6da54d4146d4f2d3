// Joins the archive's members: the pickle says what the tensors are, data/<key> holds their storages.
#include "checkpoints/torch_file.h"

#include <algorithm>

#include "checkpoints/pickle.h"
#include "checkpoints/safetensors.h"
#include "checkpoints/zip.h"
#include "core/error.h"

namespace normscope {
namespace {

class TorchReader {
 public:
  TorchReader(std::string_view bytes, const std::string& origin) : bytes_(bytes), origin_(origin) {}

  TorchFile read() {
    refuse_absent_weights(bytes_, origin_);
    require(bytes_.starts_with("PK"), ErrorKind::Checkpoint, origin_,
            bytes_.front() == '\x80' ? ": a pickle of torch before 1.6; load it there and save it as safetensors"
                                     : ": expected the zip archive that torch.save writes");
    members_ = parse_zip(bytes_, origin_);
    find_root();
    const auto order = members_.find(root_ + "byteorder");
    require(order == members_.end() || order->second == "little", ErrorKind::Checkpoint, origin_,
            ": saved on a big-endian machine; save it again as safetensors");
    for (const auto& [name, tensor] : parse_state_dict_pickle(members_.at(root_ + "data.pkl"), origin_ + ": data.pkl"))
      file_.tensors.emplace(name, view(name, tensor));
    return std::move(file_);
  }

 private:
  void find_root() {
    size_t found = 0;
    for (const auto& [name, content] : members_) {
      const size_t slash = name.find('/');
      if (slash == std::string::npos || name.substr(slash) != "/data.pkl") continue;
      root_ = name.substr(0, slash + 1);
      ++found;
    }
    require(found == 1, ErrorKind::Checkpoint, origin_, ": expected one data.pkl in the archive, found ", found);
  }

  TensorView view(const std::string& name, const PickledTensor& tensor) {
    const std::string place = origin_ + ": tensor '" + name + "': ";
    const auto member = members_.find(root_ + "data/" + std::string(tensor.storage));
    require(member != members_.end(), ErrorKind::Checkpoint, place, "storage '", tensor.storage, "' is missing");
    const std::string_view storage = member->second;
    const size_t width = dtype_bytes(tensor.dtype);
    const uint64_t num_stored = storage.size() / width;
    require(static_cast<uint64_t>(tensor.storage_size) <= num_stored, ErrorKind::Checkpoint, place, "storage '",
            tensor.storage, "' should hold ", tensor.storage_size, " values, found ", num_stored);
    const auto size = tensor_bytes(tensor.dtype, tensor.shape);
    require(size.has_value() && tensor.strides.size() == tensor.shape.size(), ErrorKind::Checkpoint, place, "shape ",
            shape_text(tensor.shape), " and strides ", shape_text(tensor.strides), " make no tensor");
    TensorView result{tensor.dtype, tensor.shape, {}};
    if (*size == 0) return result;
    require(last_index(tensor) < num_stored, ErrorKind::Checkpoint, place, "reaches past its storage of ", num_stored,
            " values");
    if (is_contiguous(tensor))
      result.bytes = storage.substr(static_cast<uint64_t>(tensor.offset) * width, *size);
    else
      result.bytes = unpack(tensor, storage, *size, place);
    return result;
  }

  // The largest element index that the window touches; UINT64_MAX when it cannot be said.
  static uint64_t last_index(const PickledTensor& tensor) {
    if (tensor.offset < 0) return UINT64_MAX;
    auto last = static_cast<uint64_t>(tensor.offset);
    for (size_t d = 0; d < tensor.shape.size(); ++d) {
      uint64_t reach = 0;
      if (tensor.strides[d] < 0 ||
          __builtin_mul_overflow(static_cast<uint64_t>(tensor.shape[d] - 1), static_cast<uint64_t>(tensor.strides[d]),
                                 &reach) ||
          __builtin_add_overflow(last, reach, &last))
        return UINT64_MAX;
    }
    return last;
  }

  static bool is_contiguous(const PickledTensor& tensor) {
    int64_t expected = 1;
    for (size_t d = tensor.shape.size(); d-- > 0;) {
      if (tensor.shape[d] != 1 && tensor.strides[d] != expected) return false;
      expected *= tensor.shape[d];
    }
    return true;
  }

  std::string_view unpack(const PickledTensor& tensor, std::string_view storage, uint64_t size,
                          const std::string& place) {
    unpacked_bytes_ += size;
    require(size <= bytes_.size() && unpacked_bytes_ <= bytes_.size(), ErrorKind::Checkpoint, place,
            "unpacks to more bytes than the file has; refused");
    const size_t width = dtype_bytes(tensor.dtype), rank = tensor.shape.size();
    std::string& out = file_.unpacked.emplace_back();
    out.reserve(size);
    std::vector<int64_t> index(rank, 0);
    auto position = static_cast<uint64_t>(tensor.offset);
    while (out.size() < size) {
      out += storage.substr(position * width, width);
      for (size_t d = rank; d-- > 0;) {
        position += static_cast<uint64_t>(tensor.strides[d]);
        if (++index[d] < tensor.shape[d]) break;
        position -= static_cast<uint64_t>(tensor.strides[d]) * static_cast<uint64_t>(tensor.shape[d]);
        index[d] = 0;
      }
    }
    return out;
  }

  std::string_view bytes_;
  const std::string& origin_;
  std::map<std::string, std::string_view> members_;
  std::string root_;
  TorchFile file_;
  uint64_t unpacked_bytes_ = 0;
};

}  // namespace

TorchFile parse_torch_file(std::string_view bytes, const std::string& origin) {
  return TorchReader(bytes, origin).read();
}

}  // namespace normscope
