// preprocessor_config.json in its dialects: old feature extractors, image processors, sizes as numbers or objects.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/file.h"
#include "images/preprocessing.h"

namespace normscope {
namespace {

using nlohmann::json;

constexpr int64_t kMaxEdge = 4096;

// The defaults of one family of processors at a model's image size.
Preprocessing vit_defaults(int64_t image_size) {
  Preprocessing p;
  p.height = p.width = p.crop_height = p.crop_width = image_size;
  return p;
}

Preprocessing deit_defaults(int64_t image_size) {
  auto p = vit_defaults(image_size);
  p.height = p.width = (image_size * 8 + 3) / 7;  // 256 for 224
  p.resample = Resample::Bicubic;
  p.do_center_crop = true;
  return p;
}

Preprocessing clip_defaults(int64_t image_size) {
  auto p = deit_defaults(image_size);
  p.height = p.width = 0;
  p.shortest_edge = image_size;
  p.image_mean = {0.48145466, 0.4578275, 0.40821073};
  p.image_std = {0.26862954, 0.26130258, 0.27577711};
  return p;
}

struct Processor {
  const char* name;  // without ImageProcessor, ImageProcessorFast, FeatureExtractor
  Preprocessing (*defaults)(int64_t image_size);
};
constexpr Processor kProcessors[] = {
    {"ViT", vit_defaults}, {"DeiT", deit_defaults}, {"CLIP", clip_defaults}, {"Bit", clip_defaults}};

class Reader {
 public:
  Reader(const json& object, const std::string& file) : object_(object), file_(file) {}

  // Null where the key is missing or null, which transformers takes for missing.
  const json* find(const char* key) const {
    const auto at = object_.find(key);
    return at == object_.end() || at->is_null() ? nullptr : &*at;
  }
  template <typename... Parts>
  void check(bool ok, const std::string& key, const Parts&... expected) const {
    require(ok, ErrorKind::Checkpoint, file_, ": ", key, ": ", expected...);
  }
  void read(const char* key, bool& value) const {
    if (const auto* found = find(key)) {
      check(found->is_boolean(), key, "expected true or false");
      value = found->get<bool>();
    }
  }
  double number(const json& value, const std::string& key) const {
    check(value.is_number() && std::isfinite(value.get<double>()) && std::abs(value.get<double>()) <= 1e6, key,
          "expected a number");
    return value.get<double>();
  }
  int64_t edge(const json& value, const std::string& key) const {
    const double pixels = number(value, key);
    check(pixels >= 1 && pixels <= kMaxEdge && pixels == std::floor(pixels), key, "expected 1 to ", kMaxEdge,
          " pixels");
    return static_cast<int64_t>(pixels);
  }
  void read(const char* key, std::array<double, 3>& values) const {
    const auto* found = find(key);
    if (!found) return;
    check(found->is_number() || (found->is_array() && found->size() == 3), key, "expected a number or three");
    for (size_t i = 0; i < 3; ++i) values[i] = number(found->is_array() ? (*found)[i] : *found, key);
  }
  std::string type() const {
    for (const auto* key : {"image_processor_type", "feature_extractor_type"})
      if (const auto* found = find(key)) {
        check(found->is_string(), key, "expected a string");
        return found->get<std::string>();
      }
    return "ViTImageProcessor";
  }

  Preprocessing defaults(int64_t image_size) const {
    auto name = type();
    for (const std::string suffix : {"Fast", "Pil", "ImageProcessor", "FeatureExtractor"})
      if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
    for (const auto& processor : kProcessors)
      if (name == processor.name) return processor.defaults(image_size);
    throw Error(ErrorKind::Checkpoint,
                file_ + ": image_processor_type: expected ViT, DeiT, CLIP or BitImageProcessor, found " + type());
  }

  bool is_pair(const json& value) const { return value.is_array() && value.size() == 2; }

  void read_size(Preprocessing& p) const {
    const auto* size = find("size");
    if (!size) return;
    bool to_square = p.shortest_edge == 0;
    read("default_to_square", to_square);
    p.height = p.width = p.shortest_edge = p.longest_edge = 0;
    if (size->is_number()) {
      (to_square ? p.height : p.shortest_edge) = edge(*size, "size");
      p.width = p.height;
    } else if (is_pair(*size)) {
      p.height = edge((*size)[0], "size"), p.width = edge((*size)[1], "size");
    } else if (size->is_object() && size->size() == 2 && size->contains("height") && size->contains("width")) {
      p.height = edge((*size)["height"], "size.height"), p.width = edge((*size)["width"], "size.width");
    } else {
      const bool has_longest = size->is_object() && size->contains("longest_edge");
      check(size->is_object() && size->contains("shortest_edge") && size->size() == (has_longest ? 2u : 1u), "size",
            "expected a number, {height, width}, {shortest_edge} or {shortest_edge, longest_edge}");
      p.shortest_edge = edge((*size)["shortest_edge"], "size.shortest_edge");
      if (has_longest) p.longest_edge = edge((*size)["longest_edge"], "size.longest_edge");
    }
  }

  void read_crop(Preprocessing& p) const {
    const auto* size = find("crop_size");
    if (!size) return;
    if (size->is_number()) {
      p.crop_height = p.crop_width = edge(*size, "crop_size");
      return;
    }
    const bool is_object =
        size->is_object() && size->size() == 2 && size->contains("height") && size->contains("width");
    check(is_object || is_pair(*size), "crop_size", "expected a number or {height, width}");
    p.crop_height = edge(is_object ? (*size)["height"] : (*size)[0], "crop_size.height");
    p.crop_width = edge(is_object ? (*size)["width"] : (*size)[1], "crop_size.width");
  }

  void read_resample(Preprocessing& p) const {
    const auto* found = find("resample");
    if (!found) return;
    std::optional<Resample> filter;
    if (found->is_string()) {
      auto name = found->get<std::string>();
      std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
      filter = find_resample(name);
    } else if (found->is_number_integer() && *found >= 0 && *found <= 5) {
      filter = static_cast<Resample>(found->get<int>());
    }
    check(filter.has_value(), "resample", "expected a filter of PIL's, 0 to 5 or its name");
    p.resample = *filter;
  }

  // Steps that would change pixels and that we do not know.
  void refuse_others() const {
    constexpr std::array known = {"do_resize",    "do_center_crop", "do_rescale",
                                  "do_normalize", "do_convert_rgb", "do_reduce_labels"};
    for (const auto& [key, value] : object_.items()) {
      const bool is_step = key.starts_with("do_") && std::find(known.begin(), known.end(), key) == known.end();
      check(!is_step || value.is_null() || value == false, key, "is not supported");
      check((key != "crop_pct" && key != "use_square_size") || value.is_null() || value == false, key,
            "is not supported");
    }
  }

 private:
  const json& object_;
  const std::string& file_;
};

}  // namespace

Preprocessing parse_preprocessing(std::string_view bytes, const std::string& file, int64_t image_size) {
  const auto object = json::parse(bytes, nullptr, false);
  require(object.is_object(), ErrorKind::Checkpoint, file, ": expected a JSON object");
  const Reader reader(object, file);
  reader.refuse_others();
  auto p = reader.defaults(image_size);
  p.origin = file;
  reader.read("do_resize", p.do_resize);
  reader.read_size(p);
  reader.read_resample(p);
  reader.read("do_center_crop", p.do_center_crop);
  reader.read_crop(p);
  reader.read("do_rescale", p.do_rescale);
  if (const auto* found = reader.find("rescale_factor")) p.rescale_factor = reader.number(*found, "rescale_factor");
  reader.read("do_normalize", p.do_normalize);
  reader.read("image_mean", p.image_mean);
  reader.read("image_std", p.image_std);
  for (const double value : p.image_std)
    reader.check(static_cast<float>(value) != 0, "image_std", "expected numbers other than 0");
  return p;
}

Preprocessing load_preprocessing(const std::filesystem::path& folder, std::string_view model_type, int64_t image_size) {
  const auto whole = folder / "processor_config.json", own = folder / "preprocessor_config.json";
  if (std::filesystem::exists(whole)) {
    const auto object = json::parse(read_file(whole, ErrorKind::Checkpoint), nullptr, false);
    require(object.is_object(), ErrorKind::Checkpoint, whole.string(), ": expected a JSON object");
    if (object.contains("image_processor"))
      return parse_preprocessing(object["image_processor"].dump(), whole.string() + ": image_processor", image_size);
  }
  if (std::filesystem::exists(own))
    return parse_preprocessing(read_file(own, ErrorKind::Checkpoint), own.string(), image_size);
  return model_type == "deit" ? deit_defaults(image_size) : vit_defaults(image_size);
}

json to_json(const Preprocessing& p) {
  // The oldest transformers that has the class reads the same: ViT's did not crop, DeiT's knew no shortest_edge.
  const auto* type = p.height == 0      ? "CLIPImageProcessor"
                     : p.do_center_crop ? "DeiTImageProcessor"
                                        : "ViTImageProcessor";
  json size = {{"height", p.height}, {"width", p.width}};
  if (p.height == 0) size = {{"shortest_edge", p.shortest_edge}};
  if (p.height == 0 && p.longest_edge > 0) size["longest_edge"] = p.longest_edge;
  return {{"image_processor_type", type},
          {"do_resize", p.do_resize},
          {"size", size},
          {"resample", static_cast<int>(p.resample)},
          {"do_center_crop", p.do_center_crop},
          {"crop_size", {{"height", p.crop_height}, {"width", p.crop_width}}},
          {"do_rescale", p.do_rescale},
          {"rescale_factor", p.rescale_factor},
          {"do_normalize", p.do_normalize},
          {"image_mean", p.image_mean},
          {"image_std", p.image_std}};
}

}  // namespace normscope
