// What is put around a tokenized text, and how offsets are trimmed; flattened to one plan at load.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tokenizers/json_part.h"

namespace normscope {

struct SpecialToken {
  int64_t id;
  std::string text;
};

struct PostProcessor {
  // One step an offset-trimming processor, in order: the flag is its add_prefix_space.
  std::vector<bool> trims_with_prefix_space;
  std::vector<SpecialToken> before, after;

  size_t num_added() const { return before.size() + after.size(); }
};

// "post_processor" of a tokenizer.json, for one text (not a pair).
// Throws Error(Checkpoint) naming a type that is not supported.
PostProcessor make_post_processor(const JsonPart& part);

// White space at a token's ends, as the byte-level alphabet writes it too, leaves its offsets.
// Source: tokenizers pre_tokenizers::byte_level::process_offsets. is_first: it is the text's first token.
void trim_offsets(std::string_view token, bool is_first, bool adds_prefix_space, int64_t& begin, int64_t& end);

}  // namespace normscope
