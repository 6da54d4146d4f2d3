// What is put around a tokenized text, and how offsets are trimmed; flattened to one plan at load.
#include "tokenizers/post_processor.h"

#include <algorithm>

#include "tokenizers/byte_level.h"
#include "tokenizers/unicode.h"

namespace normscope {
namespace {

// ["</s>", 2]
SpecialToken read_pair(const JsonPart& part, std::string_view key) {
  const std::vector<JsonPart> pair = part.list(key);
  if (pair.size() != 2) part.at(key).fail("a token and its id");
  return {pair[1].as_integer(), pair[0].as_text()};
}

void wrap(PostProcessor& plan, const std::vector<SpecialToken>& before, const std::vector<SpecialToken>& after) {
  plan.before.insert(plan.before.begin(), before.begin(), before.end());
  plan.after.insert(plan.after.end(), after.begin(), after.end());
}

void append_template_token(const JsonPart& known, const std::string& name, std::vector<SpecialToken>& tokens) {
  const JsonPart token = known.at(name);
  const std::vector<JsonPart> ids = token.list("ids");
  const std::vector<JsonPart> texts = token.list("tokens");
  if (ids.size() != texts.size()) token.fail("as many ids as tokens");
  for (size_t i = 0; i < ids.size(); ++i) tokens.push_back({ids[i].as_integer(), texts[i].as_text()});
}

void add_template(const JsonPart& part, PostProcessor& plan) {
  std::vector<SpecialToken> before, after;
  bool seen_text = false;
  for (const JsonPart& piece : part.list("single")) {
    if (piece.has("SpecialToken")) {
      append_template_token(part.at("special_tokens"), piece.at("SpecialToken").text("id"), seen_text ? after : before);
    } else {
      if (piece.at("Sequence").text("id") != "A" || seen_text) piece.fail("the sequence A, once");
      seen_text = true;
    }
  }
  if (!seen_text) part.at("single").fail("the sequence A");
  wrap(plan, before, after);
}

void add_processor(const JsonPart& part, PostProcessor& plan) {
  const std::string type = part.text("type");
  if (type == "TemplateProcessing") {
    add_template(part, plan);
  } else if (type == "RobertaProcessing") {
    if (part.flag_or("trim_offsets", true))
      plan.trims_with_prefix_space.push_back(part.flag_or("add_prefix_space", true));
    wrap(plan, {read_pair(part, "cls")}, {read_pair(part, "sep")});
  } else if (type == "BertProcessing") {
    wrap(plan, {read_pair(part, "cls")}, {read_pair(part, "sep")});
  } else if (type == "ByteLevel") {
    if (part.flag_or("trim_offsets", true))
      plan.trims_with_prefix_space.push_back(part.flag_or("add_prefix_space", true));
  } else if (type == "Sequence") {
    for (const JsonPart& step : part.list("processors")) add_processor(step, plan);
  } else {
    part.fail_unsupported("post-processor", type);
  }
}

bool is_blank(char32_t c) { return c == byte_level_character(' ') || character_classes(c) & kSpace; }

}  // namespace

PostProcessor make_post_processor(const JsonPart& part) {
  PostProcessor plan;
  add_processor(part, plan);
  return plan;
}

void trim_offsets(std::string_view token, bool is_first, bool adds_prefix_space, int64_t& begin, int64_t& end) {
  int64_t leading = 0;
  for (size_t i = 0; i < token.size() && is_blank(code_point_at(token, i).value); ++leading)
    i += code_point_at(token, i).length;
  int64_t trailing = 0;
  for (size_t i = token.size(); i > 0 && is_blank(code_point_before(token, i).value); ++trailing)
    i -= code_point_before(token, i).length;
  if (leading > 0) {
    // A blank that was added has no place in the text to be trimmed from.
    if ((is_first || begin == 0) && adds_prefix_space) --leading;
    begin = std::min(begin + leading, end);
  }
  if (trailing > 0 && end >= trailing) end = std::max(end - trailing, begin);
}

}  // namespace normscope
