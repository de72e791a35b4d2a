// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/plot.hpp"

namespace gpuhisto::plot {

// Grays of everything that is not data: each step fainter than the text it serves.
inline constexpr Color kPrimary{31, 35, 40, 1.0};
inline constexpr Color kSecondary{96, 103, 112, 1.0};
inline constexpr Color kAxis{110, 117, 125, 1.0};
inline constexpr Color kGrid{222, 225, 229, 1.0};
inline constexpr Color kFineGrid{240, 242, 244, 1.0};

}  // namespace gpuhisto::plot
