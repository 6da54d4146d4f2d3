// The table of preparations: what is done to the rows of the study's data sets before they are split.
// Source: study.md 2.1.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "data/source_rows.h"

namespace normscope {

struct PreparationInput {
  SourceRows train, validation, test;
  int64_t split_seed = 0;
  std::vector<std::string> notes = {};
};

struct Preparation {
  std::string name;
  std::string summary;
  std::string text_column, label_column;  // stand in for DataOptions' defaults; "" = those
  double validation_fraction;             // of train, when there is no validation file and none is asked for
  // Changes the rows in place and returns the class order; empty = as order_classes decides.
  std::vector<std::string> (*prepare)(PreparationInput& input);
  bool makes_validation = false, makes_test = false;  // `prepare` moves rows of train there
  // Labels that pictures' names tell, in every file read; `column` is DataOptions' label_column. Null: none.
  void (*label_rows)(SourceRows& file, const std::string& column) = nullptr;
};

std::span<const Preparation> preparations();

// Throws Error(Usage) with the known names and the nearest.
const Preparation& find_preparation(const std::string& name);

// Rows of the table whose files are pictures, in image_preparations.cpp.
std::vector<std::string> prepare_cifar10(PreparationInput& input);
std::vector<std::string> prepare_cifar100(PreparationInput& input);
std::vector<std::string> prepare_utkface(PreparationInput& input);
std::vector<std::string> prepare_nico(PreparationInput& input);
void label_utkface(SourceRows& file, const std::string& column);

}  // namespace normscope
