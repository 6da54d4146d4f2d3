// What is true of a run before its first step, in the words of the report.
#pragma once
#include "experiments/prepared_data.h"
#include "storage/run_facts.h"
#include "storage/run_store.h"

namespace normscope {

RunFacts run_facts(const Recipe& recipe, const Model& model, const PreparedData& data);

// The noisy rows as the database keeps them, in drawn order.
std::vector<StoredNoisyRow> stored_noisy_rows(const PreparedData& data);

// The first characters of a text, cut at a code point; of a picture, where it is.
std::string excerpt_of(const Dataset& rows, size_t row);

}  // namespace normscope
