// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "font_data.hpp"

// The assembler copies the files: no generated source, nothing to parse.
// clang-format off
#define GPUHISTO_EMBED(symbol, file) \
  __asm__(".pushsection .rodata\n.balign 16\n.hidden " symbol "\n.global " symbol "\n" symbol ":\n" \
          ".incbin \"" file "\"\n.popsection\n")
// clang-format on

GPUHISTO_EMBED("gpuhisto_font_regular", GPUHISTO_FONT);
GPUHISTO_EMBED("gpuhisto_font_bold", GPUHISTO_FONT_BOLD);
