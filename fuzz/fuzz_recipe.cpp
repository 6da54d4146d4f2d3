// Fuzzes the recipe parser: what it accepts must survive being written and read again.
#include <cstdint>
#include <cstdlib>

#include "recipe/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace normscope;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    const Recipe recipe = parse_recipe(text, "fuzz.toml");
    if (!(parse_recipe(to_toml(recipe), "fuzz.toml") == recipe)) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
