// The page's first sentences, from verdicts.
#include <cmath>
#include <map>

#include "core/text.h"
#include "reports/sentences.h"
#include "reports/words.h"

namespace normscope {
namespace {

// What a verdict on a claim says of the quantity itself.
const char* change_words(const std::string& claim, Verdict verdict) {
  if (verdict == Verdict::TooFew) return "changes, with too few seeds or rows to decide,";
  if (verdict == Verdict::Undecided) return "is not decided";
  const bool is_supported = verdict == Verdict::Supported;
  if (claim == "C1" || claim == "C2b") return is_supported ? "falls" : "does not fall";
  return is_supported ? "stays or rises" : "falls";  // C1b; C2 has no rise
}

const ClaimVerdict* matched_of(const std::vector<ClaimVerdict>& verdicts, const ClaimVerdict& equal) {
  for (const auto& verdict : verdicts)
    if (verdict.point == Point::MatchedFit && verdict.claim.id == equal.claim.id && verdict.unit == equal.unit &&
        verdict.norm_selection == equal.norm_selection)
      return &verdict;
  return nullptr;
}

// "Without norm parameters test accuracy falls in A (-6.0 points, at matched fit -5.8); stays in B (...)."
std::string sentence_of(const std::vector<ClaimVerdict>& verdicts, const char* quantity,
                        std::initializer_list<const char*> claims) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> units;
  for (const auto& verdict : verdicts) {
    if (verdict.point != Point::EqualEpochs) continue;
    for (const char* claim : claims) {
      if (verdict.claim.id != claim) continue;
      std::string words = change_words(verdict.claim.id, verdict.verdict);
      if (verdict.claim.id == "C2" && verdict.verdict == Verdict::Supported) words = "stays";
      std::string where = verdict.unit + " (" + with_sign(verdict.finding.effect) + " points";
      if (const auto* matched = matched_of(verdicts, verdict); matched && !std::isnan(matched->finding.effect))
        where += ", at matched fit " + with_sign(matched->finding.effect);
      if (!units.contains(words)) order.push_back(words);
      units[words].push_back(where + ")");
    }
  }
  std::vector<std::string> parts;
  for (const auto& words : order) parts.push_back(words + " in " + join(units[words], " and "));
  return parts.empty() ? "" : std::string("With all norms removed, ") + quantity + " " + join(parts, "; it ") + ".";
}

}  // namespace

std::vector<std::string> headline_sentences(const StudyView& study, const std::vector<ClaimVerdict>& verdicts,
                                            const std::vector<ControlVerdict>& controls) {
  std::vector<std::string> sentences;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) sentences.push_back(sentence);
  };
  add(sentence_of(verdicts, "test accuracy", {"C1", "C2"}));
  std::string memorization = sentence_of(verdicts, "memorization", {"C1b", "C2b"});
  if (const auto control = control_sentence(verdicts, controls); !control.empty()) memorization += " " + control;
  add(memorization);
  add(verdict_sentence(verdicts));
  if (sentences.empty())
    for (const auto& unit : study.units)
      if (const auto outcomes = outcome_sentences(unit); !outcomes.empty()) add(outcomes.back());
  return sentences;
}

}  // namespace normscope
