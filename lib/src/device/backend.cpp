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
constexpr const char* kEmulated = "gpuhisto_emulated";
constexpr const char* kModules[] = {"gpuhisto_hip", "gpuhisto_cuda", kEmulated};

/// A device in the list of its module. One that fails keeps its place in the numbering.
struct Listed {
  DeviceInfo info;
  std::string failure;
};
struct Listing {
  std::vector<Listed> devices;
  std::vector<MissingDevices> missing;
};

/// Not where there is no module, no runtime, or no GPU.
bool gpu_fails(const std::string& module, const Error& error, gpuhisto_status status) {
  if (module == kEmulated) return false;
  if (error.kind() != ErrorKind::kUnsupported) return status != GPUHISTO_NO_DEVICE;
  const auto installed = installed_modules();
  return std::binary_search(installed.begin(), installed.end(), module);
}

/// Adds what one module offers.
void list_module(const std::string& module, Listing& listing, int& gpus) {
  gpuhisto_status status = GPUHISTO_NO_DEVICE;
  try {
    const gpuhisto_plugin_table& table = device_table(module);
    std::vector<gpuhisto_device_info> infos(kMostDevices);
    for (auto& info : infos) info.size = sizeof info;
    std::uint32_t count = 0;
    status = table.list_devices(infos.data(), kMostDevices, &count);
    check_status(table, status);
    const bool emulated = module == kEmulated;
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
      listing.devices.push_back({std::move(info), infos[i].failure});
    }
  } catch (const Error& error) {
    listing.missing.push_back({module, error.what(), gpu_fails(module, error, status)});
  }
}

Listing list_modules(std::span<const char* const> modules) {
  Listing listing;
  int gpus = 0;
  for (const char* module : modules) list_module(module, listing, gpus);
  return listing;
}

std::string reasons(const std::vector<MissingDevices>& list) {
  std::string text;
  for (const auto& missing : list) {
    const bool named = missing.reason.find(missing.module) != std::string::npos;
    text += (text.empty() ? "" : "; ") + (named ? "" : missing.module + ": ") + missing.reason;
  }
  return text;
}

/// "", or why the device cannot be opened: it is broken, or another process has it for itself.
std::string why_it_does_not_open(const DeviceInfo& info) {
  try {
    (void)make_module_device(device_table(info.module), info);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
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

DeviceList list_devices() {
  const Listing listing = list_modules(kModules);
  DeviceList list{{}, listing.missing};
  for (const auto& [info, failure] : listing.devices) {
    const std::string why = failure.empty() ? why_it_does_not_open(info) : failure;
    if (why.empty())
      list.devices.push_back(info);
    else
      list.missing.push_back({info.module, info.id + ": " + why, info.module != kEmulated});
  }
  return list;
}

DeviceInfo find_device(const std::string& id) {
  const bool emulated = id == "emulated";
  const Listing listing = list_modules(emulated ? std::span(kModules).last(1) : std::span(kModules).first(2));
  for (const auto& [info, failure] : listing.devices) {
    if (info.id != id) continue;
    if (!failure.empty()) throw Error(ErrorKind::kDevice, id + " cannot be used: " + failure);
    return info;
  }
  if (listing.devices.empty())
    throw Error(ErrorKind::kDevice,
                (emulated ? "no emulated device can be used: " : "no GPU can be used: ") + reasons(listing.missing));
  throw Error(ErrorKind::kDevice, "there is no " + id + ": the last is " + listing.devices.back().info.id);
}

std::shared_ptr<Device> open_device(const std::string& id) {
  static std::mutex mutex;
  // Never destroyed: at exit the modules' own statics may be gone before a destructor here would close their devices.
  static auto& open = *new std::map<std::string, std::shared_ptr<Device>>;
  std::lock_guard lock(mutex);
  if (const auto known = open.find(id); known != open.end()) return known->second;
  const DeviceInfo info = find_device(id);
  return open[id] = make_module_device(device_table(info.module), info);
}

}  // namespace gpuhisto
