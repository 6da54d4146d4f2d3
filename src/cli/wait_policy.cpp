// Keeps OpenMP's threads from burning cores while they wait: beside any other busy process, libgomp's default of
// spinning for milliseconds at every barrier slows a step a hundredfold. A user's own settings win.
#include <cstdlib>

namespace {

void limit_spinning(int, char**, char**) {
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) ::setenv("GOMP_SPINCOUNT", "10000", /*overwrite=*/0);
}

// Runs before the constructors of shared libraries, hence before libgomp reads its environment.
__attribute__((section(".preinit_array"), used)) void (*const kBeforeLibraries)(int, char**, char**) = limit_spinning;

}  // namespace
