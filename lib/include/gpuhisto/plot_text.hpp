// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

namespace gpuhisto {

/// Whether the built-in font of render_raster() has every character of a UTF-8 text; for each run of those it lacks,
/// "…" is drawn. Throws as render_raster().
bool raster_has_glyphs(const std::string& text);

}  // namespace gpuhisto
