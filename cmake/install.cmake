# SPDX-License-Identifier: MIT
# What `cmake --install` puts down beside the program and its modules (each installs itself): the library with its headers,
# and what finds it, for CMake and for pkg-config.
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gpuhisto)
install(TARGETS gpuhisto EXPORT gpuhisto ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/lib/include/gpuhisto DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(EXPORT gpuhisto NAMESPACE gpuhisto:: FILE gpuhistoTargets.cmake DESTINATION ${package_folder})

set(module_folder lib/gpuhisto)  # from the prefix; the program looks for ../lib/gpuhisto
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/gpuhistoConfig.cmake.in ${PROJECT_BINARY_DIR}/gpuhistoConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS module_folder NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gpuhistoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gpuhistoConfig.cmake ${PROJECT_BINARY_DIR}/gpuhistoConfigVersion.cmake
        DESTINATION ${package_folder})

# The prefix is only known when installing, so the file finds it from where it lies itself; some distributions name the
# folders in full.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
  set(pc_prefix "\${pcfiledir}/${to_prefix}")
endif()
foreach(folder LIBDIR INCLUDEDIR)
  cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_${folder} BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE pc_${folder})
endforeach()
list(TRANSFORM CMAKE_DL_LIBS PREPEND -l OUTPUT_VARIABLE dl_flags)
configure_file(${CMAKE_CURRENT_LIST_DIR}/gpuhisto.pc.in ${PROJECT_BINARY_DIR}/gpuhisto.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gpuhisto.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        PATTERN CMakeLists.txt EXCLUDE PATTERN Doxyfile EXCLUDE)

# Where man and the shells look.
set(generated ${PROJECT_SOURCE_DIR}/app/generated)
install(FILES ${generated}/gpuhisto.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/gpuhisto.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gpuhisto)
install(FILES ${generated}/_gpuhisto DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${generated}/gpuhisto.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
