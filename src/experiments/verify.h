// A model against a fixture of reference values (layout of tests/fixtures/models/<name>).
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "models/model.h"

namespace normscope {

struct VerifyGroup {
  std::string name;  // logits, loss, param_grad, norm_input, norm_input_grad, removed_*, paper_head, adamw_curve
  int64_t tensors = 0;
  double max_relative_error = 0;
  std::string worst;  // the tensor with the largest error
  bool passed = false;
};

struct VerifyResult {
  std::string fixture;
  torch::ScalarType dtype = torch::kFloat64;
  double tolerance = 0;
  std::vector<VerifyGroup> groups;
  bool passed = false;
};

// Error of a tensor: largest |difference| over max(largest |expected| of it, 1e-3 x largest |expected| of its group).
// Padding positions are not compared. Throws Error(Checkpoint) when the folder is not a fixture.
VerifyResult verify_fixture(const std::filesystem::path& folder, torch::ScalarType dtype, double tolerance);

}  // namespace normscope
