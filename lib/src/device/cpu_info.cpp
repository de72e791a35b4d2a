// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "gpuhisto/devices.hpp"
#include "gpuhisto/parallel.hpp"

namespace gpuhisto {
namespace {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  struct utsname system {};
  return ::uname(&system) == 0 ? system.machine : "CPU";
}

}  // namespace

CpuInfo cpu_info() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  const bool known = pages > 0 && page > 0;
  return {cpu_name(), hardware_threads(),
          known ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : 0};
}

}  // namespace gpuhisto
