// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "device/module_device.hpp"

#include <algorithm>
#include <mutex>

#include "device/device_module.hpp"
#include "gpuhisto/error.hpp"
#include "ops/clahe_grid.hpp"

namespace gpuhisto {
namespace {

using Counts = std::array<Histogram, kChannelCount>;

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

gpuhisto_count call_for(const Device::CountFormat& format, std::span<const gpuhisto_strip> strips) {
  gpuhisto_count call = {};
  call.size = sizeof call;
  call.channels = static_cast<std::uint32_t>(format.image_channels);
  call.luma = format.channels.has(Channel::kLuma) ? luma_value(format.luma) : std::uint32_t{GPUHISTO_LUMA_NONE};
  call.skip_transparent = format.skip_transparent ? 1 : 0;
  call.memory = GPUHISTO_ON_HOST;
  call.strips_count = static_cast<std::uint32_t>(strips.size());
  call.strips = strips.data();
  call.method = format.method.c_str();
  call.policy = format.policy.c_str();
  return call;
}

/// Every pixel that counted is in one bin of a channel that is counted whatever the wishes.
std::uint64_t counted_pixels(const Counts& counts, int image_channels) {
  std::uint64_t counted = 0;
  for (const std::uint64_t bin :
       counts[static_cast<std::size_t>(has_color(image_channels) ? Channel::kRed : Channel::kLuma)])
    counted += bin;
  return counted;
}

/// Throws when the device lost or invented some: hardware that fails, or a fault of a method.
void check_all_counted(std::uint64_t counted, std::uint64_t pixels) {
  if (counted != pixels)
    throw Error(ErrorKind::kDevice,
                "the device counted " + std::to_string(counted) + " of " + std::to_string(pixels) + " pixels");
}

void add_counts(const Counts& counts, std::uint64_t pixels, ChannelSet channels, ImageHistogram& histogram) {
  for (const Channel channel : kChannels) {
    if (!channels.has(channel)) continue;
    for (std::size_t v = 0; v < kBins; ++v) histogram[channel][v] += counts[static_cast<std::size_t>(channel)][v];
    histogram.channels.set(channel);
  }
  histogram.pixels += pixels;  // bins are allocated on first use: where that throws, nothing was added
}

class ModuleDevice final : public Device {
 public:
  ModuleDevice(const gpuhisto_plugin_table& table, DeviceInfo info) : table_(table), info_(std::move(info)) {
    check_status(table_, table_.open_device(info_.index, &handle_));
  }
  ~ModuleDevice() override {
    close_queue();
    table_.close_device(handle_);
  }

  const DeviceInfo& info() const override { return info_; }
  void count(const CountRequest& request, ChannelSet channels, LumaRule luma, ImageHistogram& histogram) override;
  unsigned lanes() const override { return GPUHISTO_LANES; }
  std::uint8_t* allocate_pinned(std::size_t bytes) override;
  void release_pinned(std::uint8_t* memory) override;
  bool start(unsigned lane, const CountFormat& format, std::span<const Pixels> images) override;
  void finish(unsigned lane) override;
  void collect(unsigned lane) override;
  void map(const MapRequest& request) override;
  bool clahe(const ImageView& from, const MutableImageView& to, const ClaheOptions& options) override;

 private:
  /// What start() leaves to finish().
  struct Started {
    std::vector<Pixels> images;
    std::vector<Counts> counts;
    std::vector<std::uint64_t> counted;  ///< pixels of each
    int image_channels = 1;
    ChannelSet channels;
    bool all_count = true;
  };
  void check(gpuhisto_status status, const std::string& policy) const;

  const gpuhisto_plugin_table& table_;
  DeviceInfo info_;
  gpuhisto_device* handle_ = nullptr;
  std::mutex mutex_;
  std::array<Started, GPUHISTO_LANES> started_;
};

void ModuleDevice::check(gpuhisto_status status, const std::string& policy) const {
  if (status == GPUHISTO_UNSUPPORTED && !policy.empty())
    throw Error(ErrorKind::kUnsupported, "policy '" + policy + "': " + table_.last_error());
  check_status(table_, status);
}

void ModuleDevice::count(const CountRequest& request, ChannelSet channels, LumaRule luma, ImageHistogram& histogram) {
  Counts counts{};
  const ImageView& image = request.image;
  const gpuhisto_strip strip = {image.data,   image.width, image.height,    image.row_bytes,
                                request.mask, image.width, counts[0].data()};
  const CountFormat format = {image.channels, channels, luma, request.skip_transparent, request.method, request.policy};
  gpuhisto_count call = call_for(format, {&strip, 1});
  {
    std::lock_guard lock(mutex_);
    check(table_.count(handle_, &call), request.policy);
  }
  const std::uint64_t counted = counted_pixels(counts, image.channels);
  if (!request.mask && !request.skip_transparent) check_all_counted(counted, std::uint64_t{image.width} * image.height);
  add_counts(counts, counted, channels, histogram);
}

std::uint8_t* ModuleDevice::allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  std::lock_guard lock(mutex_);
  const gpuhisto_status status = table_.allocate_pinned(handle_, bytes, &memory);
  return status == GPUHISTO_OK ? static_cast<std::uint8_t*>(memory) : nullptr;
}

void ModuleDevice::release_pinned(std::uint8_t* memory) { table_.release_pinned(handle_, memory); }

bool ModuleDevice::start(unsigned lane, const CountFormat& format, std::span<const Pixels> images) {
  Started& started = started_[lane];
  started.images.assign(images.begin(), images.end());
  started.counts.assign(images.size(), Counts{});
  started.image_channels = format.image_channels;
  started.channels = format.channels;
  started.all_count = !format.skip_transparent;
  std::vector<gpuhisto_strip> strips;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::uint64_t row_bytes = images[i].count * static_cast<std::uint64_t>(format.image_channels);
    strips.push_back({images[i].data, images[i].count, 1, row_bytes, nullptr, 0, started.counts[i][0].data()});
  }
  gpuhisto_count call = call_for(format, strips);
  std::lock_guard lock(mutex_);
  const gpuhisto_status status = table_.start_count(handle_, &call, lane);
  if (status == GPUHISTO_OUT_OF_MEMORY || status == GPUHISTO_OUT_OF_HOST_MEMORY) return false;
  check(status, format.policy);
  return true;
}

void ModuleDevice::finish(unsigned lane) {
  Started& started = started_[lane];
  check_status(table_, table_.finish_count(handle_, lane));  // beside whatever others do
  started.counted.clear();
  for (std::size_t i = 0; i < started.images.size(); ++i) {
    started.counted.push_back(counted_pixels(started.counts[i], started.image_channels));
    if (started.all_count) check_all_counted(started.counted[i], started.images[i].count);
  }
}

void ModuleDevice::collect(unsigned lane) {
  const Started& started = started_[lane];
  for (std::size_t i = 0; i < started.images.size(); ++i)
    add_counts(started.counts[i], started.counted[i], started.channels, *started.images[i].histogram);
}

void ModuleDevice::map(const MapRequest& request) {
  const MutableImageView& image = request.image;
  const gpuhisto_apply_strip strip = {image.data,   image.data,      image.width,
                                      image.height, image.row_bytes, image.row_bytes};
  gpuhisto_apply call = {};
  call.size = sizeof call;
  call.kind = request.map.kind == ToneMap::Kind::kOne    ? GPUHISTO_APPLY_ONE
              : request.map.kind == ToneMap::Kind::kEach ? GPUHISTO_APPLY_CHANNELS
                                                         : GPUHISTO_APPLY_YCRCB_LUMA;
  call.channels = static_cast<std::uint32_t>(image.channels);
  call.skip_transparent = request.keep_transparent ? 1 : 0;
  call.memory = GPUHISTO_ON_HOST;
  call.strips_count = 1;
  call.strips = &strip;
  std::array<Lut, 4> tables{};
  std::copy(request.map.luts.begin(), request.map.luts.end(), tables.begin());
  call.tables = tables[0].data();
  std::lock_guard lock(mutex_);
  check_status(table_, table_.apply(handle_, &call));
}

bool ModuleDevice::clahe(const ImageView& from, const MutableImageView& to, const ClaheOptions& options) {
  const ops::ClaheGrid grid = ops::clahe_grid(from.width, from.height, options);
  const gpuhisto_apply_strip strip = {from.data, to.data, from.width, from.height, from.row_bytes, to.row_bytes};
  gpuhisto_apply call = {};
  call.size = sizeof call;
  call.kind = GPUHISTO_APPLY_TILES;
  call.channels = static_cast<std::uint32_t>(from.channels);
  call.memory = GPUHISTO_ON_HOST;
  call.strips_count = 1;
  call.strips = &strip;
  call.tiles_across = static_cast<std::uint32_t>(grid.across);
  call.tiles_down = static_cast<std::uint32_t>(grid.down);
  call.tile_width = grid.tile_width;
  call.tile_height = grid.tile_height;
  call.bin_limit = ops::clahe_bin_limit(grid.tile_area(), options.clip_limit);
  std::lock_guard lock(mutex_);
  const gpuhisto_status status = table_.apply(handle_, &call);
  if (status == GPUHISTO_OUT_OF_MEMORY) return false;
  check_status(table_, status);
  return true;
}

}  // namespace

std::shared_ptr<Device> make_module_device(const gpuhisto_plugin_table& table, const DeviceInfo& info) {
  return std::make_shared<ModuleDevice>(table, info);
}

}  // namespace gpuhisto
