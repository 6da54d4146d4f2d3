// CIFAR's batches as Python 2 pickled them, read as data: nothing in them is looked up, called or executed.
// Source: A. Krizhevsky, "The CIFAR-10 and CIFAR-100 datasets", the Python version.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

struct CifarPickle {
  int num_classes = 10;         // 100 where labels are called fine_labels
  std::vector<int64_t> labels;  // CIFAR-100: the fine ones
  int64_t offset = 0;           // of the pixels in the file: labels.size() pictures of kCifarPixelBytes each
};

// Only dicts, lists, numbers, texts and one array of bytes are known. Throws Error(Data) naming the file.
CifarPickle parse_cifar_pickle(std::string_view bytes, const std::string& file);

// The list of texts under `key` of batches.meta or meta.
std::vector<std::string> parse_cifar_names(std::string_view bytes, const std::string& file, std::string_view key);

}  // namespace normscope
