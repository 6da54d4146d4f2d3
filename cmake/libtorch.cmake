# Finds LibTorch and defines the target `libtorch`; needs no CUDA toolkit.
# Order: CMAKE_PREFIX_PATH, NORMSCOPE_LIBTORCH, an importable Python torch, the cache of scripts/get-libtorch.
set(NORMSCOPE_LIBTORCH "" CACHE PATH "Folder with LibTorch's include/ and lib/")

function(find_libtorch result)
  string(REPLACE ":" ";" environment_prefixes "$ENV{CMAKE_PREFIX_PATH}")
  set(places ${CMAKE_PREFIX_PATH} ${environment_prefixes} ${NORMSCOPE_LIBTORCH})
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(Python3_FOUND AND NOT NORMSCOPE_LIBTORCH)
    execute_process(
      COMMAND ${Python3_EXECUTABLE} -c
              "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
      OUTPUT_VARIABLE python_torch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    list(APPEND places ${python_torch})
  endif()
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/get-libtorch --where
                  OUTPUT_VARIABLE cached OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  list(APPEND places ${cached})
  foreach(place ${places})
    if(EXISTS ${place}/lib/libtorch_cpu.so AND EXISTS ${place}/include/ATen/ATen.h)
      set(version_header ${place}/include/torch/headeronly/version.h)
      if(NOT EXISTS ${version_header})
        set(version_header ${place}/include/torch/csrc/api/include/torch/version.h)
      endif()
      set(version "")
      foreach(part MAJOR MINOR PATCH)
        file(STRINGS ${version_header} line REGEX "#define TORCH_VERSION_${part} ")
        string(REGEX REPLACE ".* ([0-9]+).*" "\\1" number "${line}")
        list(APPEND version ${number})
      endforeach()
      list(JOIN version "." version)
      if(version VERSION_GREATER_EQUAL 2.11)
        message(STATUS "LibTorch ${version}: ${place}")
        set(${result} ${place} PARENT_SCOPE)
        return()
      endif()
      message(STATUS "LibTorch ${version} in ${place} is older than 2.11, passed over")
    endif()
  endforeach()
  message(FATAL_ERROR "No LibTorch >= 2.11 found. Run scripts/get-libtorch, or set CMAKE_PREFIX_PATH "
                      "to the folder that holds its include/ and lib/.")
endfunction()

find_libtorch(LIBTORCH_DIR)
add_library(libtorch INTERFACE)
target_include_directories(libtorch SYSTEM INTERFACE
  ${LIBTORCH_DIR}/include ${LIBTORCH_DIR}/include/torch/csrc/api/include)
# at::parallel_for is a template: it needs OpenMP at compile time, and LibTorch's own runtime at link time
# (a second one would mean a second thread pool).
target_compile_options(libtorch INTERFACE -fopenmp)
file(GLOB gomp ${LIBTORCH_DIR}/lib/libgomp*.so*)
set(libraries ${LIBTORCH_DIR}/lib/libtorch_cpu.so ${LIBTORCH_DIR}/lib/libc10.so)
if(EXISTS ${LIBTORCH_DIR}/lib/libtorch_cuda.so)
  # Nothing refers to a symbol in it; it registers its kernels when it is loaded.
  list(APPEND libraries -Wl,--no-as-needed ${LIBTORCH_DIR}/lib/libtorch_cuda.so
       ${LIBTORCH_DIR}/lib/libc10_cuda.so)
endif()
target_link_libraries(libtorch INTERFACE ${libraries} ${gomp})
target_link_options(libtorch INTERFACE -Wl,-rpath,${LIBTORCH_DIR}/lib -Wl,--disable-new-dtags
                    -Wl,--allow-shlib-undefined)
