# SPDX-License-Identifier: MIT
# gpuhisto_tell_version(MODULE): what the program compares with its own version before it uses a module.
function(gpuhisto_tell_version module)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${module}_version.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT
    "extern \"C\" __attribute__((visibility(\"default\"))) const char* gpuhisto_module_version() { return \"${PROJECT_VERSION}\"; }\n")
  target_sources(${module} PRIVATE ${source})
endfunction()

# gpuhisto_make_module(TARGET): makes it a shared object that the program opens on first use from <bin>/../lib/gpuhisto. It
# exports only what its sources mark with visibility("default"), and its version. A module that needs large libraries, or
# a driver, is a component (and a package) of its own.
function(gpuhisto_make_module target)
  gpuhisto_tell_version(${target})
  set_target_properties(${target} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/gpuhisto)
  set(component program)
  if(target MATCHES "_(draw|cuda|hip)$")
    set(component ${CMAKE_MATCH_1})
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION lib/gpuhisto COMPONENT ${component})
  set_property(GLOBAL APPEND PROPERTY GPUHISTO_MODULES ${target})
  set_property(GLOBAL APPEND PROPERTY GPUHISTO_COMPONENTS ${component})
endfunction()
