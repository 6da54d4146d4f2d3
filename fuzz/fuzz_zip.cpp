// Fuzzes the zip reader and the whole of pytorch_model.bin; every byte of what is accepted is read.
#include <cstdint>
#include <cstdlib>

#include "checkpoints/torch_file.h"
#include "checkpoints/zip.h"
#include "core/error.h"

namespace {

unsigned read_all(std::string_view bytes) {
  unsigned sum = 0;
  for (const char c : bytes) sum += static_cast<unsigned char>(c);
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace normscope;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  volatile unsigned sum = 0;
  try {
    for (const auto& [name, content] : parse_zip(text)) sum = sum + read_all(content);
  } catch (const Error&) {
  }
  try {
    for (const auto& [name, view] : parse_torch_file(text).tensors) {
      if (tensor_bytes(view.dtype, view.shape) != view.bytes.size()) std::abort();
      sum = sum + read_all(view.bytes);
    }
  } catch (const Error&) {
  }
  return 0;
}
