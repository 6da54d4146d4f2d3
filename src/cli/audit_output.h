// What normscope audit writes: the ranked rows as CSV, the document of --json, tables for the terminal.
#pragma once
#include <nlohmann/json.hpp>

#include "measurements/label_audit.h"

namespace normscope {

// A label that --write-corrected changes.
struct Correction {
  int64_t position = 0;  // in LabelAudit::rows
  std::string from, to;
};

// Issues whose suggestion has at least this probability, most suspicious first.
std::vector<Correction> corrections(const LabelAudit& audit, double least_probability);

// One line a row, most suspicious first. Columns: docs/label-audit.md.
std::string audit_csv(const LabelAudit& audit);

// `top` rows in full. Shape: docs/label-audit.md.
nlohmann::ordered_json audit_json(const LabelAudit& audit, size_t top, const std::vector<Correction>& corrected);

// Counts, the `top` most suspicious rows, corrections, and how well each signal does where the truth is known.
std::string audit_text(const LabelAudit& audit, size_t top, const std::vector<Correction>& corrected);

}  // namespace normscope
