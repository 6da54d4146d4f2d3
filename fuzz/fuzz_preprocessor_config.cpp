// Any bytes as a preprocessor_config.json: steps that survive saving and keep to their sizes, or an Error.
#include <cstdint>
#include <string_view>

#include "core/error.h"
#include "images/preprocessing.h"

using namespace normscope;

namespace {

void check_saving(const Preprocessing& preprocessing) {
  const auto saved = to_json(preprocessing).dump();
  try {
    if (to_json(parse_preprocessing(saved, "saved.json", 7)).dump() != saved) __builtin_trap();
  } catch (const Error&) {
    __builtin_trap();
  }
}

// A tiny picture through the steps; pictures of the largest sizes would only make the fuzzer slow.
void apply(const Preprocessing& preprocessing) {
  constexpr int64_t kMaxEdge = 64;
  const auto size = output_size(preprocessing);
  if (size.height < 1 || size.width < 1) __builtin_trap();
  for (const auto edge : {size.height, size.width, preprocessing.height, preprocessing.width,
                          preprocessing.shortest_edge, preprocessing.crop_height, preprocessing.crop_width})
    if (edge > kMaxEdge) return;
  Image image{3, 2, {}};
  image.rgb.resize(18);
  const auto out = preprocess_image(image, preprocessing);
  if (out.rgb.size() != static_cast<size_t>(3 * out.width * out.height)) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto read = parse_preprocessing({reinterpret_cast<const char*>(data), size}, "preprocessor_config.json", 32);
    pixel_table(read);
    check_saving(read);
    apply(read);
  } catch (const Error&) {
  }
  return 0;
}
