// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A device of a module as something to measure.
#include <algorithm>
#include <chrono>

#include "device/device_module.hpp"
#include "gpuhisto/backend.hpp"
#include "gpuhisto/bench.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::bench {
namespace {

// Eight times the largest cache of today's GPUs (256 MiB, AMD's Instinct MI300X). It is also what one burst counts: at
// some TB/s half a millisecond, beside which the events' own time does not show.
constexpr std::uint64_t kCacheBytes = std::uint64_t{2} << 30;
constexpr std::uint32_t kMostMethods = 64;

/// A count request with what it points to.
class CountCall {
 public:
  CountCall(const Launch& launch, const void* data, gpuhisto_memory memory) : launch_(launch) {
    const Shape& shape = launch.shape;
    const std::uint64_t row = shape.width * shape.pixel_bytes(), image = row * shape.height;
    for (std::uint64_t i = 0; i < shape.images; ++i)
      strips_.push_back(
          {static_cast<const std::uint8_t*>(data) + i * image, shape.width, shape.height, row, nullptr, 0, nullptr});
    call_.size = sizeof call_;
    call_.key = shape.keys == Keys::kU32 ? GPUHISTO_KEY_U32 : GPUHISTO_KEY_U8;
    if (shape.keys == Keys::kU32)
      call_.bin_rule = shape.map == BinMap::kModulo ? GPUHISTO_BIN_MODULO : GPUHISTO_BIN_RANGE;
    call_.bins_count = shape.keys == Keys::kU32 ? shape.bins : 0;
    call_.channels = static_cast<std::uint32_t>(shape.channels);
    call_.luma = shape.luma ? GPUHISTO_LUMA_BT601 : GPUHISTO_LUMA_NONE;
    call_.memory = memory;
    call_.strips_count = static_cast<std::uint32_t>(strips_.size());
    call_.strips = strips_.data();
    call_.method = launch_.method.c_str();
    call_.policy = launch_.policy.c_str();
  }
  CountCall(const CountCall&) = delete;
  CountCall& operator=(const CountCall&) = delete;

  gpuhisto_count& call() { return call_; }
  void set_bins(std::span<std::uint64_t> counts) {
    for (std::size_t i = 0; i < strips_.size(); ++i)
      strips_[i].bins = counts.data() + i * launch_.shape.counts_per_image();
  }

 private:
  Launch launch_;
  std::vector<gpuhisto_strip> strips_;
  gpuhisto_count call_ = {};
};

/// Bytes as one row of gray pixels.
Launch reading(std::uint64_t bytes) {
  Launch launch;
  launch.shape.width = bytes;
  launch.method = "per-block";
  return launch;
}

class ModuleTarget final : public Target {
 public:
  explicit ModuleTarget(const DeviceInfo& device) : table_(device_table(device.module)) {
    check(table_.open_device(device.index, &handle_));
    info_ = {device.id, device.name, device.platform, device.platform != "emulated", device.memory_bytes, 0};
    if (info_.timed) info_.cache_bytes = std::min(kCacheBytes, device.memory_bytes / 8);
  }
  ~ModuleTarget() override { table_.close_device(handle_); }
  ModuleTarget(const ModuleTarget&) = delete;
  ModuleTarget& operator=(const ModuleTarget&) = delete;

  const TargetInfo& info() const override { return info_; }
  std::vector<Method> methods() const override;

  void* allocate(std::uint64_t bytes) override {
    void* memory = nullptr;
    check(table_.allocate(handle_, bytes, &memory));
    return memory;
  }
  void release(void* memory) override { table_.release(handle_, memory); }
  void upload(void* to, const void* from, std::uint64_t bytes) override {
    check(table_.upload(handle_, to, from, bytes));
  }
  void download(void* to, const void* from, std::uint64_t bytes) override {
    check(table_.download(handle_, to, from, bytes));
  }
  void fill(void* to, std::uint64_t bytes, const Input& input, Keys keys, std::uint64_t seed) override;
  Sample measure(const Launch& launch, const void* data, const Burst& burst, std::span<std::uint64_t> counts) override;
  double read(const void* data, std::uint64_t bytes, const Burst& burst) override;
  double copy(void* to, const void* from, std::uint64_t bytes) override;
  std::optional<double> count_from_host(const Launch& launch, const void* pixels,
                                        std::span<std::uint64_t> counts) override;
  Description describe(const Launch& launch, const void* data) override;
  void evict(const void* scratch, std::uint64_t bytes) override { (void)timed_read(scratch, bytes, {1, 0, 0}); }

 private:
  /// Memory that is short is no failure: another size or method may fit.
  void check(gpuhisto_status status) const {
    if (status == GPUHISTO_OUT_OF_MEMORY) throw Error(ErrorKind::kLimit, table_.last_error());
    check_status(table_, status);
  }
  double timed_read(const void* data, std::uint64_t bytes, const Burst& burst);
  double timed(gpuhisto_measure& request, const Burst& burst);

  const gpuhisto_plugin_table& table_;
  gpuhisto_device* handle_ = nullptr;
  TargetInfo info_;
};

std::vector<Method> ModuleTarget::methods() const {
  std::vector<gpuhisto_method_info> infos(kMostMethods);
  for (auto& info : infos) info.size = sizeof info;
  std::uint32_t count = 0;
  check(table_.list_methods(infos.data(), kMostMethods, &count));
  std::vector<Method> list;
  for (std::uint32_t i = 0; i < std::min(count, kMostMethods); ++i)
    list.push_back({infos[i].name, infos[i].summary, infos[i].exact != 0});
  std::stable_partition(list.begin(), list.end(), [](const Method& method) { return method.exact; });
  return list;
}

void ModuleTarget::fill(void* to, std::uint64_t bytes, const Input& input, Keys keys, std::uint64_t seed) {
  gpuhisto_fill request = {};
  request.size = sizeof request;
  request.pattern = static_cast<std::uint32_t>(input.pattern.pattern);
  request.entropy_k = input.pattern.entropy_k;
  request.key = keys == Keys::kU32 ? GPUHISTO_KEY_U32 : GPUHISTO_KEY_U8;
  request.seed = seed;
  request.target = to;
  request.bytes = bytes;
  request.range = keys == Keys::kU32 ? input.key_range : 0;
  check(table_.fill(handle_, &request));
}

/// Of the last round; 0 when none is timed.
double ModuleTarget::timed(gpuhisto_measure& request, const Burst& burst) {
  std::vector<float> milliseconds(burst.rounds);
  request.size = sizeof request;
  request.rounds = burst.rounds;
  request.burst = burst.launches;
  request.stride = burst.stride;
  request.milliseconds = milliseconds.data();
  check(table_.measure(handle_, &request));
  return milliseconds.empty() ? 0 : static_cast<double>(milliseconds.back()) / 1e3;
}

Sample ModuleTarget::measure(const Launch& launch, const void* data, const Burst& burst,
                             std::span<std::uint64_t> counts) {
  CountCall count(launch, data, GPUHISTO_ON_DEVICE);
  gpuhisto_counters counters = {};
  counters.size = sizeof counters;
  gpuhisto_measure request = {};
  request.what = GPUHISTO_MEASURE_METHOD;
  request.count = &count.call();
  request.bins = counts.empty() ? nullptr : counts.data();
  if (!info_.timed) request.counters = &counters;
  Sample sample;
  sample.seconds = timed(request, burst);
  sample.second_kernel_share = static_cast<double>(request.second_kernel);
  if (counters.known)
    sample.counters = {counters.global_atomics, counters.shared_atomics, counters.shared_instructions,
                       counters.shared_passes, counters.same_address};
  return sample;
}

double ModuleTarget::timed_read(const void* data, std::uint64_t bytes, const Burst& burst) {
  CountCall count(reading(bytes), data, GPUHISTO_ON_DEVICE);
  gpuhisto_measure request = {};
  request.what = GPUHISTO_MEASURE_READ;
  request.count = &count.call();
  return timed(request, burst);
}

double ModuleTarget::read(const void* data, std::uint64_t bytes, const Burst& burst) {
  return timed_read(data, bytes, burst);
}

double ModuleTarget::copy(void* to, const void* from, std::uint64_t bytes) {
  const gpuhisto_apply_strip strip = {from, to, bytes, 1, bytes, bytes};
  gpuhisto_apply apply = {};
  apply.size = sizeof apply;
  apply.channels = 1;
  apply.memory = GPUHISTO_ON_DEVICE;
  apply.strips_count = 1;
  apply.strips = &strip;
  gpuhisto_measure request = {};
  request.what = GPUHISTO_MEASURE_COPY;
  request.apply = &apply;
  return timed(request, {1, 0, 1});
}

std::optional<double> ModuleTarget::count_from_host(const Launch& launch, const void* pixels,
                                                    std::span<std::uint64_t> counts) {
  std::fill(counts.begin(), counts.end(), 0);  // the module adds
  CountCall count(launch, pixels, GPUHISTO_ON_HOST);
  count.set_bins(counts);
  const auto begin = std::chrono::steady_clock::now();
  check(table_.count(handle_, &count.call()));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Description ModuleTarget::describe(const Launch& launch, const void* data) {
  CountCall count(launch, data, GPUHISTO_ON_DEVICE);
  gpuhisto_description d = {};
  d.size = sizeof d;
  check(table_.describe(handle_, &count.call(), &d));
  return {d.kernel,        d.policy, d.registers,       d.spilled_bytes, d.shared_bytes,
          d.block_threads, d.blocks, d.resident_blocks, d.passes,        static_cast<double>(d.occupancy)};
}

}  // namespace

std::unique_ptr<Target> open_device_target(const std::string& id) {
  return std::make_unique<ModuleTarget>(find_device(id));
}

}  // namespace gpuhisto::bench
