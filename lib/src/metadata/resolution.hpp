// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <optional>

#include "gpuhisto/decoder.hpp"

namespace gpuhisto {

/// As JFIF's header has it.
struct JfifDensity {
  int unit = 0;  ///< 0: x : y is the shape of a pixel; 1: per inch; 2: per centimetre
  std::uint16_t x = 0, y = 0;
};

/// Whole pixels per metre.
struct PerMetre {
  std::uint32_t x = 0, y = 0;
};

/// Each is empty where the format's range does not hold it.
std::optional<JfifDensity> jfif_density(const Resolution& resolution);
std::optional<PerMetre> per_metre(const Resolution& resolution);
/// The shape of a pixel, of the unit kNone.
std::optional<PerMetre> pixel_shape(const Resolution& resolution);
bool can_write_resolution(Format format, const Resolution& resolution);

}  // namespace gpuhisto
