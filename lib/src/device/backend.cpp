// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Which devices there are.
#include "gpuhisto/backend.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "device/device_module.hpp"
#include "device/module_device.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/module.hpp"

namespace gpuhisto {
namespace {

constexpr std::uint32_t kMostDevices = 64;
constexpr const char* kModules[] = {"gpuhisto_hip", "gpuhisto_cuda", "gpuhisto_emulated"};

/// Adds what one module offers.
void list_module(const std::string& module, DeviceList& list, int& gpus) {
  try {
    const gpuhisto_plugin_table& table = device_table(module);
    std::vector<gpuhisto_device_info> infos(kMostDevices);
    for (auto& info : infos) info.size = sizeof info;
    std::uint32_t count = 0;
    check_status(table, table.list_devices(infos.data(), kMostDevices, &count));
    const bool emulated = module == "gpuhisto_emulated";
    for (std::uint32_t i = 0; i < std::min(count, emulated ? 1 : kMostDevices); ++i) {
      DeviceInfo info;
      info.id = emulated ? "emulated" : "gpu:" + std::to_string(gpus++);
      info.platform = table.platform;
      info.name = infos[i].name;
      info.module = module;
      info.index = static_cast<int>(i);
      info.memory_bytes = infos[i].memory_bytes;
      info.multiprocessors = infos[i].multiprocessors;
      info.wave_size = infos[i].wave_size;
      info.shared_bytes = infos[i].shared_bytes;
      list.devices.push_back(std::move(info));
    }
  } catch (const Error& error) {
    list.missing.push_back({module, error.what()});
  }
}

DeviceList list_modules(std::span<const char* const> modules) {
  DeviceList list;
  int gpus = 0;
  for (const char* module : modules) list_module(module, list, gpus);
  return list;
}

std::string reasons(const DeviceList& list) {
  std::string text;
  for (const auto& missing : list.missing) {
    const bool named = missing.reason.find(missing.module) != std::string::npos;
    text += (text.empty() ? "" : "; ") + (named ? "" : missing.module + ": ") + missing.reason;
  }
  return text;
}

}  // namespace

std::vector<std::string> modules_that_do_not_load() {
  std::vector<std::string> list;
  for (const auto& module : installed_modules()) try {
      const bool counts = std::find(std::begin(kModules), std::end(kModules), module) != std::end(kModules);
      if (counts)
        (void)device_table(module);
      else
        Module::open(module);
    } catch (const Error& error) {
      list.push_back(module + ": " + error.what());
    }
  return list;
}

DeviceList list_devices() { return list_modules(kModules); }

std::shared_ptr<Device> open_device(const std::string& id) {
  static std::mutex mutex;
  // Never destroyed: at exit the modules' own statics may be gone before a destructor here would close their devices.
  static auto& open = *new std::map<std::string, std::shared_ptr<Device>>;
  std::lock_guard lock(mutex);
  if (const auto known = open.find(id); known != open.end()) return known->second;
  const bool emulated = id == "emulated";
  const DeviceList list = list_modules(emulated ? std::span(kModules).last(1) : std::span(kModules).first(2));
  for (const auto& info : list.devices)
    if (info.id == id) return open[id] = make_module_device(device_table(info.module), info);
  if (list.devices.empty())
    throw Error(ErrorKind::kDevice,
                (emulated ? "no emulated device can be used: " : "no GPU can be used: ") + reasons(list));
  throw Error(ErrorKind::kDevice, "there is no " + id + ": the last is " + list.devices.back().id);
}

}  // namespace gpuhisto
