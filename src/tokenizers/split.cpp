// The Split pre-tokenizer: cut at a pattern, in one of five ways.
// Source: tokenizers pre_tokenizers::Split and NormalizedString::split.
#include "tokenizers/pre_tokenizer.h"

namespace normscope {
namespace {

struct Part {
  Range range;
  bool is_match;
};

class Split final : public PreTokenizer {
 public:
  explicit Split(const JsonPart& part)
      : pattern_(part.at("pattern")),
        behavior_(parse_split_behavior(part.at("behavior"))),
        inverted_(part.flag_or("invert", false)) {}

  void split(AlignedText& text, std::vector<Piece>& pieces) const override {
    std::vector<Range> matches;
    replace_pieces(text, pieces, [&](std::string_view word, std::vector<Range>& parts) {
      matches.clear();
      pattern_.find_all(word, matches);
      split_at_matches(matches, static_cast<uint32_t>(word.size()), behavior_, inverted_, parts);
    });
  }

 private:
  Pattern pattern_;
  SplitBehavior behavior_;
  bool inverted_;
};

// Every part takes over the matches before it (merged with next), or each match joins the part before it.
void merge_matches(const std::vector<Part>& parts, SplitBehavior behavior, std::vector<Range>& merged) {
  bool previous_match = false;
  bool first = true;
  const auto extend = [&](Range range, bool joins) {
    if (joins && !first) {
      merged.back().end = range.end;
    } else {
      merged.push_back(range);
    }
    first = false;
  };
  switch (behavior) {
    case SplitBehavior::MergedWithPrevious:
      for (const Part& part : parts) {
        extend(part.range, part.is_match && !previous_match);
        previous_match = part.is_match;
      }
      return;
    case SplitBehavior::MergedWithNext:
      for (const Part& part : parts) {
        extend(part.range, previous_match && !part.is_match);
        previous_match = part.is_match;
      }
      return;
    default:  // Contiguous: neighbours of one kind are one part
      for (const Part& part : parts) {
        extend(part.range, part.is_match == previous_match);
        previous_match = part.is_match;
      }
  }
}

}  // namespace

SplitBehavior parse_split_behavior(const JsonPart& part) {
  const std::string name = part.as_text();
  if (name == "Removed") return SplitBehavior::Removed;
  if (name == "Isolated") return SplitBehavior::Isolated;
  if (name == "MergedWithPrevious") return SplitBehavior::MergedWithPrevious;
  if (name == "MergedWithNext") return SplitBehavior::MergedWithNext;
  if (name == "Contiguous") return SplitBehavior::Contiguous;
  part.fail("Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

void split_at_matches(const std::vector<Range>& matches, uint32_t length, SplitBehavior behavior, bool inverted,
                      std::vector<Range>& parts) {
  if (behavior == SplitBehavior::Isolated) {
    uint32_t at = 0;
    for (const Range& match : matches) {
      if (at < match.begin) parts.push_back({at, match.begin});
      parts.push_back(match);
      at = match.end;
    }
    if (at < length) parts.push_back({at, length});
    return;
  }
  std::vector<Part> all;
  uint32_t at = 0;
  for (const Range& match : matches) {
    if (at < match.begin) all.push_back({{at, match.begin}, inverted});
    all.push_back({match, !inverted});
    at = match.end;
  }
  if (at < length) all.push_back({{at, length}, inverted});
  if (behavior == SplitBehavior::Removed) {
    for (const Part& part : all)
      if (!part.is_match) parts.push_back(part.range);
  } else {
    merge_matches(all, behavior, parts);
  }
}

std::unique_ptr<const PreTokenizer> make_split(const JsonPart& part) { return std::make_unique<Split>(part); }

}  // namespace normscope
