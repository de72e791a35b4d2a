// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What mapping must give, by plain formulas on the host.
#pragma once

#include <cstdint>
#include <vector>

#include "plugin.h"

namespace gpuhisto::report {

int scalar_y(const std::uint8_t* rgb);  ///< of the 14-bit YCrCb
/// One pixel of RGB with its Y replaced by `new_y`.
void replace_y(const std::uint8_t* rgb, int new_y, std::uint8_t* mapped);

/// CLAHE of pixels without gaps, of 1 or 3 channels, with the request's tiles.
std::vector<std::uint8_t> scalar_clahe(const std::uint8_t* pixels, const gpuhisto_apply& request);

}  // namespace gpuhisto::report
