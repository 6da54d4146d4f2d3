// The one exception that a user, a file or a recipe can cause; a bug of ours is an assert.
#pragma once
#include <sstream>
#include <stdexcept>
#include <string>

namespace normscope {

// The value is the program's exit code.
enum class ErrorKind { Run = 1, Usage = 2, Data = 3, Checkpoint = 4 };

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// Throws Error unless `ok`. The message names the thing, what was expected, what came and where.
template <typename... Parts>
void require(bool ok, ErrorKind kind, const Parts&... message) {
  if (ok) return;
  std::ostringstream text;
  (text << ... << message);
  throw Error(kind, text.str());
}

}  // namespace normscope
