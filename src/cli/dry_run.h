// normscope run --dry-run: what would be trained, for how long, with how much memory.
#pragma once
#include "recipe/recipe.h"

namespace normscope {

// Prints the runs even where nothing can be measured (data or checkpoint are elsewhere), and then says why on stderr.
// `folder` may hold a study: then it says what of it is done, and what a changed recipe would change. `jobs`: at once,
// 0 when nobody said. Returns the exit code.
int dry_run(const Recipe& recipe, const std::filesystem::path& folder, int64_t jobs);

// "912 MB", "1.4 GB".
std::string bytes_text(int64_t bytes);

}  // namespace normscope
