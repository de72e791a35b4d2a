# SPDX-License-Identifier: MIT
if(GPUHISTO_SANITIZE)
  add_compile_options(-fsanitize=${GPUHISTO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g)
  add_link_options(-fsanitize=${GPUHISTO_SANITIZE})
endif()
