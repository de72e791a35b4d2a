# SPDX-License-Identifier: MIT
# Debian packages: `cpack` in the build folder, or ./dev package. A package is a component of what is installed;
# debian/finish.cmake adds what Debian asks for beyond that. docs/packages.md describes them to users.
set(folder ${CMAKE_CURRENT_LIST_DIR}/debian)
set(contact "The gpuhisto authors <noreply@gpuhisto.invalid>")
get_property(components GLOBAL PROPERTY GPUHISTO_COMPONENTS)
set(components program development ${components})
list(REMOVE_DUPLICATES components)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${contact}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${folder}/finish.cmake)
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SOURCE gpuhisto)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(same_version "(= ${PROJECT_VERSION})")  # a module works with the program of its own version

# CONTAINS names the Debian packages whose code is compiled in, so that their licences travel along.
set(codecs)
foreach(pair JPEG_LIBRARY_RELEASE:libjpeg62-turbo-dev PNG_LIBRARY_RELEASE:libpng-dev ZLIB_LIBRARY_RELEASE:zlib1g-dev)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 variable)
  if(${variable} MATCHES "\\.a$")
    list(GET pair 1 package)
    list(APPEND codecs ${package})
  endif()
endforeach()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gpuhisto)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gpuhisto-draw, gpuhisto-cuda, gpuhisto-hip")
set(CPACK_GPUHISTO_PROGRAM_CONTAINS libcli11-dev nlohmann-json3-dev libstb-dev ${codecs})
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"exact image histograms, statistics and equalization
gpuhisto counts the pixels of images into exact 256-bin histograms and does
what people need histograms for: statistics of one photo or of a data set of
millions, histogram equalization (also CLAHE), contrast stretching, matching
one photo's histogram to another's, finding similar photos, and plots.
.
It reads JPEG, PNG, TIFF, WebP, PNM, BMP, TGA, PSD and GIF and writes PNG,
JPEG, PNM, PAM and BMP. Counts are the same for any number of threads and on
any device; a damaged image is an error and never a silent result.
.
Plots are drawn in the terminal or as SVG; for PNG install gpuhisto-draw.
GPUs are used where gpuhisto-cuda (NVIDIA) or gpuhisto-hip (AMD) is installed.")

set(CPACK_DEBIAN_DRAW_PACKAGE_NAME gpuhisto-draw)
set(CPACK_DEBIAN_DRAW_PACKAGE_DEPENDS "gpuhisto ${same_version}")
set(CPACK_GPUHISTO_DRAW_CONTAINS libstb-dev fonts-dejavu-core)
set(CPACK_COMPONENT_DRAW_DESCRIPTION
"exact image histograms: plots as PNG
The module with which gpuhisto draws plots of histograms as PNG images, by
OpenCV. Its font is built in. Without it gpuhisto plots as SVG and in the
terminal.")

set(CPACK_DEBIAN_CUDA_PACKAGE_NAME gpuhisto-cuda)
set(CPACK_DEBIAN_CUDA_PACKAGE_SECTION non-free/graphics)
set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "gpuhisto ${same_version}")
set(CPACK_DEBIAN_CUDA_PACKAGE_SUGGESTS libcuda1)
set(CPACK_COMPONENT_CUDA_DESCRIPTION
"exact image histograms: counting on NVIDIA GPUs
The module with which gpuhisto counts and maps pixels on NVIDIA GPUs. It
contains NVIDIA's CUDA runtime and needs NVIDIA's driver.
.
`gpuhisto devices` tells whether it finds a GPU.")

set(CPACK_DEBIAN_HIP_PACKAGE_NAME gpuhisto-hip)
set(CPACK_DEBIAN_HIP_PACKAGE_DEPENDS "gpuhisto ${same_version}")
set(CPACK_DEBIAN_HIP_PACKAGE_RECOMMENDS "libamdhip64-5 | hip-runtime-amd")
set(CPACK_GPUHISTO_HIP_CONTAINS librocprim-dev)
set(CPACK_COMPONENT_HIP_DESCRIPTION
"exact image histograms: counting on AMD GPUs
The module with which gpuhisto counts and maps pixels on AMD GPUs. It needs
AMD's HIP runtime, of Debian or of ROCm.
.
`gpuhisto devices` tells whether it finds a GPU.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libgpuhisto-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libdeflate-dev, libjpeg-dev, libpng-dev, pkg-config, zlib1g-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "gpuhisto ${same_version}")
set(CPACK_GPUHISTO_DEVELOPMENT_CONTAINS nlohmann-json3-dev libstb-dev)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"exact image histograms: C++ library
The library under the program gpuhisto, for C++20: reading images row by row,
exact histograms and statistics of them, equalization and other maps of
pixels, plots and tables.
.
This package holds the static library, its headers and what finds them from
CMake (find_package(gpuhisto)) and pkg-config. TIFF, WebP, plots as PNG and
GPUs come through the modules of the packages gpuhisto, gpuhisto-draw,
gpuhisto-cuda and gpuhisto-hip, opened when first needed.")

configure_file(${folder}/changelog.in ${PROJECT_BINARY_DIR}/debian/changelog @ONLY)
set(CPACK_GPUHISTO_DEBIAN ${folder})
set(CPACK_GPUHISTO_CHANGELOG ${PROJECT_BINARY_DIR}/debian/changelog)
include(CPack)
