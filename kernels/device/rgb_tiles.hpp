// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Reads RGB without gaps so that lanes load neighbouring vectors of 16 bytes, whatever pixels these cut. 32 lanes take
// a tile of three runs of 512 bytes, together 512 pixels. Counting red, green and blue needs no whole pixels, only the
// channel of a byte, and of byte j in run k that is (lane + 2k + j) mod 3: three addresses, in turned order. For the
// luma a lane takes the pixels that start in its vectors, the last of which needs two bytes of the next lane; over the
// three runs that makes 6 + 5 + 5 pixels for every lane.
//
// Where each lane loads 48 bytes of whole pixels instead, the load unit is busy three times as long (RGB + luma 92 % of
// the read rate on one H200, this way 97 %); a detour through shared memory by asynchronous copies gave 94 %.
#pragma once

#include "device/block_bins.hpp"

namespace gpuhisto::kernels {

inline constexpr unsigned kTileLanes = 32;
inline constexpr unsigned kTileRuns = 3;
inline constexpr unsigned kTilePixels = 512;
inline constexpr unsigned kTileBytes = 3 * kTilePixels;

/// What a lane loads of a tile.
struct TilePart {
  uint4 run[kTileRuns];
};

__device__ __forceinline__ TilePart load_tile_part(const std::uint8_t* tile, unsigned lane) {
  TilePart part;
#pragma unroll
  for (unsigned k = 0; k < kTileRuns; ++k) part.run[k] = reinterpret_cast<const uint4*>(tile)[k * kTileLanes + lane];
  return part;
}

/// Counts a lane's parts of tiles.
template <typename Format, typename Bins>
class TileCounter {
 public:
  __device__ __forceinline__ TileCounter(const Bins& bins, const typename Format::Luma& luma, unsigned lane)
      : bins_(bins), luma_(luma), is_first_(lane == 0), aligned_run_(lane % 3) {
#pragma unroll
    for (unsigned c = 0; c < 3; ++c) origin_[c] = keep_in_register(bins.origin((lane + c) % 3));
#pragma unroll
    for (unsigned k = 0; k < kTileRuns; ++k) start_bits_[k] = keep_in_register((3 - (lane + 2 * k) % 3) % 3 * 8);
    next_lane_ = threadIdx.x % warpSize / kTileLanes * kTileLanes + (lane + 1) % kTileLanes;
  }

  /// Whole waves call it, for the shuffles; a lane whose `has` is false has no part.
  __device__ __forceinline__ void count(const TilePart& part, bool has) const {
    std::uint32_t next[kTileRuns] = {};
    if constexpr (Format::Luma::kCounts) {
      // After lane 31 comes lane 0 of the next run; at the end of the tile the last pixel is whole.
      next[0] = wave_shuffle(is_first_ ? part.run[1].x : part.run[0].x, next_lane_);
      next[1] = wave_shuffle(is_first_ ? part.run[2].x : part.run[1].x, next_lane_);
      next[2] = wave_shuffle(part.run[2].x, next_lane_);
    }
    if (!has) return;
    count_run<0>(part.run[0], next[0]);
    count_run<1>(part.run[1], next[1]);
    count_run<2>(part.run[2], next[2]);
    if constexpr (Format::Luma::kCounts)
      count_luma(luma_.template of<3>(of_aligned_run(part.run[0].w, part.run[1].w, part.run[2].w),
                                      of_aligned_run(next[0], next[1], next[2])));
  }

 private:
  template <unsigned kRun>
  __device__ __forceinline__ void count_run(const uint4& vector, std::uint32_t next) const {
    count_word<2 * kRun>(vector.x);
    count_word<2 * kRun + 1>(vector.y);
    count_word<2 * kRun + 2>(vector.z);
    count_word<2 * kRun>(vector.w);
    if constexpr (Format::Luma::kCounts) {  // the five pixels from the first that starts in this vector
      const std::uint32_t bits = start_bits_[kRun];
      const std::uint32_t a = align_bits(vector.x, vector.y, bits), b = align_bits(vector.y, vector.z, bits);
      const std::uint32_t c = align_bits(vector.z, vector.w, bits), d = align_bits(vector.w, next, bits);
      count_luma(luma_.template of<0>(a, 0));
      count_luma(luma_.template of<3>(a, b));
      count_luma(luma_.template of<2>(b, c));
      count_luma(luma_.template of<1>(c, 0));
      count_luma(luma_.template of<0>(d, 0));
    }
  }
  /// The word's first byte is of channel (lane + kTurn) mod 3.
  template <unsigned kTurn>
  __device__ __forceinline__ void count_word(std::uint32_t word) const {
    bins_.template count_from<0>(origin_[kTurn % 3], word);
    bins_.template count_from<1>(origin_[(kTurn + 1) % 3], word);
    bins_.template count_from<2>(origin_[(kTurn + 2) % 3], word);
    bins_.template count_from<3>(origin_[kTurn % 3], word);
  }
  __device__ __forceinline__ void count_luma(std::uint32_t luma) const { bins_.template count<3, 2>(luma); }
  /// Of the run that begins with a whole pixel: there a sixth one starts.
  __device__ __forceinline__ std::uint32_t of_aligned_run(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const std::uint32_t a_or_b = aligned_run_ == 1 ? b : a;
    return aligned_run_ == 2 ? c : a_or_b;
  }

  Bins bins_;
  typename Format::Luma luma_;
  bool is_first_;
  unsigned aligned_run_, next_lane_;
  std::uint32_t origin_[3], start_bits_[kTileRuns];
};

/// The pixels dealt to the threads of one block.
template <typename Format, typename Bins>
__device__ __forceinline__ void count_single_pixels(const std::uint8_t* from, std::uint32_t pixels,
                                                    const typename Format::Luma& luma, Bins& bins) {
  for (std::uint32_t i = threadIdx.x; i < pixels; i += blockDim.x)
    visit_pixel<Format>(load_pixel<Format>(from + std::size_t{i} * Format::kPixelBytes), luma, bins);
}

/// All pixels of a one-row view of RGB, dealt to all threads of the grid. With kLoads = 2 a lane's part of its next
/// tile is on the way while it counts one.
template <typename Format, unsigned kLoads, typename Bins>
__device__ __forceinline__ void read_rgb_tiles(const PixelView& view, const typename Format::Luma& luma, Bins& bins) {
  constexpr bool kAhead = kLoads > 1;
  const std::uint32_t head = split_row<Format, 128>(view.data, view.width).head;
  const std::uint32_t tiles = (view.width - head) / kTilePixels;
  const std::uint8_t* body = view.data + std::size_t{head} * Format::kPixelBytes;
  if (blockIdx.x == gridDim.x - 1) {  // what fills no tile
    count_single_pixels<Format>(view.data, head, luma, bins);
    count_single_pixels<Format>(body + std::size_t{tiles} * kTileBytes, view.width - head - tiles * kTilePixels, luma,
                                bins);
  }
  const unsigned lane = threadIdx.x % kTileLanes, step = gridDim.x * (blockDim.x / kTileLanes);
  const TileCounter<Format, Bins> counter(bins, luma, lane);
  std::uint32_t tile = threadIdx.x / kTileLanes * gridDim.x + blockIdx.x;
  const std::uint8_t* at = body + std::size_t{tile} * kTileBytes;
  TilePart part = {}, ahead = {};
  if (kAhead && tile < tiles) part = load_tile_part(at, lane);
  // The groups of a wave stay together until its first one has no tile any more: the shuffles need all lanes.
  const unsigned first_group = threadIdx.x / warpSize * (warpSize / kTileLanes);
  for (std::uint32_t first_tile = first_group * gridDim.x + blockIdx.x; first_tile < tiles; first_tile += step) {
    const bool has = tile < tiles;
    const std::uint8_t* next = at + std::size_t{step} * kTileBytes;
    if (kAhead && tile + step < tiles) ahead = load_tile_part(next, lane);
    if (!kAhead && has) part = load_tile_part(at, lane);
    counter.count(part, has);
    if (kAhead) part = ahead;
    tile += step;
    at = next;
  }
}

}  // namespace gpuhisto::kernels
