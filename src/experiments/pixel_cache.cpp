#include "experiments/pixel_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iomanip>
#include <sstream>

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/image_bytes.h"
#include "images/decode.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

// [height, width] of config.json's image_size, one number or two.
ImageSize model_size(const Checkpoint& checkpoint) {
  const auto& config = checkpoint.config();
  const auto size = config.value("image_size", nlohmann::json(224));
  if (size.is_array() && size.size() == 2 && size[0].is_number_integer() && size[1].is_number_integer())
    return {size[0].get<int64_t>(), size[1].get<int64_t>()};
  require(size.is_number_integer(), ErrorKind::Checkpoint, "config.json: image_size: expected a number, found ",
          size.dump());
  return {size.get<int64_t>(), size.get<int64_t>()};
}

Image from_raw(const std::string& bytes, const ImageSource& source) {
  Image image{source.width, source.height, std::vector<uint8_t>(static_cast<size_t>(3 * source.width * source.height))};
  const int64_t size = source.width * source.height;
  const auto* from = reinterpret_cast<const uint8_t*>(bytes.data());
  for (int64_t i = 0; i < size; ++i)
    for (int64_t c = 0; c < 3; ++c) {
      const int64_t at = source.channels == 1 ? i : source.is_planar ? c * size + i : 3 * i + c;
      image.rgb[static_cast<size_t>(3 * i + c)] = from[at];
    }
  return image;
}

Image picture_of(const std::string& bytes, const ImageSource& source, const PictureOptions& options) {
  if (is_raw(source)) return from_raw(bytes, source);
  DecodeOptions decoding;
  decoding.applies_exif_orientation = options.applies_exif_orientation;
  return decode_image(bytes, decoding);
}

std::string hexadecimal(uint64_t value) {
  std::ostringstream out;
  out << std::hex << std::setw(16) << std::setfill('0') << value;
  return out.str();
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

// A file of a known size that several threads fill, with a name only once it is whole.
class SlotFile {
 public:
  SlotFile(fs::path path, size_t size) : path_(std::move(path)) {
    const auto folder = path_.empty() ? temporary_folder() : path_.parent_path();
    if (path_.empty()) {
      descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
      if (descriptor_ < 0) {  // a file system without such files: one that loses its name at once
        auto name = (folder / "normscope-pixels-XXXXXX").string();
        descriptor_ = ::mkstemp(name.data());
        if (descriptor_ >= 0) ::unlink(name.c_str());
      }
    } else {
      partial_ = path_.string() + ".partial-" + std::to_string(::getpid());
      descriptor_ = ::open(partial_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    }
    require(descriptor_ >= 0, ErrorKind::Run, folder.string(),
            ": decoded pictures cannot be written: ", std::strerror(errno));
    const int failure = size == 0 ? 0 : ::posix_fallocate(descriptor_, 0, static_cast<off_t>(size));
    if (failure != 0) {
      clean_up();
      throw Error(ErrorKind::Run, folder.string() + ": no room for " + std::to_string(size) +
                                      " bytes of decoded pictures: " + std::strerror(failure));
    }
  }
  ~SlotFile() { clean_up(); }
  SlotFile(const SlotFile&) = delete;

  void write(std::span<const uint8_t> bytes, size_t at) const {
    while (!bytes.empty()) {
      const auto written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
      if (written < 0 && errno == EINTR) continue;
      require(written > 0, ErrorKind::Run, path_.string(),
              ": decoded pictures cannot be written: ", std::strerror(errno));
      bytes = bytes.subspan(static_cast<size_t>(written));
      at += static_cast<size_t>(written);
    }
  }

  std::shared_ptr<const MappedFile> finish() {
    if (path_.empty())
      return std::make_shared<const MappedFile>("/proc/self/fd/" + std::to_string(descriptor_), ErrorKind::Run);
    require(::fsync(descriptor_) == 0 && ::rename(partial_.c_str(), path_.c_str()) == 0, ErrorKind::Run, path_.string(),
            ": decoded pictures cannot be written: ", std::strerror(errno));
    partial_.clear();
    return std::make_shared<const MappedFile>(path_, ErrorKind::Run);
  }

 private:
  // On disk where the system has such a place: /tmp is often memory.
  static fs::path temporary_folder() {
    const char* asked = std::getenv("TMPDIR");
    if (asked == nullptr && fs::is_directory("/var/tmp")) return "/var/tmp";
    return fs::temp_directory_path();
  }

  void clean_up() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    if (!partial_.empty()) ::unlink(partial_.c_str());
  }

  fs::path path_;
  std::string partial_;
  int descriptor_ = -1;
};

}  // namespace

PictureOptions picture_options(const DataRecipe& data, const Checkpoint& checkpoint, bool interpolates_positions) {
  const auto size = model_size(checkpoint);
  PictureOptions options;
  if (data.preprocessing == "checkpoint")
    options.preprocessing = load_preprocessing(checkpoint.folder(), size.height);
  else
    std::tie(options.preprocessing.height, options.preprocessing.width) = std::pair(size.height, size.width);
  auto& preprocessing = options.preprocessing;
  if (data.image_size > 0) {
    preprocessing.height = preprocessing.width = data.image_size;
    preprocessing.shortest_edge = preprocessing.longest_edge = 0;
    preprocessing.do_resize = true;
    preprocessing.do_center_crop = false;
  }
  static const std::map<std::string, Resample> kFilters = {
      {"nearest", Resample::Nearest}, {"bilinear", Resample::Bilinear}, {"bicubic", Resample::Bicubic},
      {"lanczos", Resample::Lanczos}, {"box", Resample::Box},           {"hamming", Resample::Hamming}};
  if (data.resample != "checkpoint") preprocessing.resample = kFilters.at(data.resample);
  options.applies_exif_orientation = data.exif_orientation;
  options.wraps_cifar_bytes = data.cifar_pixels == "paper";
  const auto made = output_size(preprocessing);
  require((made.height == size.height && made.width == size.width) || interpolates_positions, ErrorKind::Usage, checkpoint.folder().string(),
          ": the model reads pictures of ", size.width, "x", size.height, ", but ", preprocessing.origin,
          " and the recipe make them ", made.width, "x", made.height,
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
  fs::path path;
  if (!folder.empty()) {
    fs::create_directories(folder);
    path = folder / key_of(sources, bytes, options, num_threads);
  }
  if (!path.empty() && fs::exists(path) && fs::file_size(path) == sources.size() * picture_bytes) {
    pictures.file = std::make_shared<const MappedFile>(path, ErrorKind::Run);
  } else {
    const auto wrapped = wrapped_cifar_bytes();
    SlotFile file(path, sources.size() * picture_bytes);
    parallel_ranges(sources.size(), num_threads, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const auto encoded = bytes.read(sources[i]);
        Image image;
        try {
          image = preprocess_image(picture_of(encoded, sources[i], options), options.preprocessing);
        } catch (const Error& error) {
          throw Error(error.kind(), place_of(sources[i]) + ": " + error.what());
        }
        if (options.wraps_cifar_bytes)
          for (auto& byte : image.rgb) byte = wrapped[byte];
        file.write(image.rgb, i * picture_bytes);
      }
    });
    pictures.file = file.finish();
  }
  const auto* first = reinterpret_cast<const uint8_t*>(pictures.file->bytes().data());
  for (size_t i = 0; i < sources.size(); ++i) pictures.rgb.push_back(first + i * picture_bytes);
  return pictures;
}

}  // namespace normscope
