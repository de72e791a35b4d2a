// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Text for a renderer that puts one glyph behind the other: letters neither join, nor turn, nor carry marks.
#pragma once

#include <vector>

namespace gpuhisto::plot {

/// Puts letters and the accents behind them together, as far as Latin, Greek and Cyrillic have them as one character:
/// file names from macOS have them apart.
std::vector<char32_t> compose(const std::vector<char32_t>& characters);

/// Whether a glyph alone does not make it legible: marks that compose() left, and scripts that run from right to left,
/// join their letters or lay them above each other.
bool needs_shaping(char32_t character);

}  // namespace gpuhisto::plot
