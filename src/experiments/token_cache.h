// Rows tokenised once for every process of a study.
#pragma once
#include <filesystem>
#include <functional>
#include <span>

#include "experiments/input_reader.h"

namespace normscope {

// The rows' ids, mapped from a file in `folder` that is named by the texts, the tokenizer's files and max_length; made
// by `tokenize` when it is not there.
TokenizedRows cached_tokens(const Dataset& rows, std::span<const std::filesystem::path> tokenizer_files,
                            int64_t max_length, const std::filesystem::path& folder,
                            const std::function<TokenizedRows()>& tokenize);

}  // namespace normscope
