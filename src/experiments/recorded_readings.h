// What a run's recorder has seen of an epoch, as readings.
#pragma once
#include "storage/run_store.h"
#include "training/gradient_recorder.h"

namespace normscope {

// By layer and role: training_gradient_norm of splits train_clean and memorization, the mean over the epoch's rows;
// training_gradient_weight and training_gradient_bias of split train, the mean over its updates. What has no rows, or
// no w or b, has none.
std::vector<Reading> recorded_readings(const GradientRecorder& recorder, const Model& model);

}  // namespace normscope
