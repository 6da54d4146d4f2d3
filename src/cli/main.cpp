// The program: the table of commands, the only catch, the only exit codes.
#include <iostream>

#include "cli/commands.h"
#include "core/error.h"
#include "experiments/failure.h"
#include "logging/log.h"

namespace {

using namespace normscope;

struct Row {
  const char* name;
  const char* summary;
  AddCommand add;
};

constexpr Row kCommands[] = {
    {"run", "Train the runs of a recipe, or go on where they were", add_run},
    {"status", "Show how far a study is", add_status},
    {"report", "Write a study's report: one HTML file, figures, tables", add_report},
    {"export", "Print a study's readings as CSV or JSON lines", add_export},
    {"inspect", "Show a checkpoint's architecture, norms and the study's policies", add_inspect},
    {"evaluate", "Measure a checkpoint on labelled rows", add_evaluate},
    {"predict", "Label rows with a checkpoint", add_predict},
    {"noise", "Draw wrong labels for a data set", add_noise},
    {"measure", "Measure gradients and inputs at every norm, and check the study's theorems", add_measure},
    {"audit", "Find wrong labels", add_audit},
    {"tokenize", "Tokenise lines of standard input", add_tokenize},
    {"preprocess", "Write the pixels that an image model gets", add_preprocess},
    {"verify", "Compare a model with a fixture of reference values", add_verify},
    {"bench", "Time training steps of a checkpoint against the machine's limit", add_bench},
    {"list", "List what is built in", add_list},
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Fine-tunes transformers on wrong labels with chosen norm parameters removed, and shows what the model\n"
      "learned, memorised and recovered.",
      "normscope");
  app.set_version_flag("--version", "normscope " NORMSCOPE_VERSION);
  app.require_subcommand(1);
  std::function<int()> chosen;
  for (const auto& row : kCommands) {
    auto* command = app.add_subcommand(row.name, row.summary);
    command->callback([&chosen, action = row.add(*command)] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_help = error.get_exit_code() == 0;
    app.exit(error, std::cout, std::cerr);
    return asked_for_help ? 0 : static_cast<int>(ErrorKind::Usage);
  }
  try {
    const int code = chosen();
    std::cout.flush();
    return std::cout ? code : static_cast<int>(ErrorKind::Run);
  } catch (const std::exception& failure) {
    const auto error = to_error(failure);
    log_error(error.what());
    return static_cast<int>(error.kind());
  }
}
