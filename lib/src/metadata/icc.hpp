// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace gpuhisto {

/// Why a profile cannot describe pixels of so many channels: "damaged", "of CMYK pixels"; empty where it can.
std::string icc_objection(std::span<const std::uint8_t> profile, int channels);

}  // namespace gpuhisto
