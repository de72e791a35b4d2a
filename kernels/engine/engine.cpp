// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "engine/engine.hpp"

#include <cstdio>
#include <cstring>

#include "device/completion.hpp"
#include "engine/batch_plan.hpp"
#include "engine/support_kernels.hpp"

namespace gpuhisto::kernels {
namespace {

int selected(int index) {
  if (index < 0 || index >= device_count())
    throw DeviceError(Failure::kNoDevice, "there is no device " + std::to_string(index));
  GPUHISTO_CHECK(hipSetDevice(index));
  return index;
}

/// Masks are for per-block alone, and the vendor's library counts every pixel.
bool is_for_per_block(const CountTask& task, const Method& method) {
  if (&method == &per_block_method()) return false;
  return task.mask || (task.skip_transparent && &method == &vendor_method());
}

}  // namespace

Engine::Engine(int index) : traits_(device_traits(selected(index))) { check_code(traits_); }

void* Engine::allocate(std::uint64_t bytes) {
  void* memory = nullptr;
  GPUHISTO_CHECK(hipMalloc(&memory, std::max<std::uint64_t>(bytes, 1)));
  return memory;
}

void Engine::release(void* memory) { GPUHISTO_CHECK(hipFree(memory)); }

void* Engine::allocate_pinned(std::uint64_t bytes) {
  void* memory = nullptr;
  GPUHISTO_CHECK(hipHostMalloc(&memory, std::max<std::uint64_t>(bytes, 1), hipHostMallocDefault));
  return memory;
}

void Engine::release_pinned(void* memory) { GPUHISTO_CHECK(hipHostFree(memory)); }

void Engine::upload(void* to, const void* from, std::uint64_t bytes) {
  GPUHISTO_CHECK(hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, lane_.stream.get()));
  lane_.stream.wait();
}

void Engine::download(void* to, const void* from, std::uint64_t bytes) {
  GPUHISTO_CHECK(hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, lane_.stream.get()));
  lane_.stream.wait();
}

void Engine::fill(const gpuhisto_fill& fill) {
  if (fill.key == GPUHISTO_KEY_U8)
    fill_pattern(fill, pattern_tables_, traits_, lane_.stream);
  else if (fill.key == GPUHISTO_KEY_U32)
    fill_keys(fill, traits_, lane_.stream);
  else
    throw DeviceError(Failure::kRequest, "key kind " + std::to_string(fill.key) + " is unknown");
  lane_.stream.wait();
}

void check_request(const gpuhisto_count& request) {
  if (request.key == GPUHISTO_KEY_U32) return check_key_request(request);
  if (request.key != GPUHISTO_KEY_U8)
    throw DeviceError(Failure::kRequest, "key kind " + std::to_string(request.key) + " is unknown");
  if (request.channels < 1 || request.channels > 4)
    throw DeviceError(Failure::kRequest, "a pixel has 1 to 4 channels, not " + std::to_string(request.channels));
  if (request.luma > GPUHISTO_LUMA_YCRCB14)
    throw DeviceError(Failure::kRequest, "luma rule " + std::to_string(request.luma) + " is unknown");
  if (request.bin_rule != GPUHISTO_BIN_IDENTITY)
    throw DeviceError(Failure::kRequest,
                      "bytes are their own bins: rule IDENTITY, not " + std::to_string(request.bin_rule));
  for (std::uint32_t i = 0; i < request.strips_count; ++i)
    if (request.strips[i].height > 1 && request.strips[i].row_bytes < request.strips[i].width * request.channels)
      throw DeviceError(Failure::kRequest,
                        "rows of " + std::to_string(request.strips[i].row_bytes) + " bytes do not hold their pixels");
}

CountTask task_of(const gpuhisto_count& request) {
  CountTask task;
  task.channels = request.channels;
  task.luma = request.channels < 3 ? GPUHISTO_LUMA_NONE : static_cast<gpuhisto_luma>(request.luma);
  task.skip_transparent = request.skip_transparent != 0 && request.channels % 2 == 0;
  return task;
}

Plan plan_task(const gpuhisto_count& request, const CountTask& task, const DeviceTraits& device) {
  Plan plan;
  plan.method = &find_method(request.method ? request.method : "auto");
  if (is_for_per_block(task, *plan.method)) {
    plan.method = &per_block_method();  // whoever asked is told; the other's policy is no use to it
  } else if (request.policy) {
    parse_policy(request.policy, plan.policy);
  }
  plan.method->tune(task, device, plan.policy);
  const std::string reason = plan.method->refusal(task, plan.policy, device);
  if (!reason.empty()) throw DeviceError(Failure::kUnsupported, reason);
  return plan;
}

void name_method(gpuhisto_count& request, const LaneCounter& counter) {
  const Method* method = counter.counted_by();
  if (!method) method = &find_method(request.method ? request.method : "auto");
  std::snprintf(request.counted_by, sizeof request.counted_by, "%s", method->name);
}

namespace {

/// The launch of a request.
struct Described {
  LaunchInfo info;
  KernelPolicy policy;
};

Described describe_pixels(const gpuhisto_count& request, const DeviceTraits& device) {
  const gpuhisto_strip& strip = request.strips[0];
  CountTask task = task_of(request);
  const bool flat = strip.height <= 1 || strip.row_bytes == strip.width * request.channels;
  const std::uint64_t width = flat ? strip.width * strip.height : strip.width;
  task.view = {
      static_cast<const std::uint8_t*>(strip.pixels), static_cast<std::uint32_t>(std::min(width, kMostPixels)),
      flat ? 1u : static_cast<std::uint32_t>(std::min(strip.height, kMostPixels / std::max<std::uint64_t>(1, width))),
      static_cast<std::size_t>(strip.row_bytes)};
  task.mask = static_cast<const std::uint8_t*>(strip.mask);
  const Plan plan = plan_task(request, task, device);
  return {plan.method->describe(task, plan.policy, device), plan.policy};
}

Described describe_keys(const gpuhisto_count& request, const DeviceTraits& device) {
  KeyTask task = key_task_of(request);
  task.view = key_view(request.strips[0]);
  const KeyPlan plan = plan_keys(request, task, device);
  return {plan.method->describe(task, plan.policy, device), plan.policy};
}

Described describe_batch(const gpuhisto_count& request, const DeviceTraits& device) {
  const BatchPlan plan = plan_batch(request, device);
  return {per_block::describe_batch(task_of(request), plan.policy, device, request.strips_count), plan.policy};
}

Described describe_launch(const gpuhisto_count& request, const DeviceTraits& device) {
  if (request.key == GPUHISTO_KEY_U32) return describe_keys(request, device);
  if (request.strips_count > 1 && request.memory == GPUHISTO_ON_DEVICE) return describe_batch(request, device);
  return describe_pixels(request, device);
}

}  // namespace

void Engine::describe(const gpuhisto_count& request, gpuhisto_description& description) {
  check_request(request);
  if (request.strips_count == 0) throw DeviceError(Failure::kRequest, "there is no strip to describe");
  const auto [info, policy] = describe_launch(request, traits_);
  description.block_threads = info.shape.threads;
  description.blocks = info.shape.blocks;
  description.shared_bytes = static_cast<std::uint32_t>(info.shape.shared_bytes);
  description.passes = info.passes;
  description.pixels_per_launch = policy.bound;
  std::snprintf(description.kernel, sizeof description.kernel, "%s", info.name);
  std::snprintf(description.policy, sizeof description.policy, "%s", to_text(policy).c_str());
  if (!info.kernel) return;
  hipFuncAttributes attributes{};
  GPUHISTO_CHECK(hipFuncGetAttributes(&attributes, info.kernel));
  description.registers = static_cast<std::uint32_t>(attributes.numRegs);
  description.spilled_bytes = static_cast<std::uint32_t>(attributes.localSizeBytes);
  if (info.shape.shared_bytes > kSharedWithoutAsking) allow_shared_bytes(info.kernel, info.shape.shared_bytes);
  int resident = 0;
  GPUHISTO_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(
      &resident, info.kernel, static_cast<int>(info.shape.threads), info.shape.shared_bytes));
  description.resident_blocks = static_cast<std::uint32_t>(resident);
  description.occupancy = static_cast<float>(description.resident_blocks * info.shape.threads) /
                          static_cast<float>(traits_.threads_per_multiprocessor);
}

}  // namespace gpuhisto::kernels
