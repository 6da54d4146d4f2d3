// WebP through libwebp's animation decoder, as Pillow uses it: lossy, lossless, alpha; the first picture.
#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>

#include "images/codec.h"
#include "images/orientation.h"

namespace normscope {
namespace {

constexpr const char* kName = "WebP";

// Bytes that the RIFF header promises.
uint64_t promised_bytes(std::string_view bytes) {
  uint64_t size = 8;
  for (size_t i = 0; i < 4; ++i) size += static_cast<uint64_t>(static_cast<uint8_t>(bytes[4 + i])) << 8 * i;
  return size;
}

int orientation_of(const WebPAnimDecoder* decoder) {
  WebPChunkIterator chunk;
  if (!WebPDemuxGetChunk(WebPAnimDecoderGetDemuxer(decoder), "EXIF", 1, &chunk)) return 1;
  const int orientation = exif_orientation({reinterpret_cast<const char*>(chunk.chunk.bytes), chunk.chunk.size});
  WebPDemuxReleaseChunkIterator(&chunk);
  return orientation;
}

}  // namespace

DecodedImage decode_webp(std::string_view bytes, int64_t max_pixels) {
  require_whole(promised_bytes(bytes) <= bytes.size(), kName);
  const WebPData encoded{reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  WebPBitstreamFeatures features;
  const auto status = WebPGetFeatures(encoded.bytes, encoded.size, &features);
  require_whole(status != VP8_STATUS_NOT_ENOUGH_DATA, kName);
  require_sound(status == VP8_STATUS_OK, kName, "its header cannot be read");
  // The decoder allocates the canvas when it is made.
  DecodedImage out;
  out.image = blank_image(kName, features.width, features.height, max_pixels);
  WebPAnimDecoderOptions options;
  WebPAnimDecoderOptionsInit(&options);
  options.color_mode = MODE_RGBA;
  const std::unique_ptr<WebPAnimDecoder, void (*)(WebPAnimDecoder*)> decoder(WebPAnimDecoderNew(&encoded, &options),
                                                                             WebPAnimDecoderDelete);
  require_sound(decoder != nullptr, kName, "its chunks cannot be read");
  WebPAnimInfo canvas;
  require_sound(WebPAnimDecoderGetInfo(decoder.get(), &canvas) && canvas.canvas_width == out.image.width &&
                    canvas.canvas_height == out.image.height,
                kName, "its headers give two sizes");
  uint8_t* rgba = nullptr;
  int timestamp = 0;
  require_sound(WebPAnimDecoderGetNext(decoder.get(), &rgba, &timestamp), kName, "its pixels cannot be decoded");
  const size_t pixels = out.image.rgb.size() / 3;
  for (size_t i = 0; i < pixels; ++i)
    for (size_t c = 0; c < 3; ++c) out.image.rgb[3 * i + c] = rgba[4 * i + c];
  out.orientation = orientation_of(decoder.get());
  return out;
}

}  // namespace normscope
