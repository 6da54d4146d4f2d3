// The program's commands, one file each; main.cpp holds their table.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>

namespace normscope {

// Adds its options to `app` and returns what runs the command and gives the exit code.
using AddCommand = std::function<int()> (*)(CLI::App& app);

std::function<int()> add_run(CLI::App& app);
std::function<int()> add_status(CLI::App& app);
std::function<int()> add_report(CLI::App& app);
std::function<int()> add_export(CLI::App& app);
std::function<int()> add_inspect(CLI::App& app);
std::function<int()> add_evaluate(CLI::App& app);
std::function<int()> add_predict(CLI::App& app);
std::function<int()> add_noise(CLI::App& app);
std::function<int()> add_measure(CLI::App& app);
std::function<int()> add_audit(CLI::App& app);
std::function<int()> add_tokenize(CLI::App& app);
std::function<int()> add_preprocess(CLI::App& app);
std::function<int()> add_verify(CLI::App& app);
std::function<int()> add_bench(CLI::App& app);
std::function<int()> add_list(CLI::App& app);

}  // namespace normscope
