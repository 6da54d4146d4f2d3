// What stands at the norms and beside them: sizes, deviations, activations, attention entropy (study.md 4).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "measurements/norm_place.h"

namespace normscope {

// One entry a row of the data; real tokens only, unless said otherwise.
struct NormInputs : NormPlace {
  std::vector<double> input_norm;      // mean over tokens of |x_t|
  std::vector<double> sigma;           // mean over tokens of the norm's own sqrt(var + eps), or of its RMS
  std::vector<double> smallest_sigma;  // of the row's tokens
  std::vector<double> input_norm_of_mean, sigma_of_mean;  // of the row's token mean, as the study's script: |m|, std(m)
  std::vector<double> activation;                         // mean over features of |y| at the row's first token
  std::vector<double> sublayer_norm;      // of what the sublayer beside the norm gives: mean over tokens of its length
  std::vector<double> sublayer_variance;  // mean over tokens of the variance over features
  std::vector<double> largest_sublayer_variance;  // of the row's tokens
  std::vector<double> sublayer_norm_of_mean, sublayer_sigma_of_mean;
  // Of the attention beside a norm of role attention: nats, mean over heads and queries.
  std::vector<double> attention_entropy;
  // The same with the padding queries of the study's left-padded rows, which attend evenly to what they may see (D8).
  std::vector<double> padded_attention_entropy;
};

using NormInputField = RowField<NormInputs>;
inline constexpr std::array kNormInputFields = {
    NormInputField{"input_norm", &NormInputs::input_norm},
    NormInputField{"sigma", &NormInputs::sigma},
    NormInputField{"smallest_sigma", &NormInputs::smallest_sigma},
    NormInputField{"input_norm_of_mean", &NormInputs::input_norm_of_mean},
    NormInputField{"sigma_of_mean", &NormInputs::sigma_of_mean},
    NormInputField{"activation", &NormInputs::activation},
    NormInputField{"sublayer_norm", &NormInputs::sublayer_norm},
    NormInputField{"sublayer_variance", &NormInputs::sublayer_variance},
    NormInputField{"largest_sublayer_variance", &NormInputs::largest_sublayer_variance},
    NormInputField{"sublayer_norm_of_mean", &NormInputs::sublayer_norm_of_mean},
    NormInputField{"sublayer_sigma_of_mean", &NormInputs::sublayer_sigma_of_mean},
    NormInputField{"attention_entropy", &NormInputs::attention_entropy},
    NormInputField{"padded_attention_entropy", &NormInputs::padded_attention_entropy},
};

struct NormInputSet {
  std::string name;                // test, noisy, train_clean
  std::vector<double> logit_norm;  // |logits|
  std::vector<NormInputs> norms;
};

// Entropy of a left-padded row as the study's tables average it: `padding` queries that each attend evenly to the keys
// before them and themselves, at most `window` of them (0: all), then the real ones. real_sum: their entropies' sum.
double padded_entropy(double real_sum, int64_t real_tokens, int64_t padding, int64_t window);

}  // namespace normscope
