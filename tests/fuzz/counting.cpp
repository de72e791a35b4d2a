// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "fuzz/counting.hpp"

#include <array>

#include "emulated/config.hpp"
#include "plugin.h"

extern "C" const gpuhisto_plugin_table* gpuhisto_plugin(uint32_t abi_version);

namespace gpuhisto::fuzz {
namespace {

const gpuhisto_plugin_table& plugin() {
  static const gpuhisto_plugin_table* table = gpuhisto_plugin(GPUHISTO_PLUGIN_ABI);
  return *table;
}

gpuhisto_device* device_of(int index) {
  static std::array<gpuhisto_device*, emulated::kDevices> devices{};
  auto& device = devices[static_cast<std::size_t>(index)];
  if (!device) require(plugin().open_device(index, &device) == GPUHISTO_OK, "an emulated device can be opened");
  return device;
}

/// A copy in the device's memory.
class Copy {
 public:
  Copy(gpuhisto_device* device, const std::vector<std::uint8_t>& bytes) : device_(device) {
    require(plugin().allocate(device, bytes.size(), &memory_) == GPUHISTO_OK, "a device has memory");
    require(plugin().upload(device, memory_, bytes.data(), bytes.size()) == GPUHISTO_OK, "a device takes bytes");
  }
  ~Copy() { plugin().release(device_, memory_); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  const std::uint8_t* data() const { return static_cast<const std::uint8_t*>(memory_); }

 private:
  gpuhisto_device* device_;
  void* memory_ = nullptr;
};

struct Key {
  const char* name;
  std::array<const char*, 6> values;
};
constexpr Key kKeys[] = {{"block", {"64", "128", "256", "1", "96", "0"}},
                         {"blocks", {"1", "2", "3", "0", "1", "2"}},
                         {"grid", {"1", "2", "7", "0", "1", "2"}},
                         {"replicas", {"1", "2", "3", "8", "16", "32"}},
                         {"loads", {"1", "2", "3", "4", "8", "0"}},
                         {"lanes", {"1", "8", "16", "32", "64", "7"}},
                         {"merge-rounds", {"1", "2", "63", "255", "256", "0"}},
                         // Launches of fewer pixels would be too many.
                         {"bound", {"99", "255", "256", "1000", "3000", "0"}},
                         {"overflow", {"periodic-merge", "avoid", "check", "check", "avoid", "periodic-merge"}},
                         {"layout", {"byte-per-lane", "interleaved", "column", "row", "row", "column"}}};

}  // namespace

Image::Image(Choices& choices) {
  const bool tall = choices.flag();
  width_ = tall ? choices.below(9) : choices.below(800);
  height_ = tall ? choices.below(200) : choices.below(6);
  channels_ = 1 + static_cast<int>(choices.below(4));
  offset_ = choices.below(64);
  luma = static_cast<LumaRule>(choices.below(5));
  skip_transparent = choices.flag();
  const std::size_t row = width_ * static_cast<std::size_t>(channels_);
  row_bytes_ = row + (choices.flag() ? choices.below(256) : 0);
  if (choices.flag()) mask_.resize(width_ * height_);
  for (auto& byte : mask_) byte = static_cast<std::uint8_t>(choices.below(256) % 3);
  const Bytes rest = choices.rest();
  bytes_.resize(offset_ + (height_ > 0 ? (height_ - 1) * row_bytes_ + row : 0));
  for (std::size_t i = 0; i < bytes_.size(); ++i)
    bytes_[i] = rest.empty() ? static_cast<std::uint8_t>(i) : rest[i % rest.size()];
}

CountSpec Image::spec() const {
  CountSpec spec;
  spec.luma = luma;
  spec.predicate.skip_transparent = skip_transparent;
  if (!mask_.empty()) spec.predicate.mask = ImageView{mask_.data(), width_, height_, 1, width_};
  return spec;
}

test::Bins Image::oracle() const {
  return test::oracle_count({bytes_.data() + offset_, width_, height_, row_bytes_, static_cast<unsigned>(channels_)},
                            GPUHISTO_LUMA_BT601 + static_cast<std::uint32_t>(luma), skip_transparent,
                            mask_.empty() ? nullptr : &mask_);
}

DeviceChoice choose_device(Choices& choices) {
  const DeviceChoice device{static_cast<int>(choices.below(emulated::kDevices)), choices.flag()};
  emulated::Config& config = emulated::device_config(device.index);
  config.order = static_cast<emulated::LaneOrder>(choices.below(3));
  config.max_block_lanes = 256;  // the more lanes, the slower
  return device;
}

std::string choose_policy(Choices& choices) {
  std::string policy;
  for (unsigned count = choices.below(5); count > 0; --count) {
    const Key& key = kKeys[choices.below(std::size(kKeys))];
    policy += (policy.empty() ? "" : ",") + std::string(key.name) + "=" + key.values[choices.below(6)];
  }
  return policy;
}

std::vector<std::string> exact_methods() {
  std::array<gpuhisto_method_info, 32> infos{};
  for (auto& info : infos) info.size = sizeof info;
  std::uint32_t count = 0;
  require(plugin().list_methods(infos.data(), infos.size(), &count) == GPUHISTO_OK, "a device lists its methods");
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i)
    if (infos[i].exact) names.emplace_back(infos[i].name);
  return names;
}

std::optional<test::Bins> count_on_device(const Image& image, const DeviceChoice& choice, const std::string& method,
                                          const std::string& policy) {
  gpuhisto_device* device = device_of(choice.index);
  const ImageView view = image.view();
  test::Bins bins{};
  gpuhisto_strip strip = {view.data, view.width, view.height, view.row_bytes, nullptr, view.width, bins[0].data()};
  if (!image.mask().empty()) strip.mask = image.mask().data();
  std::optional<Copy> pixels, mask;
  if (choice.in_device_memory) {
    strip.pixels = pixels.emplace(device, image.bytes()).data() + image.offset();
    if (strip.mask) strip.mask = mask.emplace(device, image.mask()).data();
  }
  gpuhisto_count request{};
  request.size = sizeof request;
  request.channels = static_cast<std::uint32_t>(view.channels);
  request.luma = GPUHISTO_LUMA_BT601 + static_cast<std::uint32_t>(image.luma);
  request.skip_transparent = image.skip_transparent;
  request.memory = pixels ? GPUHISTO_ON_DEVICE : GPUHISTO_ON_HOST;
  request.strips_count = 1;
  request.strips = &strip;
  request.method = method.c_str();
  request.policy = policy.c_str();
  const gpuhisto_status status = plugin().count(device, &request);
  require(emulated::take_faults().empty(), "kernels do nothing that a device forbids");
  if (status == GPUHISTO_OK) return bins;
  require(status == GPUHISTO_UNSUPPORTED || status == GPUHISTO_BAD_REQUEST, "a request is refused or done");
  require(*plugin().last_error() != '\0', "a refusal has a reason");
  return std::nullopt;
}

void map_on_device(const MutableImageView& image, const ToneMap& map, bool keep_transparent,
                   const DeviceChoice& device) {
  if (map.kind == ToneMap::Kind::kNone) return;
  const gpuhisto_apply_strip strip = {image.data,   image.data,      image.width,
                                      image.height, image.row_bytes, image.row_bytes};
  std::array<Lut, 4> tables{};
  std::copy(map.luts.begin(), map.luts.end(), tables.begin());
  gpuhisto_apply call = {};
  call.size = sizeof call;
  call.kind = map.kind == ToneMap::Kind::kOne    ? GPUHISTO_APPLY_ONE
              : map.kind == ToneMap::Kind::kEach ? GPUHISTO_APPLY_CHANNELS
                                                 : GPUHISTO_APPLY_YCRCB_LUMA;
  call.channels = static_cast<std::uint32_t>(image.channels);
  call.skip_transparent = keep_transparent ? 1 : 0;
  call.memory = GPUHISTO_ON_HOST;
  call.strips_count = 1;
  call.strips = &strip;
  call.tables = tables[0].data();
  require(plugin().apply(device_of(device.index), &call) == GPUHISTO_OK, "a device maps");
}

}  // namespace gpuhisto::fuzz
