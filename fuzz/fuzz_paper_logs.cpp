// Fuzzes the reader of the authors' logs: whatever it accepts can be asked for its selections.
#include <cstdint>
#include <cstdlib>

#include "core/error.h"
#include "reports/paper_logs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace normscope;
  try {
    const auto logs = parse_paper_logs({reinterpret_cast<const char*>(bytes), size});
    for (const auto& unit : logs.units)
      for (const auto& selection : unit.selections())
        for (const auto* run : unit.with(selection))
          if (static_cast<int64_t>(run->view.epochs.size()) != run->view.run.epochs) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
