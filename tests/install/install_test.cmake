# SPDX-License-Identifier: MIT
# Installs the build tree into a folder of its own, looks for what must be there, runs the program from there, and builds
# and runs the consumer against it: by CMake, then by pkg-config.
# Needs BUILD, SOURCE, WORK, CXX; LIBDIR and DOCDIR as installed, FLAGS and LAUNCHER of the compiler, MODULES by name.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
set(prefix "${WORK}/a prefix")

# must(VARIABLE COMMAND...): its standard output; a failure ends the test.
function(must variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${code}\n${out}${err}")
  endif()
  set(${variable} "${out}" PARENT_SCOPE)
endfunction()

function(expect what got wanted)
  if(NOT got STREQUAL wanted)
    message(FATAL_ERROR "${what}: got\n${got}\nwanted\n${wanted}")
  endif()
endfunction()

must(ignored ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB headers RELATIVE ${SOURCE}/lib/include ${SOURCE}/lib/include/gpuhisto/*.hpp)
list(TRANSFORM headers PREPEND include/)
list(TRANSFORM MODULES REPLACE "(.+)" "lib/gpuhisto/\\1.so" OUTPUT_VARIABLE modules)
foreach(file bin/gpuhisto ${LIBDIR}/libgpuhisto.a ${LIBDIR}/pkgconfig/gpuhisto.pc ${DOCDIR}/LICENSE ${DOCDIR}/README.md
        ${DOCDIR}/docs/output.md ${LIBDIR}/cmake/gpuhisto/gpuhistoConfig.cmake share/man/man1/gpuhisto.1
        share/bash-completion/completions/gpuhisto share/zsh/vendor-completions/_gpuhisto
        share/fish/vendor_completions.d/gpuhisto.fish ${headers} ${modules})
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

# The program finds its modules from where it was put, by whatever name it is called, and after its folder has moved.
list(SORT MODULES)
list(JOIN MODULES " " named)
function(expect_modules program)
  must(version ${program} --version)
  string(REGEX MATCH "modules:[^\n]*" found ${version})
  expect("modules of ${program}" "${found}" "modules: ${named}")
endfunction()
expect_modules(${prefix}/bin/gpuhisto)
file(CREATE_LINK ${prefix}/bin/gpuhisto ${WORK}/link SYMBOLIC)
expect_modules(${WORK}/link)
file(RENAME ${prefix} "${WORK}/another prefix")
set(prefix "${WORK}/another prefix")
expect_modules(${prefix}/bin/gpuhisto)
if("gpuhisto_draw" IN_LIST MODULES)
  must(ignored ${prefix}/bin/gpuhisto plot ${SOURCE}/data/rose.ppm -o ${WORK}/plot.png)
endif()

set(wanted "pixels 4, of value 20: 2, mean 75\npnm, green 128: 1\nmodules: ${named}\n")
must(ignored ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/install/consumer -B ${WORK}/consumer
     -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
     -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
must(ignored ${CMAKE_COMMAND} --build ${WORK}/consumer)
must(printed ${WORK}/consumer/consumer)
expect("the consumer built by CMake" "${printed}" "${wanted}")

find_program(pkg_config pkg-config)
if(pkg_config)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  must(flags ${pkg_config} --static --cflags --libs gpuhisto)
  must(folder ${pkg_config} --variable=moduledir gpuhisto)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  separate_arguments(own UNIX_COMMAND "${FLAGS}")
  string(STRIP "${folder}" folder)
  string(REPLACE "\\ " " " folder "${folder}")  # pkg-config escapes the space
  must(ignored ${CXX} -std=c++20 ${own} "-DMODULE_DIR=\"${folder}\"" ${SOURCE}/tests/install/consumer/main.cpp
       -o ${WORK}/by_pkg_config ${flags})
  must(printed ${WORK}/by_pkg_config)
  expect("the consumer built by pkg-config" "${printed}" "${wanted}")
endif()
file(REMOVE_RECURSE ${WORK})
