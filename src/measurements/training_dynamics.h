// What a row's course through training says of its label: from loss, margin and prediction at every epoch.
// Sources: Toneva et al. 2019 (forgetting), Pleiss et al. 2020 (AUM), Swayamdipta et al. 2020 (cartography).
#pragma once
#include "measurements/dynamics_records.h"

namespace normscope {

// One row's epochs in order, without that before training.
struct RowDynamics {
  double mean_margin = 0;           // AUM: area under the margin
  double confidence = 0;            // mean probability of the given label, 0-1
  double variability = 0;           // its standard deviation over epochs (divisor n)
  double correctness = 0;           // % of epochs that predict the given label
  int64_t forgetting_events = 0;    // times the given label was predicted and, an epoch later, was not
  int64_t first_learned_epoch = 0;  // first that predicts the given label; 0: none
  double mean_loss = 0, final_loss = 0;
  int predicted_label = -1;      // in most epochs; of equally many, the lower class
  int64_t predicted_epochs = 0;  // how many those are
  int suggested_label = -1;      // the other class that the epochs spoke for most; -1: none was ever predicted
  double suggested_probability =
      0;  // its mean probability, counting 0 where another class was predicted: a lower bound
};

// `epochs[e][row]` are the records of epoch e + 1; at least one epoch. A loss that is infinite is a probability of 0.
std::vector<RowDynamics> measure_dynamics(std::span<const std::span<const DynamicsRecord>> epochs,
                                          std::span<const int> given_labels);

}  // namespace normscope
