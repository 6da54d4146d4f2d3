# Warnings, sanitizers, compiler cache: what every target of the project is compiled with.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()

option(NORMSCOPE_WERROR "Treat warnings as errors" OFF)
set(NORMSCOPE_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")
option(NORMSCOPE_LIBFUZZER "Link fuzz targets with libFuzzer (clang)" OFF)

add_library(build_options INTERFACE)
target_compile_options(build_options INTERFACE -Wall -Wextra -Wpedantic -fno-math-errno)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(build_options INTERFACE -Wno-restrict)  # false alarms on std::string, GCC bug 105651
endif()
if(NORMSCOPE_WERROR)
  target_compile_options(build_options INTERFACE -Werror)
endif()
if(NORMSCOPE_SANITIZE)
  target_compile_options(build_options INTERFACE -fsanitize=${NORMSCOPE_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(build_options INTERFACE -fsanitize=${NORMSCOPE_SANITIZE})
endif()
if(NORMSCOPE_LIBFUZZER)
  # Coverage of the libraries too, or libFuzzer sees nothing of what its inputs reach.
  target_compile_options(build_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
