// Normalizers: what happens to a text before it is cut into words.
#pragma once
#include <memory>
#include <vector>

#include "tokenizers/aligned_text.h"
#include "tokenizers/json_part.h"

namespace normscope {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  // ASCII text is changed in place, byte for byte; false when that cannot express the change (`text` is then
  // spoilt and apply() is asked instead).
  virtual bool apply_ascii(std::string& text) const = 0;
  virtual void apply(std::vector<AlignedChar>& chars) const = 0;

  void normalize(AlignedText& text) const;
};

// "normalizer" of a tokenizer.json. Throws Error(Checkpoint) naming a type that is not supported.
std::unique_ptr<const Normalizer> make_normalizer(const JsonPart& part);

// One function a family, in the file of its name; each knows the keys of its types.
std::unique_ptr<const Normalizer> make_bert_normalizer(const JsonPart& part);
std::unique_ptr<const Normalizer> make_unicode_form(const std::string& type);  // NFC, NFD, NFKC, NFKD
std::unique_ptr<const Normalizer> make_strip_accents();
std::unique_ptr<const Normalizer> make_lowercase();
std::unique_ptr<const Normalizer> make_replace(const JsonPart& part);

// Edits that the families share.
void decompose(std::vector<AlignedChar>& chars, bool compatibility);  // to NFD or NFKD
void lower_case(std::vector<AlignedChar>& chars);
void lower_case_ascii(std::string& text);

}  // namespace normscope
