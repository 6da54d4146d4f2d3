// The page's style sheet and the few lines of script that sort its tables.
#pragma once

namespace normscope {

extern const char* const kPageStyle;
extern const char* const kPageScript;

}  // namespace normscope
