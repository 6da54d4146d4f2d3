// The line formats of older vocabularies: vocab.txt and merges.txt.
#include "core/error.h"
#include "core/text.h"
#include "tokenizers/older_files.h"

namespace normscope {
namespace {

template <typename Take>
void for_each_line(std::string_view bytes, const std::string& place, const Take& take) {
  const size_t wrong = find_invalid_utf8(bytes);
  require(wrong == std::string_view::npos, ErrorKind::Checkpoint, place, ": expected UTF-8, found byte ", wrong,
          " that is none");
  size_t number = 0;
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line, number++);
  }
}

}  // namespace

nlohmann::json parse_vocabulary_lines(std::string_view bytes, const std::string& place) {
  nlohmann::json vocabulary = nlohmann::json::object();
  // Of a token that stands twice the later line counts.
  for_each_line(bytes, place, [&](std::string_view line, size_t number) { vocabulary[std::string(line)] = number; });
  return vocabulary;
}

nlohmann::json parse_merges(std::string_view bytes, const std::string& place) {
  nlohmann::json merges = nlohmann::json::array();
  for_each_line(bytes, place, [&](std::string_view line, size_t) {
    if (!line.empty() && !line.starts_with("#version")) merges.push_back(std::string(line));
  });
  return merges;
}

}  // namespace normscope
