// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Devices through their modules' C ABI.
#include "gpuhisto/backend.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "device/device_module.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::uint32_t kMostDevices = 64;

std::uint32_t luma_value(LumaRule rule) {
  switch (rule) {
    case LumaRule::kBt601:
      return GPUHISTO_LUMA_BT601;
    case LumaRule::kBt709:
      return GPUHISTO_LUMA_BT709;
    case LumaRule::kAverage:
      return GPUHISTO_LUMA_AVERAGE;
    case LumaRule::kValue:
      return GPUHISTO_LUMA_VALUE;
    case LumaRule::kYcrcb14:
      return GPUHISTO_LUMA_YCRCB14;
  }
  return GPUHISTO_LUMA_NONE;
}

class ModuleDevice final : public Device {
 public:
  ModuleDevice(const gpuhisto_plugin_table& table, DeviceInfo info) : table_(table), info_(std::move(info)) {
    check_status(table_, table_.open_device(info_.index, &handle_));
  }
  ~ModuleDevice() override { table_.close_device(handle_); }
  ModuleDevice(const ModuleDevice&) = delete;
  ModuleDevice& operator=(const ModuleDevice&) = delete;

  const DeviceInfo& info() const override { return info_; }
  void count(const CountRequest& request, ChannelSet channels, LumaRule luma, ImageHistogram& histogram) override;
  void map(const MapRequest& request) override;

 private:
  const gpuhisto_plugin_table& table_;
  DeviceInfo info_;
  gpuhisto_device* handle_ = nullptr;
  std::mutex mutex_;
};

void ModuleDevice::count(const CountRequest& request, ChannelSet channels, LumaRule luma, ImageHistogram& histogram) {
  std::array<Histogram, kChannelCount> counts{};
  const ImageView& image = request.image;
  const gpuhisto_strip strip = {image.data,   image.width, image.height,    image.row_bytes,
                                request.mask, image.width, counts[0].data()};
  gpuhisto_count call = {};
  call.size = sizeof call;
  call.channels = static_cast<std::uint32_t>(image.channels);
  call.luma = channels.has(Channel::kLuma) ? luma_value(luma) : std::uint32_t{GPUHISTO_LUMA_NONE};
  call.skip_transparent = request.skip_transparent ? 1 : 0;
  call.memory = GPUHISTO_ON_HOST;
  call.strips_count = 1;
  call.strips = &strip;
  call.method = request.method.c_str();
  call.policy = request.policy.c_str();
  {
    std::lock_guard lock(mutex_);
    const gpuhisto_status status = table_.count(handle_, &call);
    if (status == GPUHISTO_UNSUPPORTED && !request.policy.empty())
      throw Error(ErrorKind::kUsage, "policy '" + request.policy + "': " + table_.last_error());
    check_status(table_, status);
  }
  // Every pixel that counted is in one bin of a channel that was counted whatever the wishes.
  std::uint64_t counted = 0;
  for (const std::uint64_t bin :
       counts[static_cast<std::size_t>(has_color(image.channels) ? Channel::kRed : Channel::kLuma)])
    counted += bin;
  const std::uint64_t pixels = std::uint64_t{image.width} * image.height;
  if (!request.mask && !request.skip_transparent && counted != pixels)  // hardware that fails, or a fault of a method
    throw Error(ErrorKind::kDevice,
                "the device counted " + std::to_string(counted) + " of " + std::to_string(pixels) + " pixels");
  histogram.pixels += counted;
  for (const Channel channel : kChannels) {
    if (!channels.has(channel)) continue;
    for (std::size_t v = 0; v < kBins; ++v) histogram[channel][v] += counts[static_cast<std::size_t>(channel)][v];
    histogram.channels.set(channel);
  }
}

void ModuleDevice::map(const MapRequest& request) {
  const MutableImageView& image = request.image;
  const gpuhisto_apply_strip strip = {image.data,   image.data,      image.width,
                                      image.height, image.row_bytes, image.row_bytes};
  gpuhisto_apply call = {};
  call.size = sizeof call;
  call.kind = request.map == Map::kOne    ? GPUHISTO_APPLY_ONE
              : request.map == Map::kEach ? GPUHISTO_APPLY_CHANNELS
                                          : GPUHISTO_APPLY_YCRCB_LUMA;
  call.channels = static_cast<std::uint32_t>(image.channels);
  call.skip_transparent = request.keep_transparent ? 1 : 0;
  call.memory = GPUHISTO_ON_HOST;
  call.strips_count = 1;
  call.strips = &strip;
  std::array<Lut, 4> tables{};
  std::copy(request.tables.begin(), request.tables.end(), tables.begin());
  call.tables = tables[0].data();
  std::lock_guard lock(mutex_);
  check_status(table_, table_.apply(handle_, &call));
}

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

DeviceList list_modules(std::initializer_list<const char*> modules) {
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

DeviceList list_devices() { return list_modules({"gpuhisto_hip", "gpuhisto_cuda", "gpuhisto_emulated"}); }

std::shared_ptr<Device> open_device(const std::string& id) {
  static std::mutex mutex;
  // Never destroyed: at exit the modules' own statics may be gone before a destructor here would close their devices.
  static auto& open = *new std::map<std::string, std::shared_ptr<Device>>;
  std::lock_guard lock(mutex);
  if (const auto known = open.find(id); known != open.end()) return known->second;
  const bool emulated = id == "emulated";
  const DeviceList list =
      emulated ? list_modules({"gpuhisto_emulated"}) : list_modules({"gpuhisto_hip", "gpuhisto_cuda"});
  for (const auto& info : list.devices)
    if (info.id == id) return open[id] = std::make_shared<ModuleDevice>(device_table(info.module), info);
  if (list.devices.empty())
    throw Error(ErrorKind::kDevice,
                (emulated ? "no emulated device can be used: " : "no GPU can be used: ") + reasons(list));
  throw Error(ErrorKind::kDevice, "there is no " + id + ": the last is " + list.devices.back().id);
}

}  // namespace gpuhisto
