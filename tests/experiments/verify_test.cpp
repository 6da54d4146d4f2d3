// Every fixture against the reference, every architecture with a fixture, and checks that can fail.
#include "experiments/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "checkpoints/safetensors.h"
#include "core/error.h"
#include "core/file.h"

namespace normscope {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> fixture_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(NORMSCOPE_FIXTURES) / "models")) {
    const auto config = nlohmann::json::parse(read_file(entry.path() / "config.json", ErrorKind::Checkpoint));
    const auto known = architectures();
    if (std::ranges::any_of(known, [&](const Architecture& a) { return config.at("model_type") == a.model_type; }))
      names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

fs::path fixture(const std::string& name) { return fs::path(NORMSCOPE_FIXTURES) / "models" / name; }

class Fixture : public testing::TestWithParam<std::string> {};

std::string failures(const VerifyResult& result) {
  std::string text;
  for (const auto& group : result.groups)
    if (!group.passed) text += group.name + " " + group.worst + " " + std::to_string(group.max_relative_error) + "\n";
  return text;
}

TEST_P(Fixture, EqualsTheReferenceInFloat64) {
  const auto result = verify_fixture(fixture(GetParam()), torch::kFloat64, 1e-6);
  EXPECT_TRUE(result.passed) << failures(result);
  std::set<std::string> groups;
  for (const auto& group : result.groups) groups.insert(group.name);
  for (const auto* expected : {"logits", "loss", "param_grad", "norm_input", "norm_input_grad", "removed_all",
                               "removed_early", "removed_middle", "removed_later", "adamw_curve"})
    EXPECT_TRUE(groups.contains(expected)) << expected;
}

// The reference ran its rows padded to one length; single numbers are stored in full: packed rows agree to the digits
// that float64 has.
TEST_P(Fixture, PackedEqualsThePaddedReferenceToTenDigits) {
  const auto result = verify_fixture(fixture(GetParam()), torch::kFloat64, 1e-10);
  for (const auto* name : {"loss", "adamw_curve"}) {
    const auto group = std::ranges::find(result.groups, name, &VerifyGroup::name);
    ASSERT_NE(group, result.groups.end()) << name;
    EXPECT_TRUE(group->passed) << name << " " << group->max_relative_error;
  }
}

TEST_P(Fixture, EqualsTheReferenceInFloat32) {
  const auto result = verify_fixture(fixture(GetParam()), torch::kFloat32, 1e-4);
  EXPECT_TRUE(result.passed) << failures(result);
}

INSTANTIATE_TEST_SUITE_P(Models, Fixture, testing::ValuesIn(fixture_names()),
                         [](const auto& info) { return info.param; });

TEST(Contracts, EveryArchitectureHasAFixture) {
  std::set<std::string> covered;
  for (const auto& name : fixture_names())
    covered.insert(
        nlohmann::json::parse(read_file(fixture(name) / "config.json", ErrorKind::Checkpoint)).at("model_type"));
  for (const auto& row : architectures()) EXPECT_TRUE(covered.contains(std::string(row.model_type))) << row.model_type;
}

// A check that cannot fail shows nothing: one weight moved by a thousandth must be seen.
TEST(Verify, SeesAChangedWeight) {
  const auto folder = fs::path(testing::TempDir()) / "normscope_verify_changed";
  fs::remove_all(folder);
  fs::copy(fixture("bert"), folder);
  std::string bytes = read_file(folder / "model.safetensors", ErrorKind::Checkpoint);
  std::map<std::string, std::string> metadata;
  std::vector<std::pair<std::string, TensorView>> tensors;
  std::string changed;
  for (const auto& [name, view] : parse_safetensors(bytes, &metadata)) {
    tensors.emplace_back(name, view);
    if (name != "bert.encoder.layer.1.output.dense.weight") continue;
    changed = view.bytes;
    reinterpret_cast<float*>(changed.data())[5] += 1e-3f;
    tensors.back().second.bytes = changed;
  }
  write_safetensors(folder / "model.safetensors", tensors, metadata);
  EXPECT_FALSE(verify_fixture(folder, torch::kFloat64, 1e-6).passed);
}

TEST(Verify, RefusesWhatIsNoFixture) {
  EXPECT_THROW(verify_fixture(fs::path(NORMSCOPE_FIXTURES) / "no_such", torch::kFloat64, 1e-6), Error);
}

}  // namespace
}  // namespace normscope
