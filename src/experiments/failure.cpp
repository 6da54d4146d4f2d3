#include "experiments/failure.h"

#include <c10/util/Exception.h>

#include <new>
#include <string>

namespace normscope {
namespace {

constexpr const char* kOutOfMemory = "out of memory; a smaller batch_size or max_length may help";

bool is_about_memory(const std::string& text) {
  return text.find("allocate memory") != std::string::npos || text.find("out of memory") != std::string::npos;
}

}  // namespace

Error to_error(const std::exception& failure) {
  if (const auto* error = dynamic_cast<const Error*>(&failure)) return *error;
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return {ErrorKind::Run, kOutOfMemory};
  if (const auto* engine = dynamic_cast<const c10::Error*>(&failure)) {
    const std::string what = engine->what_without_backtrace();
    return {ErrorKind::Run, (is_about_memory(what) ? kOutOfMemory + std::string(": ") : "LibTorch: ") + what};
  }
  return {ErrorKind::Run, failure.what()};
}

}  // namespace normscope
