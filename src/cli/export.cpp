// normscope export
#include "storage/export.h"

#include <iostream>
#include <sstream>

#include "cli/commands.h"
#include "core/error.h"
#include "core/file.h"

namespace normscope {

std::function<int()> add_export(CLI::App& app) {
  struct Arguments {
    std::string folder, output;
    bool csv = false, jsonl = false;
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("folder", a->folder, "The study's output folder")->required();
  auto* csv = app.add_flag("--csv", a->csv, "One row a run and epoch");
  app.add_flag("--jsonl", a->jsonl, "One JSON object a run and epoch")->excludes(csv);
  app.add_option("--output", a->output, "File to write (default: standard output)");
  return [a] {
    require(a->csv || a->jsonl, ErrorKind::Usage, "export: expected --csv or --jsonl");
    const auto store = RunStore::open_read_only(std::filesystem::path(a->folder) / "normscope.db");
    const auto write = a->csv ? export_csv : export_jsonl;
    if (a->output.empty()) {
      write(store, std::cout);
      return 0;
    }
    std::ostringstream text;
    write(store, text);
    write_file_atomically(a->output, text.str());
    return 0;
  };
}

}  // namespace normscope
