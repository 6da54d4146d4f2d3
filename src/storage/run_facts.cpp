// A run's facts to JSON and back.
#include "storage/run_facts.h"

namespace normscope {
namespace {

// One list for both directions.
template <typename Facts, typename Visit>
void visit_fields(Facts& facts, Visit&& visit) {
  visit("dataset", facts.dataset);
  visit("train_rows", facts.train_rows);
  visit("validation_rows", facts.validation_rows);
  visit("test_rows", facts.test_rows);
  visit("labels", facts.labels);
  visit("noise_kind", facts.noise_kind);
  visit("noisy_class", facts.noisy_class);
  visit("noisy_rows", facts.noisy_rows);
  visit("norms", facts.norms);
  visit("removed_norms", facts.removed_norms);
  visit("num_hidden_layers", facts.num_hidden_layers);
  visit("parameters", facts.parameters);
  visit("removed_parameters", facts.removed_parameters);
  visit("data_quality", facts.data_quality);
  visit("warnings", facts.warnings);
  visit("checkpoint_recipe", facts.checkpoint_recipe);
  visit("more", facts.more);
}

}  // namespace

nlohmann::ordered_json to_json(const RunFacts& facts) {
  nlohmann::ordered_json json;
  visit_fields(facts, [&](const char* key, const auto& value) { json[key] = value; });
  return json;
}

RunFacts run_facts_from_json(const nlohmann::json& json) {
  RunFacts facts;
  visit_fields(facts, [&](const char* key, auto& value) {
    if (json.contains(key)) json.at(key).get_to(value);
  });
  return facts;
}

}  // namespace normscope
