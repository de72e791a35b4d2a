# SPDX-License-Identifier: MIT
# gpuhisto_find_opencv(TARGET PARTS...): an interface target for some of OpenCV's libraries, defined when all are there.
# The parts are looked for one by one, because OpenCV's own package asks for every library it was built with.
function(gpuhisto_find_opencv target)
  find_path(GPUHISTO_OPENCV_INCLUDE opencv2/core.hpp PATH_SUFFIXES opencv4 opencv5)
  set(libraries)
  foreach(part ${ARGN})
    find_library(GPUHISTO_OPENCV_${part} opencv_${part})
    if(NOT GPUHISTO_OPENCV_${part} OR NOT EXISTS ${GPUHISTO_OPENCV_INCLUDE}/opencv2/${part}.hpp)
      return()
    endif()
    list(APPEND libraries ${GPUHISTO_OPENCV_${part}})
  endforeach()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${GPUHISTO_OPENCV_INCLUDE})
  target_link_libraries(${target} INTERFACE ${libraries})
endfunction()
