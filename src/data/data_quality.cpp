// Numbers the contents of all splits, groups training rows by number and looks held-out rows up among them.
#include "data/data_quality.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "core/parallel.h"
#include "core/text.h"
#include "data/image_bytes.h"

namespace normscope {
namespace {

// Numbers contents from 0 in the order of first occurrence; equal contents have equal numbers.
class ContentNumbers {
 public:
  std::vector<int64_t> of(const Dataset& rows) {
    return rows.has_images() ? of_images(rows.images) : of_texts(rows.texts);
  }

 private:
  struct Picture {
    const ImageSource* source = nullptr;
    int64_t number = 0;
  };

  std::vector<int64_t> of_texts(const std::vector<std::string>& texts) {
    std::vector<int64_t> numbers;
    for (const auto& text : texts) {
      const auto [at, is_new] = number_of_text_.emplace(text, count_);
      count_ += is_new;
      numbers.push_back(at->second);
    }
    return numbers;
  }

  // Only hashes are kept: bytes are read a second time where hashes agree.
  std::vector<int64_t> of_images(const std::vector<ImageSource>& images) {
    for (const auto& image : images) bytes_.open(image);
    std::vector<uint64_t> hashes(images.size());
    parallel_ranges(images.size(), usable_cores(), [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) hashes[i] = content_hash(bytes_.read(images[i]));
    });
    std::vector<int64_t> numbers;
    for (size_t i = 0; i < images.size(); ++i) {
      auto& bucket = pictures_[hashes[i]];
      const auto equal = std::ranges::find_if(
          bucket, [&](const Picture& known) { return bytes_.read(*known.source) == bytes_.read(images[i]); });
      numbers.push_back(equal == bucket.end() ? count_ : equal->number);
      if (equal == bucket.end()) bucket.push_back({&images[i], count_++});
    }
    return numbers;
  }

  ImageBytes bytes_;
  std::unordered_map<std::string_view, int64_t> number_of_text_;
  std::unordered_map<uint64_t, std::vector<Picture>> pictures_;
  int64_t count_ = 0;
};

using RowsByNumber = std::vector<std::vector<int64_t>>;

std::vector<std::pair<int64_t, int64_t>> rows_in_train(const std::vector<int64_t>& held_out,
                                                       const RowsByNumber& train) {
  std::vector<std::pair<int64_t, int64_t>> shared;
  for (size_t i = 0; i < held_out.size(); ++i) {
    const auto number = static_cast<size_t>(held_out[i]);
    if (number < train.size()) shared.emplace_back(static_cast<int64_t>(i), train[number].front());
  }
  return shared;
}

}  // namespace

DataQuality inspect_quality(const Dataset& train, const Dataset& validation, const Dataset& test) {
  ContentNumbers contents;
  RowsByNumber rows_by_number;  // of training contents, which have the first numbers
  const auto train_numbers = contents.of(train);
  for (size_t i = 0; i < train_numbers.size(); ++i) {
    const auto number = static_cast<size_t>(train_numbers[i]);
    if (number == rows_by_number.size()) rows_by_number.emplace_back();
    rows_by_number[number].push_back(static_cast<int64_t>(i));
  }

  DataQuality quality;
  for (const auto& rows : rows_by_number) {
    if (rows.size() < 2) continue;
    const auto label = [&](int64_t row) { return train.labels[static_cast<size_t>(row)]; };
    const int first = label(rows.front());
    const bool agree = std::ranges::all_of(rows, [&](int64_t row) { return label(row) == first; });
    (agree ? quality.duplicates : quality.conflicting).push_back(rows);
  }
  quality.validation_in_train = rows_in_train(contents.of(validation), rows_by_number);
  quality.test_in_train = rows_in_train(contents.of(test), rows_by_number);
  return quality;
}

}  // namespace normscope
