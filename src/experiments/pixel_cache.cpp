#include "experiments/pixel_cache.h"

#include <cstdlib>

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/image_bytes.h"
#include "experiments/cache_file.h"
#include "images/decode.h"
#include "models/config_reader.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

Image picture_of(const std::string& bytes, const ImageSource& source, const PictureOptions& options) {
  if (is_raw(source)) return raw_image(bytes, source);
  DecodeOptions decoding;
  decoding.applies_exif_orientation = options.applies_exif_orientation;
  return decode_image(bytes, decoding);
}

// Of every picture's bytes in order, and of what is done with them.
std::string key_of(std::span<const ImageSource> sources, const ImageBytes& bytes, const PictureOptions& options,
                   int num_threads) {
  std::vector<uint64_t> hashes(sources.size());
  parallel_ranges(sources.size(), num_threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto& source = sources[i];
      const uint64_t shape =
          is_raw(source)
              ? static_cast<uint64_t>(source.width << 8 | source.channels << 1 | static_cast<int64_t>(source.is_planar))
              : 0;
      hashes[i] = content_hash(bytes.read(source)) ^ shape;
    }
  });
  auto settings = to_json(options.preprocessing);
  settings["exif_orientation"] = options.applies_exif_orientation;
  settings["cifar_pixels"] = options.wraps_cifar_bytes;
  const auto text = settings.dump();
  const std::string_view list(reinterpret_cast<const char*>(hashes.data()), hashes.size() * sizeof(uint64_t));
  return hexadecimal(content_hash(list, content_hash(text)));
}

// On disk where the system has such a place: /tmp is often memory.
fs::path temporary_folder() {
  const char* asked = std::getenv("TMPDIR");
  if (asked == nullptr && fs::is_directory("/var/tmp")) return "/var/tmp";
  return fs::temp_directory_path();
}

// The picture as the model is given it, before bytes become numbers.
Image given_picture(const std::string& bytes, const ImageSource& source, const PictureOptions& options) {
  static const auto kWrapped = wrapped_cifar_bytes();
  auto image = preprocess_image(picture_of(bytes, source, options), options.preprocessing);
  if (options.wraps_cifar_bytes)
    for (auto& byte : image.rgb) byte = kWrapped[byte];
  return image;
}

// Fills `file` with the pictures one after another, each at its own place.
void decode_into(AtomicFile& file, std::span<const ImageSource> sources, const ImageBytes& bytes,
                 const PictureOptions& options, size_t picture_bytes, int num_threads) {
  file.reserve(sources.size() * picture_bytes);
  parallel_ranges(sources.size(), num_threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto encoded = bytes.read(sources[i]);
      Image image;
      try {
        image = given_picture(encoded, sources[i], options);
      } catch (const Error& error) {
        throw Error(error.kind(), place_of(sources[i]) + ": " + error.what());
      }
      file.write_at(i * picture_bytes, {reinterpret_cast<const char*>(image.rgb.data()), image.rgb.size()});
    }
  });
}

std::shared_ptr<const MappedFile> mapped(MappedFile file) {
  return std::make_shared<const MappedFile>(std::move(file));
}

}  // namespace

PictureOptions picture_options(const DataRecipe& data, const Checkpoint& checkpoint, bool interpolates_positions) {
  const auto size = ConfigReader(checkpoint.config()).extent("image_size", 224);
  PictureOptions options;
  auto& preprocessing = options.preprocessing;
  preprocessing.height = size.height;
  preprocessing.width = size.width;
  if (data.preprocessing == "checkpoint")
    preprocessing = load_preprocessing(checkpoint.folder(), checkpoint.config().value("model_type", ""), size.height);
  if (data.image_size > 0) {
    preprocessing.height = preprocessing.width = data.image_size;
    preprocessing.shortest_edge = preprocessing.longest_edge = 0;
    preprocessing.do_resize = true;
    preprocessing.do_center_crop = false;
  }
  if (data.resample != "checkpoint") preprocessing.resample = *find_resample(data.resample);
  options.applies_exif_orientation = data.exif_orientation;
  options.wraps_cifar_bytes = data.cifar_pixels == "paper";
  const auto made = output_size(preprocessing);
  require((made.height == size.height && made.width == size.width) || interpolates_positions, ErrorKind::Usage,
          checkpoint.folder().string(), ": the model reads pictures of ", size.width, "x", size.height, ", but ",
          preprocessing.origin, " and the recipe make them ", made.width, "x", made.height,
          "; set data.preprocessing = \"study\", or model.interpolate_pos_encoding = true");
  return options;
}

std::string why_no_picture(const ImageSource& source, const PictureOptions& options) {
  if (is_raw(source)) return "";
  try {
    picture_of(read_file(source.file, ErrorKind::Data), source, options);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

Pictures decode_pictures(std::span<const ImageSource> sources, const PictureOptions& options, const fs::path& folder,
                         int num_threads) {
  const auto size = output_size(options.preprocessing);
  Pictures pictures{size.height, size.width, {}, pixel_table(options.preprocessing), nullptr};
  if (sources.empty()) return pictures;
  ImageBytes bytes;
  for (const auto& source : sources) bytes.open(source);
  const auto picture_bytes = static_cast<size_t>(3 * size.height * size.width);
  if (folder.empty()) {
    auto file = AtomicFile::without_path(temporary_folder(), "decoded pictures");
    decode_into(file, sources, bytes, options, picture_bytes, num_threads);
    pictures.file = mapped(file.map());
  } else {
    const auto path = folder / key_of(sources, bytes, options, num_threads);
    make_cache_file(path, sources.size() * picture_bytes,
                    [&](AtomicFile& file) { decode_into(file, sources, bytes, options, picture_bytes, num_threads); });
    pictures.file = mapped(MappedFile(path, ErrorKind::Run));
  }
  const auto* first = reinterpret_cast<const uint8_t*>(pictures.file->bytes().data());
  for (size_t i = 0; i < sources.size(); ++i) pictures.rgb.push_back(first + i * picture_bytes);
  return pictures;
}

Image picture_at(const Pictures& pictures, int64_t row) {
  const auto* rgb = pictures.rgb[static_cast<size_t>(row)];
  return {pictures.width, pictures.height, {rgb, rgb + 3 * pictures.width * pictures.height}};
}

}  // namespace normscope
