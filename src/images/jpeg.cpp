// JPEG through libjpeg-turbo, with Pillow's choices: slow integer DCT, smooth upsampling, inverted CMYK.
#include <csetjmp>
#include <cstdio>
// jpeglib.h needs FILE and size_t before it.
#include <jerror.h>
#include <jpeglib.h>

#include "images/codec.h"
#include "images/orientation.h"

namespace normscope {
namespace {

constexpr const char* kName = "JPEG";
constexpr int kMaxScans = 500;  // each scan of a progressive file walks the whole picture: a bomb in time

// libjpeg calls back with C frames between, so errors jump to the last setjmp; nothing with a destructor lives in
// the functions that call setjmp, only here.
struct Decompressor {
  jpeg_decompress_struct codec{};
  jpeg_error_mgr errors{};
  jpeg_source_mgr source{};
  jpeg_progress_mgr progress{};
  std::jmp_buf jump{};
  char message[JMSG_LENGTH_MAX] = "";
  std::vector<uint8_t> row;

  explicit Decompressor(std::string_view bytes);
  ~Decompressor() { jpeg_destroy_decompress(&codec); }
  Decompressor(const Decompressor&) = delete;
};

Decompressor& owner(j_common_ptr codec) { return *static_cast<Decompressor*>(codec->client_data); }

[[noreturn]] void jump_out(j_common_ptr codec) {
  codec->err->format_message(codec, owner(codec).message);
  std::longjmp(owner(codec).jump, 1);
}

void limit_scans(j_common_ptr codec) {
  if (reinterpret_cast<j_decompress_ptr>(codec)->input_scan_number <= kMaxScans) return;
  std::snprintf(owner(codec).message, sizeof owner(codec).message, "more than %d scans", kMaxScans);
  std::longjmp(owner(codec).jump, 1);
}

void skip_bytes(j_decompress_ptr codec, long count) {
  if (count <= 0) return;
  const size_t skipped = std::min(static_cast<size_t>(count), codec->src->bytes_in_buffer);
  codec->src->next_input_byte += skipped;
  codec->src->bytes_in_buffer -= skipped;
}

Decompressor::Decompressor(std::string_view bytes) {
  codec.err = jpeg_std_error(&errors);
  errors.error_exit = jump_out;
  errors.emit_message = [](j_common_ptr, int) {};
  codec.client_data = this;
  jpeg_create_decompress(&codec);
  source.next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
  source.bytes_in_buffer = bytes.size();
  source.init_source = [](j_decompress_ptr) {};
  source.fill_input_buffer = [](j_decompress_ptr) -> boolean { return FALSE; };  // no more bytes: the call suspends
  source.skip_input_data = skip_bytes;
  source.resync_to_restart = jpeg_resync_to_restart;
  source.term_source = [](j_decompress_ptr) {};
  codec.src = &source;
  progress.progress_monitor = limit_scans;
  codec.progress = &progress;
}

enum class Outcome { Done, Suspended, Failed };

Outcome read_header(Decompressor& d) {
  if (setjmp(d.jump)) return Outcome::Failed;
  jpeg_save_markers(&d.codec, JPEG_APP0 + 1, 0xFFFF);
  return jpeg_read_header(&d.codec, TRUE) == JPEG_HEADER_OK ? Outcome::Done : Outcome::Suspended;
}

// One row of the decoder's color space to RGB.
void to_rgb(const uint8_t* in, int components, int64_t width, uint8_t* out) {
  for (int64_t i = 0; i < width; ++i, in += components, out += 3) {
    if (components == 1) {
      out[0] = out[1] = out[2] = in[0];
      continue;
    }
    // Adobe stores CMYK inverted, and Pillow takes every CMYK file so.
    const unsigned white = in[3];
    for (int c = 0; c < 3; ++c) {
      const unsigned product = (255u - in[c]) * white + 128u;
      out[c] = static_cast<uint8_t>(white - ((product + (product >> 8)) >> 8));
    }
  }
}

Outcome read_pixels(Decompressor& d, Image& image) {
  if (setjmp(d.jump)) return Outcome::Failed;
  if (!jpeg_start_decompress(&d.codec)) return Outcome::Suspended;
  while (d.codec.output_scanline < d.codec.output_height) {
    uint8_t* to = image.rgb.data() + 3 * image.width * static_cast<int64_t>(d.codec.output_scanline);
    JSAMPROW row = d.codec.output_components == 3 ? to : d.row.data();
    if (jpeg_read_scanlines(&d.codec, &row, 1) != 1) return Outcome::Suspended;
    if (row != to) to_rgb(row, d.codec.output_components, image.width, to);
  }
  return Outcome::Done;
}

void require_done(const Decompressor& d, Outcome outcome) {
  require_whole(outcome != Outcome::Suspended, kName);
  require_sound(outcome != Outcome::Failed, kName, d.message);
}

}  // namespace

DecodedImage decode_jpeg(std::string_view bytes, int64_t max_pixels) {
  Decompressor d(bytes);
  require_done(d, read_header(d));
  const int components = d.codec.num_components;
  require_sound(components == 1 || components == 3 || components == 4, kName,
                std::to_string(components) + " color components");
  d.codec.out_color_space = components == 1 ? JCS_GRAYSCALE : components == 3 ? JCS_RGB : JCS_CMYK;
  DecodedImage out;
  out.image = blank_image(kName, d.codec.image_width, d.codec.image_height, max_pixels);
  if (components != 3) d.row.resize(static_cast<size_t>(components) * d.codec.image_width);
  require_done(d, read_pixels(d, out.image));
  for (auto marker = d.codec.marker_list; marker != nullptr; marker = marker->next) {
    const std::string_view segment(reinterpret_cast<const char*>(marker->data), marker->data_length);
    if (!segment.starts_with(std::string_view("Exif\0\0", 6))) continue;
    out.orientation = exif_orientation(segment);
    break;
  }
  return out;
}

}  // namespace normscope
