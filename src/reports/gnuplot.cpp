// Runs gnuplot on scratch files that no name leads to, so no file is left wherever it ends.
#include "reports/gnuplot.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <memory>

#include "core/error.h"
#include "core/text.h"

extern char** environ;

namespace normscope {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using ScratchFile = std::unique_ptr<std::FILE, CloseFile>;

ScratchFile scratch_file() {
  ScratchFile file(std::tmpfile());
  require(file != nullptr, ErrorKind::Run, "figures: no scratch file can be made in the temporary folder");
  return file;
}

std::string all_of(std::FILE* file) {
  std::string bytes;
  std::rewind(file);
  char buffer[1 << 16];
  for (size_t count; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;) bytes.append(buffer, count);
  return bytes;
}

// The same figure is the same file: cairo's date of writing gives way to one of the same length.
void drop_date(std::string& pdf) {
  constexpr std::string_view kDate = "/CreationDate (D:", kNone = "19700101000000Z)";
  const size_t at = pdf.find(kDate);
  if (at != std::string::npos && at + kDate.size() + kNone.size() <= pdf.size())
    pdf.replace(at + kDate.size(), kNone.size(), kNone);
}

std::string terminal(const Figure& figure, Drawing format) {
  const auto size = [&](double scale) {
    return " size " + format_number(figure.width * scale) + "," + format_number(figure.height * scale);
  };
  switch (format) {
    case Drawing::Svg:
      // `dynamic` leaves the width to the page; the fonts are those that a reader's system has.
      return "set terminal svg noenhanced dynamic font 'Helvetica,13' background '#ffffff'" + size(1);
    case Drawing::Pdf:
      return "set terminal pdfcairo noenhanced font 'Helvetica,11' size " + format_number(figure.width / 100.0) +
             "in," + format_number(figure.height / 100.0) + "in";
    case Drawing::Png:
      return "set terminal pngcairo noenhanced font 'Helvetica,13' fontscale 1.7 linewidth 2 pointscale 2" + size(2);
  }
  return "";
}

std::string script(const Figure& figure, Drawing format) {
  std::string text =
      "set encoding utf8\n" + terminal(figure, format) +
      "\n"
      "set datafile missing '?'\n"
      "set border 3 lc '#888888'\n"
      "set tics nomirror scale 0.5 textcolor '#333333'\n"
      "set grid y lc '#e2e2e2' lt 1 lw 1\n"
      "set key below center horizontal Left reverse samplen 1.8 spacing 1.2 width -1 textcolor '#222222'\n"
      "set xlabel textcolor '#333333' offset 0,0.4\nset ylabel textcolor '#333333' offset 0.6,0\n"
      "$data << EOD\n";
  for (const auto& row : figure.rows) {
    for (const double value : row) text += (std::isfinite(value) ? format_number(value) : "?") + " ";
    text += "\n";
  }
  return text + "EOD\n" + figure.commands;
}

}  // namespace

std::string quote_gnuplot(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + "'";
}

std::optional<std::string> draw(const Figure& figure, Drawing format, const std::string& program) {
  const auto input = scratch_file(), output = scratch_file(), errors = scratch_file();
  const std::string text = script(figure, format);
  require(std::fwrite(text.data(), 1, text.size(), input.get()) == text.size() && std::fflush(input.get()) == 0,
          ErrorKind::Run, "figures: the temporary folder is full");
  std::rewind(input.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(input.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(output.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), STDERR_FILENO);
  std::string name = program;
  char* arguments[] = {name.data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT || failure == EACCES) return std::nullopt;
  require(failure == 0, ErrorKind::Run, "figures: ", program, " cannot be started");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string picture = all_of(output.get());
  require(WIFEXITED(status) && WEXITSTATUS(status) == 0 && !picture.empty(), ErrorKind::Run, "figure ", figure.name,
          ": ", program, " failed: ", all_of(errors.get()));
  if (format == Drawing::Pdf) drop_date(picture);
  return picture;
}

std::string figure_csv(const Figure& figure) {
  std::string csv;
  // A list of layers ("0-3,7 removed") holds a comma.
  for (const auto& column : figure.columns)
    csv += (csv.empty() ? "" : ",") + (column.find(',') == std::string::npos ? column : '"' + column + '"');
  csv += "\n";
  for (const auto& row : figure.rows) {
    std::vector<std::string> cells;
    for (const double value : row) cells.push_back(format_number(value));
    csv += join(cells, ",") + "\n";
  }
  return csv;
}

}  // namespace normscope
