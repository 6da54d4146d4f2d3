// Tokenizers: text to token ids and back, as a checkpoint's own tokenizer files say.
#include "tokenizers/tokenizer.h"

#include <algorithm>

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"
#include "tokenizers/tokenizer_parts.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

// A workspace for one call, given back when the call ends.
class BorrowedWorkspace {
 public:
  explicit BorrowedWorkspace(WorkspacePool& pool) : pool_(pool), workspace_(pool.take()) {}
  ~BorrowedWorkspace() { pool_.give_back(std::move(workspace_)); }
  BorrowedWorkspace(const BorrowedWorkspace&) = delete;
  Workspace& operator*() { return *workspace_; }

 private:
  WorkspacePool& pool_;
  std::unique_ptr<Workspace> workspace_;
};

// The text itself when it is valid, else a repaired copy in `repaired`.
std::string_view valid_utf8(std::string_view text, std::string& repaired) {
  require(text.size() < UINT32_MAX, ErrorKind::Data, "a text of ", text.size(),
          " bytes is too long, expected less than 4 GiB");
  if (is_ascii(text) || find_invalid_utf8(text) == std::string_view::npos) return text;
  return repaired = replace_invalid_utf8(text);
}

}  // namespace

std::unique_ptr<Workspace> WorkspacePool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      auto workspace = std::move(free_.back());
      free_.pop_back();
      return workspace;
    }
  }
  return std::make_unique<Workspace>();
}

void WorkspacePool::give_back(std::unique_ptr<Workspace> workspace) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(workspace));
}

template <typename Emit>
void Tokenizer::Parts::tokenize(std::string_view text, Workspace& workspace, const Emit& emit) const {
  workspace.segments.clear();
  added->split(text, false, workspace.segments);
  uint32_t first_source = 0;  // code point index where the segment begins
  size_t counted = 0;         // bytes of text that first_source has counted
  for (const Piece& segment : workspace.segments) {
    const std::string_view part = text.substr(segment.begin, segment.end - segment.begin);
    first_source += static_cast<uint32_t>(count_code_points(text.substr(counted, segment.begin - counted)));
    counted = segment.begin;
    AlignedText& aligned = workspace.text;
    aligned.assign(part, first_source);
    workspace.pieces.clear();
    if (segment.added_id >= 0) {
      workspace.pieces.push_back({0, static_cast<uint32_t>(part.size()), segment.added_id});
    } else {
      if (normalizer) normalizer->normalize(aligned);
      added->split(aligned.text, true, workspace.pieces);
      if (pre_tokenizer) pre_tokenizer->split(aligned, workspace.pieces);
    }
    for (const Piece& piece : workspace.pieces) {
      const std::string_view word = std::string_view(aligned.text).substr(piece.begin, piece.end - piece.begin);
      if (piece.added_id >= 0) {
        if (!emit(piece.added_id, aligned.begin_of(piece.begin), aligned.end_of(piece.end), word)) return;
        continue;
      }
      workspace.symbols.clear();
      model->tokenize(word, workspace.cache, workspace.symbols);
      uint32_t at = piece.begin;
      for (const Symbol& symbol : workspace.symbols) {
        const uint32_t end = at + symbol.length;
        if (!emit(symbol.id, aligned.begin_of(at), aligned.end_of(end), std::string_view())) return;
        at = end;
      }
    }
  }
}

Tokenizer::Tokenizer(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
Tokenizer::~Tokenizer() = default;

Encoding Tokenizer::encode(std::string_view text) const {
  const PostProcessor& post = parts_->post_processor;
  std::string repaired;
  text = valid_utf8(text, repaired);
  BorrowedWorkspace workspace(parts_->workspaces);
  Encoding encoding;
  const auto append_special = [&](const std::vector<SpecialToken>& tokens) {
    for (const SpecialToken& token : tokens) {
      encoding.ids.push_back(token.id);
      encoding.tokens.push_back(token.text);
      encoding.offsets.emplace_back(0, 0);
    }
  };
  append_special(post.before);
  parts_->tokenize(text, *workspace, [&](int32_t id, int64_t begin, int64_t end, std::string_view added) {
    const std::string_view token = added.empty() ? parts_->model->vocabulary().token(id) : added;
    const bool is_first = encoding.ids.size() == post.before.size();
    for (const bool prefix_space : post.trims_with_prefix_space)
      trim_offsets(token, is_first, prefix_space, begin, end);
    encoding.ids.push_back(id);
    encoding.tokens.emplace_back(token);
    encoding.offsets.emplace_back(begin, end);
    return true;
  });
  append_special(post.after);
  return encoding;
}

std::vector<int64_t> Tokenizer::encode_ids(std::string_view text, size_t max_length) const {
  const PostProcessor& post = parts_->post_processor;
  require(max_length >= post.num_added(), ErrorKind::Usage, "max_length: expected at least ", post.num_added(),
          " for the special tokens, found ", max_length);
  const size_t room = max_length - post.num_added();
  std::string repaired;
  text = valid_utf8(text, repaired);
  BorrowedWorkspace workspace(parts_->workspaces);
  std::vector<int64_t> ids;
  for (const SpecialToken& token : post.before) ids.push_back(token.id);
  const size_t begin = ids.size();
  const bool keeps_end = parts_->truncates_left;
  if (room > 0) {
    parts_->tokenize(text, *workspace, [&](int32_t id, uint32_t, uint32_t, std::string_view) {
      ids.push_back(id);
      return keeps_end || ids.size() - begin < room;
    });
  }
  const size_t excess = ids.size() - begin > room ? ids.size() - begin - room : 0;
  ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(begin),
            ids.begin() + static_cast<std::ptrdiff_t>(begin + excess));
  for (const SpecialToken& token : post.after) ids.push_back(token.id);
  return ids;
}

std::string Tokenizer::decode(std::span<const int64_t> ids) const {
  std::vector<std::string> tokens;
  for (const int64_t id : ids) {
    if (parts_->added->find(id) == nullptr && !parts_->model->vocabulary().has_id(id)) continue;
    std::string text = token(id);
    if (!parts_->added->is_special(text)) tokens.push_back(std::move(text));
  }
  if (parts_->decoder) {
    parts_->decoder->decode(tokens);
    return join(tokens, "");
  }
  return join(tokens, " ");
}

size_t Tokenizer::vocab_size() const {
  return parts_->model->vocabulary().size() + parts_->added->num_beyond_vocabulary();
}

std::optional<int64_t> Tokenizer::pad_token_id() const { return parts_->pad_id; }

std::optional<int64_t> Tokenizer::token_id(std::string_view token) const {
  const int32_t added = parts_->added->id(token);
  const int32_t id = added >= 0 ? added : parts_->model->vocabulary().id(token);
  return id >= 0 ? std::optional<int64_t>(id) : std::nullopt;
}

std::string Tokenizer::token(int64_t id) const {
  const AddedToken* added = parts_->added->find(id);
  if (added != nullptr) return added->shown;
  if (!parts_->model->vocabulary().has_id(id)) return "";
  return std::string(parts_->model->vocabulary().token(static_cast<int32_t>(id)));
}

std::vector<std::vector<int64_t>> encode_rows(const Tokenizer& tokenizer, std::span<const std::string> texts,
                                              size_t max_length, int num_threads) {
  std::vector<std::vector<int64_t>> rows(texts.size());
  parallel_ranges(texts.size(), num_threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) rows[i] = tokenizer.encode_ids(texts[i], max_length);
  });
  return rows;
}

}  // namespace normscope
