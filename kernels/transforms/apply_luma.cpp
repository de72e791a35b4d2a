// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Luma equalisation: RGB to YCrCb, Y through a table, back.
//
// RGB goes through shared memory so that global loads and stores are whole lines while a thread works on 48 bytes.
#include <algorithm>

#include "transforms/apply.hpp"
#include "transforms/luma_pixel.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kUnitVectors = 3;

struct LumaArguments {
  PixelView from;
  std::uint8_t* to = nullptr;
  std::size_t to_pitch = 0;
  const std::uint8_t* table = nullptr;
  unsigned skip_transparent = 0;
};

using Table = const std::int32_t*;  // table[y] = fixed_luma(new y)

__device__ __forceinline__ void load_table(const std::uint8_t* table, std::int32_t* shared) {
  for (unsigned i = threadIdx.x; i < kTableBytes; i += blockDim.x) shared[i] = fixed_luma(table[i]);
}

template <int kByte>
__device__ __forceinline__ Rgb map_pixel(std::uint32_t low, std::uint32_t high, const WeightedLuma& luma, Table table) {
  const std::uint32_t y = byte_of<2>(luma.of<kByte>(low, high));
  return replace_luma<kByte>(low, high, y, table[y]);
}

__device__ __forceinline__ void map_four(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c, const WeightedLuma& luma,
                                         Table table) {
  const Rgb p = map_pixel<0>(a, 0, luma, table), q = map_pixel<3>(a, b, luma, table);
  const Rgb r = map_pixel<2>(b, c, luma, table), s = map_pixel<1>(c, 0, luma, table);
  a = pack_bytes2(p.red, p.green, p.blue, q.red);
  b = pack_bytes2(q.green, q.blue, r.red, r.green);
  c = pack_bytes2(r.blue, s.red, s.green, s.blue);
}

__device__ __forceinline__ std::uint32_t map_rgba(std::uint32_t pixel, const WeightedLuma& luma, Table table,
                                                  bool skip_transparent) {
  if (skip_transparent && pixel >> 24 == 0) return pixel;
  const Rgb mapped = map_pixel<0>(pixel, 0, luma, table);
  return (pack_bytes2(mapped.red, mapped.green, mapped.blue, 0) & 0x00ffffffu) | (pixel & 0xff000000u);
}

template <unsigned kBytes>
struct Shape {
  static constexpr unsigned kPixelBytes = kBytes;
  static constexpr unsigned kUnitWords = kBytes == 3 ? 12 : 4;
  static constexpr unsigned kUnitPixels = kUnitWords * 4 / kBytes;
};

/// One pixel in memory.
template <unsigned kBytes>
__device__ __forceinline__ void map_single(const std::uint8_t* from, std::uint8_t* to, const WeightedLuma& luma,
                                           Table table, bool skip_transparent) {
  std::uint32_t pixel = load_pixel<Shape<kBytes>>(from);
  if (kBytes == 3) pixel |= 0xff000000u;
  const std::uint32_t mapped = map_rgba(pixel, luma, table, skip_transparent);
#pragma unroll
  for (unsigned i = 0; i < kBytes; ++i) to[i] = static_cast<std::uint8_t>(mapped >> (8 * i));
}

/// Head and tail of a view in step; the body is the kernels' own.
template <unsigned kBytes>
__device__ __forceinline__ void map_ends(const LumaArguments& a, const RowParts& parts, const WeightedLuma& luma,
                                         Table table) {
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::size_t rest = (std::size_t{parts.head} + std::size_t{parts.units} * Shape<kBytes>::kUnitPixels) * kBytes;
  if (thread < parts.head)
    map_single<kBytes>(a.from.data + thread * kBytes, a.to + thread * kBytes, luma, table, a.skip_transparent != 0);
  if (thread < parts.tail)
    map_single<kBytes>(a.from.data + rest + thread * kBytes, a.to + rest + thread * kBytes, luma, table,
                       a.skip_transparent != 0);
}

/// A wave maps a unit a lane; vectors are dealt to lanes one by one on the way in and out, three by three in between.
__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, 8) apply_luma_rgb_kernel(LumaArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  std::int32_t* table = reinterpret_cast<std::int32_t*>(shared);
  const std::uint32_t wave_lanes = warpSize, lane = threadIdx.x % wave_lanes, wave = threadIdx.x / wave_lanes;
  uint4* tile = shared + kTableBytes * sizeof(std::int32_t) / sizeof(uint4) + wave * wave_lanes * kUnitVectors;
  const RowParts parts = split_row<Shape<3>>(a.from.data, a.from.width);
  const std::uint32_t first = blockIdx.x * blockDim.x + wave * wave_lanes;  // unit
  const std::uint32_t left = parts.units > first ? parts.units - first : 0;
  const std::uint32_t vectors = (left < wave_lanes ? left : wave_lanes) * kUnitVectors;
  const std::size_t offset = std::size_t{parts.head} * 3 + std::size_t{first} * kUnitVectors * sizeof(uint4);
  const uint4* in = reinterpret_cast<const uint4*>(a.from.data + offset);
  uint4* out = reinterpret_cast<uint4*>(a.to + offset);
  uint4 vector[kUnitVectors];  // on their way while the table is loaded
#pragma unroll
  for (std::uint32_t k = 0; k < kUnitVectors; ++k)
    if (lane + k * wave_lanes < vectors) vector[k] = load_once(in + lane + k * wave_lanes);
  load_table(a.table, table);
  __syncthreads();
#pragma unroll
  for (std::uint32_t k = 0; k < kUnitVectors; ++k)
    if (lane + k * wave_lanes < vectors) tile[lane + k * wave_lanes] = vector[k];
  wave_barrier();
  const WeightedLuma luma = ycrcb_luma();
  if (lane < left) {
    std::uint8_t* mine = reinterpret_cast<std::uint8_t*>(tile + lane * kUnitVectors);
    Unit<12> unit = load_unit<Shape<3>>(mine);
#pragma unroll
    for (unsigned i = 0; i < 12; i += 3) map_four(unit.word[i], unit.word[i + 1], unit.word[i + 2], luma, table);
    store_unit(unit, mine);
  }
  wave_barrier();
#pragma unroll
  for (std::uint32_t k = 0; k < kUnitVectors; ++k)
    if (lane + k * wave_lanes < vectors) store_once(out + lane + k * wave_lanes, tile[lane + k * wave_lanes]);
  map_ends<3>(a, parts, luma, table);
}

__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, 8) apply_luma_rgba_kernel(LumaArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  std::int32_t* table = reinterpret_cast<std::int32_t*>(shared);
  load_table(a.table, table);
  __syncthreads();
  const RowParts parts = split_row<Shape<4>>(a.from.data, a.from.width);
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::size_t offset = std::size_t{parts.head} * 4 + std::size_t{thread} * sizeof(uint4);
  const WeightedLuma luma = ycrcb_luma();
  if (thread < parts.units) {
    Unit<4> unit = load_unit<Shape<4>>(a.from.data + offset);
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) unit.word[i] = map_rgba(unit.word[i], luma, table, a.skip_transparent != 0);
    store_unit(unit, a.to + offset);
  }
  map_ends<4>(a, parts, luma, table);
}

/// Any pitch and alignment, a pixel at a time.
template <unsigned kBytes>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, 8) apply_luma_rows_kernel(LumaArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  std::int32_t* table = reinterpret_cast<std::int32_t*>(shared);
  load_table(a.table, table);
  __syncthreads();
  const WeightedLuma luma = ycrcb_luma();
  PixelWalk walk(a.from, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  for (; walk.inside(); walk.next()) {
    const std::size_t column = std::size_t{walk.column()} * kBytes;
    map_single<kBytes>(a.from.row(walk.row()) + column, a.to + walk.row() * a.to_pitch + column, luma, table,
                       a.skip_transparent != 0);
  }
}

}  // namespace

void apply_luma(const ApplyTask& task, const DeviceTraits& device, const Stream& stream) {
  const std::uint64_t pixels = std::uint64_t{task.from.width} * task.from.rows;
  if (pixels == 0) return;
  const LumaArguments a = {task.from, task.to, task.to_pitch, task.tables, task.skip_transparent ? 1u : 0u};
  const bool rgb = task.channels == 3;
  const std::size_t table_bytes = kTableBytes * sizeof(std::int32_t);
  LaunchShape shape = {1, kThreads, table_bytes};
  if (in_step(task) && (rgb || reinterpret_cast<std::uintptr_t>(task.from.data) % 4 == 0)) {
    const std::uint64_t per_block = std::uint64_t{kThreads} * (rgb ? 16 : 4);
    shape.blocks = static_cast<unsigned>((pixels + per_block - 1) / per_block);
    if (rgb) shape.shared_bytes += kThreads * kUnitVectors * sizeof(uint4);
    return launch(rgb ? apply_luma_rgb_kernel : apply_luma_rgba_kernel, shape, stream.get(), a);
  }
  const std::uint64_t needed = (pixels + kThreads - 1) / kThreads;
  shape.blocks = static_cast<unsigned>(std::min<std::uint64_t>(needed, std::uint64_t{8} * device.multiprocessors));
  launch(rgb ? apply_luma_rows_kernel<3> : apply_luma_rows_kernel<4>, shape, stream.get(), a);
}

}  // namespace gpuhisto::kernels
