// The authors' figures as tables: published epochs beside equal epochs, with what each contrast suffers from.
#pragma once
#include <utility>
#include <vector>

#include "reports/paper_readings.h"
#include "reports/table.h"

namespace normscope {

// What a run of the authors and one of a study are compared in.
inline constexpr std::pair<const char*, double EpochMetrics::*> kQuantities[] = {
    {"learning", &EpochMetrics::test_accuracy},
    {"memorization", &EpochMetrics::memorization},
    {"recovery", &EpochMetrics::recovery},
    {"random prediction", &EpochMetrics::random_prediction},
    {"overfit gap", &EpochMetrics::overfit_gap}};

std::string paper_selection_words(const std::string& norm_selection);  // of the logs' policies

Table paper_placements_table();                 // all norms removed, a model a row, at the published epoch, 40 and 70
Table paper_unit_table(const PaperUnit& unit);  // a selection and a point a row
Table paper_gradients_table();                  // a model and a norm a row
Table paper_facts_table();                      // what is known to be wrong, and where
std::vector<Table> paper_tables();              // all of them

// What the logs say at published and at equal epochs, three sentences.
std::vector<std::string> paper_sentences();

}  // namespace normscope
