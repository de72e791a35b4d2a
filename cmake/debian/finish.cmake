# SPDX-License-Identifier: MIT
# CPack runs this when the components are laid out and before it packs them: what Debian's policy asks of every package.
# Each gets its copyright, changelog and lintian's overrides; manual pages are compressed, binaries stripped.

# compress(FILE): the same bytes whenever and wherever.
function(compress file)
  execute_process(COMMAND gzip -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# strip(FILES FLAGS...)
function(strip files)
  if(files)
    execute_process(COMMAND strip --remove-section=.comment ${ARGN} ${files} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()

# write_copyright(FILE OWN PACKAGES...): the project's, what OWN adds where there is such a file, and that of every package
# whose code is compiled in.
function(write_copyright file own)
  file(READ ${CPACK_RESOURCE_FILE_LICENSE} text)
  string(PREPEND text "gpuhisto\n\n")
  if(EXISTS ${own})
    file(READ ${own} more)
    string(APPEND text "\n${more}")
  endif()
  foreach(package ${ARGN})
    set(theirs /usr/share/doc/${package}/copyright)
    if(NOT EXISTS ${theirs})
      message(FATAL_ERROR "${theirs} is not there: code of ${package} is compiled in, and its licence must go along")
    endif()
    file(READ ${theirs} licence)
    string(APPEND text "\n\nIt contains code of the Debian package ${package}, whose copyright file says:\n\n${licence}")
  endforeach()
  file(WRITE ${file} "${text}")
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} name)
  set(package ${CPACK_DEBIAN_${name}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  set(doc ${root}/share/doc/${package})
  # The place of licences is the copyright file.
  file(REMOVE ${root}/share/doc/gpuhisto/LICENSE)
  if(component STREQUAL "draw")
    file(REMOVE_RECURSE ${root}/share/doc/gpuhisto)
  endif()
  write_copyright(${doc}/copyright ${CPACK_GPUHISTO_DEBIAN}/${package}.copyright ${CPACK_GPUHISTO_${name}_CONTAINS})
  file(COPY ${CPACK_GPUHISTO_CHANGELOG} DESTINATION ${doc})
  compress(${doc}/changelog)
  file(GLOB manual_pages ${root}/share/man/man*/*.[1-9])
  foreach(page ${manual_pages})
    compress(${page})
  endforeach()
  file(GLOB binaries ${root}/bin/* ${root}/lib/gpuhisto/*.so)
  strip("${binaries}" --strip-unneeded)
  file(GLOB_RECURSE archives ${root}/lib/*.a)
  strip("${archives}" --strip-debug --enable-deterministic-archives)
  if(EXISTS ${CPACK_GPUHISTO_DEBIAN}/${package}.lintian-overrides)
    file(MAKE_DIRECTORY ${root}/share/lintian/overrides)
    file(COPY_FILE ${CPACK_GPUHISTO_DEBIAN}/${package}.lintian-overrides ${root}/share/lintian/overrides/${package})
  endif()
  # Whatever the umask.
  execute_process(COMMAND chmod -R u=rwX,go=rX ${root} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
