// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "device/device_module.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <new>

#include "gpuhisto/error.hpp"
#include "gpuhisto/module.hpp"

namespace gpuhisto {
namespace {

/// The HIP module is not linked to the runtime, whose name differs from ROCm to ROCm: whichever there is must be open
/// first.
void open_hip_runtime() {
  for (const char* name : {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"})
    if (::dlopen(name, RTLD_NOW | RTLD_GLOBAL)) return;
  throw Error(ErrorKind::kDevice, "AMD's HIP runtime (libamdhip64) is not installed");
}

}  // namespace

const gpuhisto_plugin_table& device_table(const std::string& module) {
  // Without the module the runtime is no use, and its absence not the news.
  const auto modules = installed_modules();
  if (module == "gpuhisto_hip" && std::binary_search(modules.begin(), modules.end(), module)) {
    static const bool opened = (open_hip_runtime(), true);
    (void)opened;
  }
  auto* entry = Module::open(module).function<gpuhisto_plugin_entry>(GPUHISTO_PLUGIN_ENTRY);
  const auto* table = entry(GPUHISTO_PLUGIN_ABI);
  if (!table) throw Error(ErrorKind::kUnsupported, module + ".so speaks another version of the device interface");
  return *table;
}

void check_status(const gpuhisto_plugin_table& table, gpuhisto_status status) {
  if (status == GPUHISTO_OK) return;
  if (status == GPUHISTO_OUT_OF_HOST_MEMORY) throw std::bad_alloc();
  const ErrorKind kind = status == GPUHISTO_BAD_REQUEST   ? ErrorKind::kUsage
                         : status == GPUHISTO_UNSUPPORTED ? ErrorKind::kUnsupported
                                                          : ErrorKind::kDevice;
  throw Error(kind, table.last_error());
}

}  // namespace gpuhisto
