# SPDX-License-Identifier: MIT
# What the compiler and the linker can do against a fault that a hostile file might use. Not in debug builds, which the
# checks of glibc do not fit, and not beside a sanitizer, which finds more. docs/reliability.md says what each is for.
option(GPUHISTO_HARDENING "Harden optimised builds" ON)
if(NOT GPUHISTO_HARDENING OR GPUHISTO_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(GPUHISTO_HARDENED OFF)
  return()
endif()
set(GPUHISTO_HARDENED ON)
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)
include(CheckPIESupported)
check_pie_supported()

# Level 3 also knows sizes that are known only when the program runs; older compilers and C libraries have level 2.
set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_cxx_source_compiles("#include <string.h>
  #if __USE_FORTIFY_LEVEL < 3
  #error
  #endif
  int main() {}" GPUHISTO_HAS_FORTIFY_3)
unset(CMAKE_REQUIRED_FLAGS)
set(fortify_level $<IF:$<BOOL:${GPUHISTO_HAS_FORTIFY_3}>,3,2>)

set(hardening -fstack-protector-strong -fstack-clash-protection)
foreach(flag -fcf-protection -mbranch-protection=standard)  # x86 has the one, 64-bit ARM the other
  string(MAKE_C_IDENTIFIER "GPUHISTO_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    list(APPEND hardening ${flag})
  endif()
endforeach()
# nvcc hands them to the host's compiler. Of HIP's sources the host's part is little, and none of it reads files.
list(APPEND hardening -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify_level})
foreach(flag ${hardening})
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:${flag}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>)
endforeach()
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
