// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// One table per channel. A table of 256 bytes is 64 words of shared memory, two a bank: at most two lanes conflict, and
// more copies gained nothing. The grid covers the image once, without a loop: copies and lookups are fastest so on the
// H200.
#include <algorithm>

#include "transforms/apply.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr unsigned kThreads = 512;

struct TableArguments {
  PixelView from;
  std::uint8_t* to = nullptr;
  std::size_t to_pitch = 0;
  const std::uint8_t* tables = nullptr;
  unsigned skip_transparent = 0;
};

/// Copies the tables to shared memory; a barrier must follow.
template <unsigned kChannelsInPixel>
__device__ __forceinline__ void load_tables(const std::uint8_t* tables, std::uint32_t* shared) {
  const std::uint32_t* words = reinterpret_cast<const std::uint32_t*>(tables);
  for (unsigned i = threadIdx.x; i < kChannelsInPixel * kTableBytes / 4; i += blockDim.x) shared[i] = words[i];
}

/// Byte i of the pixels goes through table i mod kChannelsInPixel.
template <unsigned kChannelsInPixel, unsigned kFirst>
__device__ __forceinline__ std::uint32_t look_up(std::uint32_t word, const std::uint8_t* tables) {
  const std::uint32_t a = tables[kFirst % kChannelsInPixel * kTableBytes + byte_of<0>(word)];
  const std::uint32_t b = tables[(kFirst + 1) % kChannelsInPixel * kTableBytes + byte_of<1>(word)];
  const std::uint32_t c = tables[(kFirst + 2) % kChannelsInPixel * kTableBytes + byte_of<2>(word)];
  const std::uint32_t d = tables[(kFirst + 3) % kChannelsInPixel * kTableBytes + byte_of<3>(word)];
  return pack_bytes(a, b, c, d);
}

/// Puts back what belongs to pixels of alpha 0.
template <unsigned kChannelsInPixel>
__device__ __forceinline__ std::uint32_t keep_transparent(std::uint32_t before, std::uint32_t after) {
  if (kChannelsInPixel == 4) return before >> 24 == 0 ? before : after;
  std::uint32_t mask = 0;
  if (byte_of<1>(before) == 0) mask |= 0x0000ffffu;
  if (byte_of<3>(before) == 0) mask |= 0xffff0000u;
  return (before & mask) | (after & ~mask);
}

template <unsigned kChannelsInPixel>
__device__ __forceinline__ void map_pixel(const std::uint8_t* from, std::uint8_t* to, const std::uint8_t* tables,
                                          bool skip_transparent) {
  constexpr bool kAlpha = kChannelsInPixel % 2 == 0;
  const bool keep = kAlpha && skip_transparent && from[kChannelsInPixel - 1] == 0;
#pragma unroll
  for (unsigned c = 0; c < kChannelsInPixel; ++c) to[c] = keep ? from[c] : tables[c * kTableBytes + from[c]];
}

template <unsigned kChannelsInPixel>
struct Shape {
  static constexpr unsigned kPixelBytes = kChannelsInPixel;
  static constexpr unsigned kUnitWords = kChannelsInPixel == 3 ? 12 : 4;
  static constexpr unsigned kUnitPixels = kUnitWords * 4 / kChannelsInPixel;
};

/// Word i of a unit starts with channel 4 i mod kChannelsInPixel.
template <unsigned kChannelsInPixel, unsigned kWord = 0>
__device__ __forceinline__ void map_words(const Unit<Shape<kChannelsInPixel>::kUnitWords>& in,
                                          Unit<Shape<kChannelsInPixel>::kUnitWords>& out, const std::uint8_t* tables) {
  out.word[kWord] = look_up<kChannelsInPixel, 4 * kWord % kChannelsInPixel>(in.word[kWord], tables);
  if constexpr (kWord + 1 < Shape<kChannelsInPixel>::kUnitWords)
    map_words<kChannelsInPixel, kWord + 1>(in, out, tables);
}

/// Two vectors a thread, or three for three channels.
template <unsigned kChannelsInPixel>
constexpr unsigned kUnits = kChannelsInPixel == 3 ? 1 : 2;

template <unsigned kChannelsInPixel>
__device__ __forceinline__ void map_unit(const Unit<Shape<kChannelsInPixel>::kUnitWords>& in, std::uint8_t* to,
                                         const std::uint8_t* tables, bool skip_transparent) {
  using Pixels = Shape<kChannelsInPixel>;
  Unit<Pixels::kUnitWords> mapped;
  map_words<kChannelsInPixel>(in, mapped, tables);
  if (kChannelsInPixel % 2 == 0 && skip_transparent)
    for (unsigned i = 0; i < Pixels::kUnitWords; ++i)
      mapped.word[i] = keep_transparent<kChannelsInPixel>(in.word[i], mapped.word[i]);
  store_unit(mapped, to);
}

template <unsigned kChannelsInPixel>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, 4) apply_tables_kernel(TableArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  using Pixels = Shape<kChannelsInPixel>;
  constexpr std::size_t kUnitBytes = Pixels::kUnitWords * 4;
  load_tables<kChannelsInPixel>(a.tables, reinterpret_cast<std::uint32_t*>(shared));
  const RowParts parts = split_row<Pixels>(a.from.data, a.from.width);
  const std::uint32_t first = blockIdx.x * blockDim.x * kUnits<kChannelsInPixel> + threadIdx.x;
  const std::size_t body = std::size_t{parts.head} * kChannelsInPixel;
  Unit<Pixels::kUnitWords> in[kUnits<kChannelsInPixel>] = {};  // on their way while the tables are loaded
#pragma unroll
  for (unsigned k = 0; k < kUnits<kChannelsInPixel>; ++k)
    if (first + k * blockDim.x < parts.units)
      in[k] = load_unit<Pixels>(a.from.data + body + (first + k * blockDim.x) * kUnitBytes);
  __syncthreads();
  const std::uint8_t* tables = reinterpret_cast<const std::uint8_t*>(shared);
#pragma unroll
  for (unsigned k = 0; k < kUnits<kChannelsInPixel>; ++k)
    if (first + k * blockDim.x < parts.units)
      map_unit<kChannelsInPixel>(in[k], a.to + body + (first + k * blockDim.x) * kUnitBytes, tables,
                                 a.skip_transparent != 0);
  const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::size_t rest = body + parts.units * kUnitBytes;
  if (thread < parts.head)
    map_pixel<kChannelsInPixel>(a.from.data + thread * kChannelsInPixel, a.to + thread * kChannelsInPixel, tables,
                                a.skip_transparent != 0);
  if (thread < parts.tail)
    map_pixel<kChannelsInPixel>(a.from.data + rest + thread * kChannelsInPixel, a.to + rest + thread * kChannelsInPixel,
                                tables, a.skip_transparent != 0);
}

/// Any pitch and alignment, a pixel at a time.
template <unsigned kChannelsInPixel>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, 2) apply_tables_rows_kernel(TableArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  load_tables<kChannelsInPixel>(a.tables, reinterpret_cast<std::uint32_t*>(shared));
  __syncthreads();
  const std::uint8_t* tables = reinterpret_cast<const std::uint8_t*>(shared);
  PixelWalk walk(a.from, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  for (; walk.inside(); walk.next()) {
    const std::size_t column = std::size_t{walk.column()} * kChannelsInPixel;
    map_pixel<kChannelsInPixel>(a.from.row(walk.row()) + column, a.to + walk.row() * a.to_pitch + column, tables,
                                a.skip_transparent);
  }
}

template <unsigned kChannelsInPixel>
void launch_tables(const ApplyTask& task, const DeviceTraits& device, const Stream& stream) {
  const TableArguments a = {task.from, task.to, task.to_pitch, task.tables, task.skip_transparent ? 1u : 0u};
  const std::uint64_t pixels = std::uint64_t{task.from.width} * task.from.rows;
  LaunchShape shape = {1, std::min(kThreads, device.max_block_threads), kChannelsInPixel * kTableBytes};
  if (in_step(task) && can_align<Shape<kChannelsInPixel>>(reinterpret_cast<std::uintptr_t>(task.from.data))) {
    const std::uint64_t per_block =
        std::uint64_t{shape.threads} * kUnits<kChannelsInPixel> * Shape<kChannelsInPixel>::kUnitPixels;
    shape.blocks = static_cast<unsigned>((pixels + per_block - 1) / per_block);
    return launch(apply_tables_kernel<kChannelsInPixel>, shape, stream.get(), a);
  }
  const std::uint64_t needed = (pixels + shape.threads - 1) / shape.threads;
  shape.blocks = static_cast<unsigned>(std::min<std::uint64_t>(needed, std::uint64_t{4} * device.multiprocessors));
  launch(apply_tables_rows_kernel<kChannelsInPixel>, shape, stream.get(), a);
}

}  // namespace

void apply_tables(const ApplyTask& task, const DeviceTraits& device, const Stream& stream) {
  if (task.from.width == 0 || task.from.rows == 0) return;
  if (task.channels == 1) launch_tables<1>(task, device, stream);
  if (task.channels == 2) launch_tables<2>(task, device, stream);
  if (task.channels == 3) launch_tables<3>(task, device, stream);
  if (task.channels == 4) launch_tables<4>(task, device, stream);
}

}  // namespace gpuhisto::kernels
