// normscope export
#include "storage/export.h"

#include <iostream>
#include <sstream>

#include "cli/commands.h"
#include "core/error.h"
#include "core/file.h"
#include "storage/tensorboard.h"

namespace normscope {

std::function<int()> add_export(CLI::App& app) {
  struct Arguments {
    std::string folder, output, tensorboard;
    bool csv = false, jsonl = false;
  };
  auto a = std::make_shared<Arguments>();
  app.add_option("folder", a->folder, "The study's output folder")->required();
  auto* csv = app.add_flag("--csv", a->csv, "One row a run and epoch");
  auto* jsonl = app.add_flag("--jsonl", a->jsonl, "One JSON object a run and epoch")->excludes(csv);
  auto* output = app.add_option("--output", a->output, "File to write (default: standard output)");
  app.add_option("--tensorboard", a->tensorboard, "Folder for TensorBoard's event files, one a run")
      ->excludes(csv)
      ->excludes(jsonl)
      ->excludes(output);
  return [a] {
    require(a->csv || a->jsonl || !a->tensorboard.empty(), ErrorKind::Usage,
            "export: expected --csv, --jsonl or --tensorboard FOLDER");
    const auto store = RunStore::open_read_only(std::filesystem::path(a->folder) / "normscope.db");
    if (!a->tensorboard.empty()) {
      export_tensorboard(store, a->tensorboard);
      return 0;
    }
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
