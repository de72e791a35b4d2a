// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What the parts of the emulated runtime share.
#pragma once

#include <string>

#include "emulated/config.hpp"

namespace gpuhisto::emulated {

/// Bytes behind each allocation that must stay as they are; none where the address sanitizer guards its ends, reads
/// too.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr std::size_t kCanaryBytes = 0;
#else
inline constexpr std::size_t kCanaryBytes = 64;
#endif
inline constexpr unsigned char kCanary = 0xC7;
/// What fresh memory holds: garbage, as on a device.
inline constexpr unsigned char kGarbage = 0xA5;

void add_fault(const std::string& text);
void add_counts(const AccessCounts& counts);
/// The error planned for this call, or 0.
int planned_failure(const char* call);

}  // namespace gpuhisto::emulated
