# SPDX-License-Identifier: MIT
# The one place for warnings: every target of the project links gpuhisto_warnings.
add_library(gpuhisto_warnings INTERFACE)
target_compile_options(gpuhisto_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wcast-align -Wundef -Wimplicit-fallthrough $<$<BOOL:${GPUHISTO_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(gpuhisto_warnings INTERFACE -Wno-restrict)  # GCC bug 105329: false alarms on std::string
endif()
