// A trigger word in training rows of one class: does the model learn the word, where there is nothing else to learn?
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace normscope {

struct TriggerOptions {
  std::string class_name = {};  // the class whose rows get the word
  double rate = 0;              // fraction of the whole training set, 0 to 1
  int64_t seed = 28;
};

// The text with the word after its first blank, as the study's scripts put it; a text without blank ends with it.
std::string with_trigger(const std::string& text, const std::string& word);

// Rows of the class, in drawn order. A lower rate takes the first of a higher rate's rows. Throws Error(Usage) for a
// class that is not there, and for a rate that makes no row or more rows than the class has.
std::vector<int64_t> draw_trigger_rows(const TriggerOptions& options, const Dataset& train,
                                       std::span<const std::string> classes);

}  // namespace normscope
