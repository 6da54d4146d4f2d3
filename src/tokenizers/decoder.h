// Decoders: tokens become text again.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tokenizers/json_part.h"

namespace normscope {

class Decoder {
 public:
  virtual ~Decoder() = default;
  // Rewrites the tokens; the text is what they join to.
  virtual void decode(std::vector<std::string>& tokens) const = 0;
};

// "decoder" of a tokenizer.json. Throws Error(Checkpoint) naming a type that is not supported.
std::unique_ptr<const Decoder> make_decoder(const JsonPart& part);

std::unique_ptr<const Decoder> make_wordpiece_decoder(const JsonPart& part);
std::unique_ptr<const Decoder> make_byte_level_decoder();
std::unique_ptr<const Decoder> make_byte_fallback_decoder();
std::unique_ptr<const Decoder> make_replace_decoder(const JsonPart& part);

void replace_all(std::string& text, std::string_view from, std::string_view to);

}  // namespace normscope
