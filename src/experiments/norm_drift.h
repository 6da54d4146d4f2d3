// How far the norms that remain have moved from where training found them.
#pragma once
#include <map>

#include "models/model.h"
#include "storage/run_store.h"

namespace normscope {

class NormDrift {
 public:
  // Remembers every w and b that the model has now.
  explicit NormDrift(const Model& model);

  // Of split train, by layer and role: weight_drift is |w - w0| / |w0|, bias_drift is |b - b0| itself, because b0 may
  // be zero. Parameters that were not there at the start, or are not there now, have none.
  std::vector<Reading> readings(const Model& model) const;

 private:
  std::map<std::string, torch::Tensor> start_;  // by the parameter's name
};

}  // namespace normscope
