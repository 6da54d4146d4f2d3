// What a tokenizer is assembled from, and the settings that stand in the files beside it.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tokenizers/added_tokens.h"
#include "tokenizers/decoder.h"
#include "tokenizers/model.h"
#include "tokenizers/normalizer.h"
#include "tokenizers/post_processor.h"
#include "tokenizers/pre_tokenizer.h"
#include "tokenizers/tokenizer.h"

namespace normscope {

// Buffers and the word cache of one call; handed from call to call so that a thread keeps what it learned.
struct Workspace {
  WordCache cache;
  AlignedText text;
  std::vector<Piece> segments, pieces;
  std::vector<Symbol> symbols;
};

class WorkspacePool {
 public:
  std::unique_ptr<Workspace> take();
  void give_back(std::unique_ptr<Workspace> workspace);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

struct Tokenizer::Parts {
  std::unique_ptr<const Normalizer> normalizer;  // may be null, as the others
  std::unique_ptr<const PreTokenizer> pre_tokenizer;
  std::unique_ptr<const SubwordModel> model;  // never null
  std::unique_ptr<const AddedTokens> added;   // never null
  PostProcessor post_processor;
  std::unique_ptr<const Decoder> decoder;
  std::optional<int64_t> pad_id;
  bool truncates_left = false;
  mutable WorkspacePool workspaces;

  // Calls emit(token) for each token of valid UTF-8, from left to right; emit returns false to stop.
  template <typename Emit>
  void tokenize(std::string_view text, Workspace& workspace, const Emit& emit) const;
};

// What a checkpoint's other files say about its tokenizer; absent ones leave the defaults.
struct TokenizerSettings {
  std::optional<std::string> pad_token;
  bool truncates_left = false;
};

std::unique_ptr<const Tokenizer::Parts> assemble_tokenizer(const JsonPart& file, const TokenizerSettings& settings);

}  // namespace normscope
