// normscope verify
#include "experiments/verify.h"

#include <cstdio>
#include <iostream>

#include "cli/commands.h"

namespace normscope {

std::function<int()> add_verify(CLI::App& app) {
  struct Arguments {
    std::string folder, dtype = "float64";
    double tolerance = 0;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("folder", a->folder, "Fixture: config.json, model, inputs and expected .safetensors")->required();
  app.add_option("--dtype", a->dtype, "float64 or float32")->check(CLI::IsMember({"float64", "float32"}));
  app.add_option("--tolerance", a->tolerance, "Largest relative error (default: 1e-6, 1e-4 in float32)")
      ->check(CLI::PositiveNumber);
  app.add_flag("--json", a->json, "One JSON document");
  return [a] {
    const bool is_double = a->dtype == "float64";
    const double tolerance = a->tolerance > 0 ? a->tolerance : is_double ? 1e-6 : 1e-4;
    const auto result =
        verify_fixture(std::filesystem::path(a->folder), is_double ? torch::kFloat64 : torch::kFloat32, tolerance);
    if (a->json) {
      nlohmann::ordered_json out = {{"fixture", result.fixture},
                                    {"dtype", a->dtype},
                                    {"tolerance", tolerance},
                                    {"groups", nlohmann::json::array()}};
      for (const auto& group : result.groups)
        out["groups"].push_back({{"name", group.name},
                                 {"tensors", group.tensors},
                                 {"max_relative_error", group.max_relative_error},
                                 {"worst", group.worst},
                                 {"passed", group.passed}});
      out["passed"] = result.passed;
      std::cout << out.dump(2) << '\n';
    } else {
      std::printf("%-18s %7s  %-10s %s\n", result.fixture.c_str(), "tensors", "error", a->dtype.c_str());
      for (const auto& group : result.groups)
        std::printf("%-18s %7lld  %-10.2e %s%s\n", group.name.c_str(), static_cast<long long>(group.tensors),
                    group.max_relative_error,
                    group.passed ? "passed" : "FAILED: ", group.passed ? "" : group.worst.c_str());
    }
    return result.passed ? 0 : 1;
  };
}

}  // namespace normscope
