// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "engine/support_kernels.hpp"

#include <algorithm>

#define GPUHISTO_HOST_DEVICE __host__ __device__
#include "device/pixel_reader.hpp"
#include "gpuhisto/key_pattern.hpp"
#include "runtime/check.hpp"
#include "runtime/error_text.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr unsigned kFillThreads = 256;
constexpr unsigned kReadThreads = 512;
constexpr unsigned kReadLoads = 4;
constexpr unsigned kReadSmall = 8192;  // bytes a block reads at least: one vector a thread
constexpr std::uint32_t kNeverTheSum = 0x12345678;

struct FillArguments {
  PatternSpec spec;
  std::uint64_t seed = 0, first = 0, bytes = 0;
  std::uint8_t* target = nullptr;
  const PatternTables* tables = nullptr;
};

__global__ void GPUHISTO_LAUNCH_BOUNDS(kFillThreads, 1) fill_pattern_kernel(FillArguments a) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < a.bytes; i += step)
    a.target[i] = pattern_value(a.spec, a.seed, a.first + i, *a.tables);
}

struct FillKeysArguments {
  KeySpec spec;
  std::uint64_t seed = 0, first = 0, keys = 0;
  std::uint32_t* target = nullptr;
  const KeyTables* tables = nullptr;
};

__global__ void GPUHISTO_LAUNCH_BOUNDS(kFillThreads, 1) fill_keys_kernel(FillKeysArguments a) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < a.keys; i += step)
    a.target[i] = key_value(a.spec, a.seed, a.first + i, *a.tables);
}

LaunchShape fill_shape(std::uint64_t values, const DeviceTraits& device) {
  const std::uint64_t needed = (values + kFillThreads - 1) / kFillThreads;
  const std::uint64_t most = std::uint64_t{8} * device.multiprocessors;
  return {static_cast<unsigned>(std::min(needed, most)), kFillThreads, 0};
}

void check_keys(const gpuhisto_fill& fill) {
  for (const NamedPattern& named : kPatterns)
    if (static_cast<std::uint32_t>(named.spec.pattern) == fill.pattern && !pattern_has_keys(named.spec.pattern))
      throw DeviceError(Failure::kUnsupported, "pattern " + std::string(named.name) + " makes bytes, not 32-bit keys");
  if (!pattern_has_keys(static_cast<Pattern>(fill.pattern)))
    throw DeviceError(Failure::kRequest, "there is no pattern " + std::to_string(fill.pattern));
  if (fill.range < 1 || fill.range > std::uint64_t{1} << 32)
    throw DeviceError(Failure::kRequest, "a range of keys is 1 to 2^32, not " + std::to_string(fill.range));
  if (fill.bytes % 4 != 0 || reinterpret_cast<std::uintptr_t>(fill.target) % 4 != 0)
    throw DeviceError(Failure::kRequest, "keys are 4 bytes, at a multiple of 4");
}

/// The sum is compared with a value, or the compiler would leave the loads out.
__global__ void GPUHISTO_LAUNCH_BOUNDS(kReadThreads, 1)
    read_bytes_kernel(const std::uint8_t* data, std::size_t vectors, std::uint32_t* sink) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint32_t sum = 0;
  for (; i + (kReadLoads - 1) * step < vectors; i += kReadLoads * step) {
    Unit<4> unit[kReadLoads];
#pragma unroll
    for (unsigned k = 0; k < kReadLoads; ++k) unit[k] = load_unit<GrayFormat>(data + (i + k * step) * 16);
#pragma unroll
    for (unsigned k = 0; k < kReadLoads; ++k)
      sum += unit[k].word[0] ^ unit[k].word[1] ^ unit[k].word[2] ^ unit[k].word[3];
  }
  for (; i < vectors; i += step) {
    const Unit<4> unit = load_unit<GrayFormat>(data + i * 16);
    sum += unit.word[0] ^ unit.word[1] ^ unit.word[2] ^ unit.word[3];
  }
  if (sum == kNeverTheSum) *sink = sum;
}

}  // namespace

void fill_pattern(const gpuhisto_fill& fill, DeviceBuffer& tables, const DeviceTraits& device, const Stream& stream) {
  if (fill.bytes == 0) return;
  static constexpr PatternTables kTables = make_pattern_tables();
  if (tables.bytes() == 0) {
    tables.reserve(sizeof kTables);
    GPUHISTO_CHECK(hipMemcpyAsync(tables.as<void>(), &kTables, sizeof kTables, hipMemcpyHostToDevice, stream.get()));
  }
  const FillArguments a = {{static_cast<Pattern>(fill.pattern), fill.entropy_k},
                           fill.seed,
                           fill.first_index,
                           fill.bytes,
                           static_cast<std::uint8_t*>(fill.target),
                           tables.as<PatternTables>()};
  launch(fill_pattern_kernel, fill_shape(fill.bytes, device), stream.get(), a);
}

void fill_keys(const gpuhisto_fill& fill, const DeviceTraits& device, const Stream& stream) {
  check_keys(fill);
  if (fill.bytes == 0) return;
  const KeySpec spec = {static_cast<Pattern>(fill.pattern), fill.range};
  const DeviceBuffer tables(sizeof(KeyTables));
  const KeyTables made = spec.pattern == Pattern::kZipf ? make_key_tables(spec.range) : KeyTables{};
  GPUHISTO_CHECK(hipMemcpyAsync(tables.as<void>(), &made, sizeof made, hipMemcpyHostToDevice, stream.get()));
  const FillKeysArguments a = {spec,
                               fill.seed,
                               fill.first_index,
                               fill.bytes / 4,
                               static_cast<std::uint32_t*>(fill.target),
                               tables.as<KeyTables>()};
  launch(fill_keys_kernel, fill_shape(a.keys, device), stream.get(), a);
  stream.wait();  // the tables end here
}

void check_code(const DeviceTraits& device) {
  hipFuncAttributes attributes{};
  const hipError_t error = hipFuncGetAttributes(&attributes, address_of(read_bytes_kernel));
  if (error == hipSuccess) return;
  (void)hipGetLastError();
  throw DeviceError(Failure::kDevice, "the module's kernels cannot run on " + device.name + ": " + error_text(error));
}

void read_bytes(const std::uint8_t* data, std::size_t bytes, std::uint32_t* sink, const DeviceTraits& device,
                const Stream& stream) {
  const std::size_t skip = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16;
  const std::size_t vectors = bytes > skip ? (bytes - skip) / 16 : 0;
  const std::uint64_t needed = std::max<std::uint64_t>(1, (bytes + kReadSmall - 1) / kReadSmall);
  const std::uint64_t most = std::uint64_t{8} * device.multiprocessors;
  launch(read_bytes_kernel, LaunchShape{static_cast<unsigned>(std::min(needed, most)), kReadThreads, 0}, stream.get(),
         data + skip, vectors, sink);
}

}  // namespace gpuhisto::kernels
