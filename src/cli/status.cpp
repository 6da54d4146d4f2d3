// normscope status
#include <cstdio>
#include <iostream>

#include "cli/commands.h"
#include "cli/progress_display.h"
#include "storage/claims.h"
#include "storage/export.h"

namespace normscope {

std::function<int()> add_status(CLI::App& app) {
  struct Arguments {
    std::string folder;
    bool json = false;
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("folder", a->folder, "The study's output folder")->required();
  app.add_flag("--json", a->json, "One JSON document");
  return [a] {
    const auto store = RunStore::open_read_only(std::filesystem::path(a->folder) / "normscope.db");
    const auto status = status_json(store);
    if (a->json) {
      std::cout << status.dump(2) << '\n';
      return 0;
    }
    size_t width = 3;
    for (const auto& run : store.runs()) width = std::max(width, run.id.size());
    for (const auto& run : store.runs()) {
      std::printf("%-*s  %-8s %4lld/%lld%s%s\n", static_cast<int>(width), run.id.c_str(),
                  to_text(state_now(store, run)), static_cast<long long>(run.epoch), static_cast<long long>(run.epochs),
                  run.error.empty() ? "" : "  ", run.error.c_str());
    }
    std::cout << status.at("done") << " of " << status.at("total") << " done";
    if (const auto& eta = status.at("eta_seconds"); eta.is_number() && eta > 0)
      std::cout << ", about " << duration_text(eta) << " left";
    std::cout << '\n';
    return 0;
  };
}

}  // namespace normscope
