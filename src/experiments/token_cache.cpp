#include "experiments/token_cache.h"

#include "core/error.h"
#include "core/text.h"
#include "data/token_file.h"
#include "experiments/cache_file.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

// Everything that decides the ids: whoever changes a text, a tokenizer or this program gets another file.
std::string key_of(const Dataset& rows, std::span<const fs::path> tokenizer_files, int64_t max_length) {
  uint64_t hash = content_hash(std::string(NORMSCOPE_VERSION) + " " + std::to_string(max_length));
  const auto add = [&](std::string_view bytes) {
    hash = content_hash(bytes, content_hash(std::to_string(bytes.size()) + " ", hash));
  };
  for (const auto& file : tokenizer_files) {
    add(file.filename().string());
    add(read_file(file, ErrorKind::Checkpoint));
  }
  for (const auto& text : rows.texts) add(text);
  return hexadecimal(hash);
}

}  // namespace

TokenizedRows cached_tokens(const Dataset& rows, std::span<const fs::path> tokenizer_files, int64_t max_length,
                            const fs::path& folder, const std::function<TokenizedRows()>& tokenize) {
  if (rows.texts.empty()) return tokenize();
  const auto path = folder / key_of(rows, tokenizer_files, max_length);
  make_cache_file(path, std::nullopt, [&](AtomicFile& file) {
    const auto made = tokenize();
    write_token_file(file, made.rows.input_ids, made.truncated, made.empty);
  });
  TokenizedRows result;
  result.rows.mapped.file = std::make_shared<const MappedFile>(path, ErrorKind::Run);
  auto tokens = parse_token_file(result.rows.mapped.file->bytes());
  require(tokens.rows.size() == rows.size(), ErrorKind::Run, path.string(), ": holds other rows; remove it");
  result.rows.mapped.rows = std::move(tokens.rows);
  result.rows.labels = rows.labels;
  result.truncated = tokens.truncated;
  result.empty = tokens.empty;
  return result;
}

}  // namespace normscope
