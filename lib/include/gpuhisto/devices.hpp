// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <string>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto {

/// The machine's CPU, as far as this process may use it.
struct CpuInfo {
  std::string name;  ///< the maker's, or the architecture where the system tells no more
  int threads = 1;   ///< that this process may use
  std::uint64_t memory_bytes = 0;
};
/// Asks the system; never throws for what it does not tell.
CpuInfo cpu_info();

/// The table of what can run here, the CPU first, and of what cannot and why. Throws Error(kUsage) for JSON lines.
std::string devices_report(const CpuInfo& cpu, const DeviceList& devices, ReportFormat format);

}  // namespace gpuhisto
