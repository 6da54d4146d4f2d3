# add_layer(NAME USES <lower layers> LIBS <libraries> [TORCH])
# One static library a folder of src/. USES is the complete list of layers it may include;
# tests/layers_test.cmake checks the #include lines against the same list.
set_property(GLOBAL PROPERTY NORMSCOPE_LAYERS "")
set_property(GLOBAL PROPERTY NORMSCOPE_TORCH_LAYERS "")

function(add_layer name)
  cmake_parse_arguments(ARG "TORCH" "" "USES;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC ${ARG_USES} ${ARG_LIBS} PRIVATE build_options)
  if(ARG_TORCH)
    use_torch(${name})
    set_property(GLOBAL APPEND PROPERTY NORMSCOPE_TORCH_LAYERS ${name})
  endif()
  string(REPLACE ";" "," uses "${ARG_USES}")
  set_property(GLOBAL APPEND PROPERTY NORMSCOPE_LAYERS "${name}:${uses}")
endfunction()

# Compiles a target against LibTorch with the one precompiled header that all torch layers share.
function(use_torch target)
  target_link_libraries(${target} PUBLIC libtorch)
  target_precompile_headers(${target} REUSE_FROM torch_pch)
endfunction()
