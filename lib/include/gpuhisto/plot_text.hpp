// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

namespace gpuhisto {

/// Whether the built-in font of render_raster() has every character of a UTF-8 text, and can write it one behind the
/// other: not so scripts whose letters join or run from right to left. For each run of the others "…" is drawn. Throws
/// as render_raster().
bool raster_has_glyphs(const std::string& text);

}  // namespace gpuhisto
