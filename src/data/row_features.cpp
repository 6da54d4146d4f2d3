#include "data/row_features.h"

#include <cmath>
#include <set>

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/image_bytes.h"
#include "images/decode.h"
#include "images/resize.h"

namespace normscope {
namespace {

using Features = std::vector<std::pair<int64_t, double>>;

bool is_word_byte(unsigned char c) {
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Features text_features(const std::string& text) {
  std::set<int64_t> hashes;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) hashes.insert(static_cast<int64_t>(content_hash(word) % kTextFeatures));
    word.clear();
  };
  for (const char c : text) {
    if (!is_word_byte(static_cast<unsigned char>(c))) {
      end_word();
    } else {
      word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  end_word();
  Features features;
  for (const int64_t hash : hashes) features.emplace_back(hash, 1.0);
  return features;
}

Features picture_features(const Image& image) {
  const auto small = resize(image, 8, 8, Resample::Box);
  double mean = 0, squares = 0;
  for (const uint8_t byte : small.rgb) mean += byte / static_cast<double>(kPictureFeatures);
  for (const uint8_t byte : small.rgb) squares += (byte - mean) * (byte - mean) / static_cast<double>(kPictureFeatures);
  const double deviation = std::max(std::sqrt(squares), 1.0);  // of a plain picture 0: its features are 0
  Features features;
  for (int64_t i = 0; i < kPictureFeatures; ++i)
    features.emplace_back(i, (small.rgb[static_cast<size_t>(i)] - mean) / deviation);
  return features;
}

Image picture(const ImageBytes& bytes, const ImageSource& source) {
  try {
    const auto content = bytes.read(source);
    return is_raw(source) ? raw_image(content, source) : decode_image(content);
  } catch (const Error& error) {
    throw Error(error.kind(), place_of(source) + ": " + error.what());
  }
}

}  // namespace

std::vector<Features> row_features(const Dataset& rows) {
  std::vector<Features> features(rows.size());
  ImageBytes bytes;
  for (const auto& source : rows.images) bytes.open(source);
  parallel_ranges(rows.size(), usable_cores(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      features[i] = rows.has_images() ? picture_features(picture(bytes, rows.images[i])) : text_features(rows.texts[i]);
  });
  return features;
}

}  // namespace normscope
