// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The emulated device under the name of a GPU's module, so that the program takes its times for real ones. Device 0
// counts right; device 1 loses a count whenever it is measured. With BENCH_TEST_GPU_FAILS set neither can be opened,
// with BENCH_TEST_MEASURES only so many measurements work, with BENCH_TEST_PER_GRID memory suffices for so many of
// method per-grid.
#include <dlfcn.h>

#include <cstdlib>
#include <map>
#include <string>

#include "kernels/plugin.h"

namespace {

const gpuhisto_plugin_table* real = nullptr;
std::map<gpuhisto_device*, int> indices;

gpuhisto_status open_device(int32_t index, gpuhisto_device** device) {
  if (std::getenv("BENCH_TEST_GPU_FAILS")) return GPUHISTO_DEVICE_FAILED;
  const gpuhisto_status status = real->open_device(0, device);
  if (status == GPUHISTO_OK) indices[*device] = index;
  return status;
}

gpuhisto_status list_devices(gpuhisto_device_info* infos, uint32_t capacity, uint32_t* count) {
  for (uint32_t i = 0; i < 2 && i < capacity; ++i) {
    uint32_t one = 0;
    if (const gpuhisto_status status = real->list_devices(&infos[i], 1, &one); status != GPUHISTO_OK) return status;
    infos[i].index = static_cast<int32_t>(i);
    infos[i].memory_bytes = uint64_t{1} << 21;  // small, so that tests rotate through little memory
  }
  *count = 2;
  return GPUHISTO_OK;
}

/// Counts the variable down; whether it was at its end.
bool spent(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text) return false;
  const int left = std::atoi(text);
  if (left > 0) ::setenv(variable, std::to_string(left - 1).c_str(), 1);
  return left == 0;
}

gpuhisto_status measure(gpuhisto_device* device, gpuhisto_measure* request) {
  if (spent("BENCH_TEST_MEASURES")) return GPUHISTO_DEVICE_FAILED;
  const bool per_grid = request->count && request->count->method == std::string("per-grid");
  if (per_grid && spent("BENCH_TEST_PER_GRID")) return GPUHISTO_OUT_OF_MEMORY;
  const gpuhisto_status status = real->measure(device, request);
  if (status == GPUHISTO_OK && request->bins && indices[device] == 1) request->bins[77] -= 1;
  return status;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const char* gpuhisto_module_version() { return GPUHISTO_VERSION; }

extern "C" __attribute__((visibility("default"))) const gpuhisto_plugin_table* gpuhisto_plugin(uint32_t abi_version) {
  static gpuhisto_plugin_table table = {};
  void* module = ::dlopen(GPUHISTO_MODULE_FOLDER "/gpuhisto_emulated.so", RTLD_NOW | RTLD_LOCAL);
  if (!module) return nullptr;
  real = reinterpret_cast<gpuhisto_plugin_entry*>(::dlsym(module, GPUHISTO_PLUGIN_ENTRY))(abi_version);
  table = *real;
  table.platform = "cuda";
  table.list_devices = list_devices;
  table.open_device = open_device;
  table.measure = measure;
  return &table;
}
