// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "emulated/state.hpp"

#include <array>
#include <mutex>

#include "emulated/hip_names.hpp"

namespace gpuhisto::emulated {
namespace {

struct Plan {
  std::string call;
  int error = 0;
  int skip = 0;
  int times = 0;
};

std::mutex mutex;
std::string faults;
AccessCounts totals;
Plan plan;

std::array<Config, kDevices> make_devices() {
  std::array<Config, kDevices> devices;
  devices[1].wave_size = 32;
  devices[1].shared_bytes = std::size_t{227} << 10;
  return devices;
}

}  // namespace

Config& device_config(int device) {
  static std::array<Config, kDevices> devices = make_devices();
  return devices[static_cast<std::size_t>(device)];
}

Config& config() {
  int current = 0;
  (void)hipGetDevice(&current);
  return device_config(current);
}

void add_fault(const std::string& text) {
  std::lock_guard lock(mutex);
  if (!faults.empty()) faults += "\n";
  faults += text;
}

std::string take_faults() {
  std::lock_guard lock(mutex);
  std::string taken;
  taken.swap(faults);
  return taken;
}

void add_counts(const AccessCounts& counts) {
  std::lock_guard lock(mutex);
  totals.global_atomics += counts.global_atomics;
  totals.shared_atomics += counts.shared_atomics;
  totals.shared_passes += counts.shared_passes;
  totals.shared_instructions += counts.shared_instructions;
  totals.same_address += counts.same_address;
}

AccessCounts access_counts() {
  std::lock_guard lock(mutex);
  return totals;
}

void reset_access_counts() {
  std::lock_guard lock(mutex);
  totals = {};
}

void plan_failure(const std::string& call, int error, int skip, int times) {
  std::lock_guard lock(mutex);
  plan = {call, error, skip, times};
}

int planned_failure(const char* call) {
  std::lock_guard lock(mutex);
  if (plan.times == 0 || plan.call != call) return 0;
  if (plan.skip > 0) {
    --plan.skip;
    return 0;
  }
  --plan.times;
  return plan.error;
}

}  // namespace gpuhisto::emulated
