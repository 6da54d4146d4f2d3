// tokenizer.json bytes: a tokenizer or an Error; what loads also encodes and decodes any text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "tokenizers/tokenizer.h"

namespace {

constexpr std::string_view kTexts[] = {
    "",
    "Hello,  world!\r\n it's 1234 [MASK] <mask>",
    "Cafe\xcc\x81 \xe4\xb8\xad\xe6\x96\x87 \xc4\xb0\xef\xac\x81 "
    "\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd\xc2\x85\xe3\x80\x80",
    "\xff wrong \xe4\xb8",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaa",
};

void expect(bool ok) {
  if (!ok) std::abort();
}

void use(const normscope::Tokenizer& tokenizer, std::string_view text) {
  const normscope::Encoding encoding = tokenizer.encode(text);
  expect(encoding.ids.size() == encoding.tokens.size() && encoding.ids.size() == encoding.offsets.size());
  for (const auto& [begin, end] : encoding.offsets)
    expect(begin >= 0 && begin <= end && end <= static_cast<int64_t>(text.size()));
  expect(tokenizer.encode_ids(text, SIZE_MAX) == encoding.ids);
  tokenizer.decode(encoding.ids);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::shared_ptr<const normscope::Tokenizer> tokenizer;
  try {
    tokenizer = normscope::parse_tokenizer({reinterpret_cast<const char*>(bytes), size}, "input");
  } catch (const normscope::Error&) {
    return 0;
  }
  for (const std::string_view text : kTexts) {
    try {
      use(*tokenizer, text);
    } catch (const normscope::Error&) {  // a pattern that costs too much
    }
  }
  return 0;
}
