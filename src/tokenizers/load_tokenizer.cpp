// Loads the tokenizer of a checkpoint folder, from whichever of the known files stand there.
#include <fstream>

#include "core/error.h"
#include "core/file.h"
#include "tokenizers/older_files.h"
#include "tokenizers/tokenizer_parts.h"

namespace normscope {

namespace fs = std::filesystem;

std::shared_ptr<const Tokenizer> load_tokenizer(const fs::path& folder_or_file) {
  const bool is_folder = fs::is_directory(folder_or_file);
  const fs::path folder = is_folder ? folder_or_file : folder_or_file.parent_path();
  const fs::path file = is_folder ? folder_or_file / "tokenizer.json" : folder_or_file;
  TokenizerSettings settings;
  nlohmann::json tokenizer;
  std::string place = file.string();
  const OlderFiles older(folder);
  settings.pad_token = older.pad_token();
  settings.truncates_left = older.truncates_left();
  if (!is_folder || fs::exists(file)) {
    tokenizer = parse_json(read_file(file, ErrorKind::Checkpoint), place);
  } else {
    tokenizer = older.to_tokenizer_json();
    place = older.place();
  }
  return std::make_shared<const Tokenizer>(assemble_tokenizer(JsonPart(tokenizer, place), settings));
}

}  // namespace normscope
