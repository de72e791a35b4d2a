// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The one place where pixels are loaded: single ones, and rows as head, 16-byte body and tail. No pixel outside the
// view is touched, whatever its alignment, width and pitch.
#pragma once

#include "device/pixel_formats.hpp"

namespace gpuhisto::kernels {

/// Pixels in device memory. A launch sees at most 2^31 of them (kMostPixels), so sizes and positions fit in 32 bits
/// with room for a step past the end.
struct PixelView {
  const std::uint8_t* data = nullptr;
  std::uint32_t width = 0;  ///< pixels; of a view without gaps all of them, in one row
  std::uint32_t rows = 0;
  std::size_t pitch = 0;  ///< bytes between rows

  __device__ __forceinline__ const std::uint8_t* row(std::uint32_t y) const { return data + y * pitch; }
};

/// How rows are dealt to teams of neighbouring threads: a team takes a segment of lanes * kLoads units at a time, and
/// goes on with the one that lies as many segments further as there are teams. The steps are divided out on the host:
/// in a kernel they cost no registers then.
struct RowPlan {
  std::uint32_t lanes = 32;    ///< threads of a team, >= 16: a head or a tail has at most 15 pixels, one a thread
  std::uint32_t segments = 1;  ///< of a row
  std::uint32_t row_step = 1, segment_step = 0;

  /// For that many teams.
  __host__ __device__ void set_teams(std::uint32_t teams) {
    row_step = teams / segments;
    segment_step = teams % segments;
  }
};

/// One pixel, its first byte lowest.
template <typename Format>
__device__ __forceinline__ std::uint32_t load_pixel(const std::uint8_t* at) {
  std::uint32_t pixel = at[0];
#pragma unroll
  for (unsigned i = 1; i < Format::kPixelBytes; ++i) pixel |= static_cast<std::uint32_t>(at[i]) << (8 * i);
  return pixel;
}

/// A unit at a 16-byte boundary.
template <typename Format>
__device__ __forceinline__ Unit<Format::kUnitWords> load_unit(const std::uint8_t* at) {
  Unit<Format::kUnitWords> unit;
  const uint4* vectors = reinterpret_cast<const uint4*>(at);
#pragma unroll
  for (unsigned i = 0; i < Format::kUnitWords / 4; ++i) {
    const uint4 vector = vectors[i];
    unit.word[4 * i] = vector.x;
    unit.word[4 * i + 1] = vector.y;
    unit.word[4 * i + 2] = vector.z;
    unit.word[4 * i + 3] = vector.w;
  }
  return unit;
}

/// The same for what is read once: caches need not keep it.
template <typename Format>
__device__ __forceinline__ Unit<Format::kUnitWords> load_unit_once(const std::uint8_t* at) {
  Unit<Format::kUnitWords> unit;
#pragma unroll
  for (unsigned i = 0; i < Format::kUnitWords / 4; ++i) {
    const uint4 vector = load_once(reinterpret_cast<const uint4*>(at) + i);
    unit.word[4 * i] = vector.x;
    unit.word[4 * i + 1] = vector.y;
    unit.word[4 * i + 2] = vector.z;
    unit.word[4 * i + 3] = vector.w;
  }
  return unit;
}
template <unsigned kWords>
__device__ __forceinline__ void store_unit_once(const Unit<kWords>& unit, std::uint8_t* at) {
#pragma unroll
  for (unsigned i = 0; i < kWords / 4; ++i)
    store_once(reinterpret_cast<uint4*>(at) + i,
               make_uint4(unit.word[4 * i], unit.word[4 * i + 1], unit.word[4 * i + 2], unit.word[4 * i + 3]));
}

/// The counterpart: writes a unit at a 16-byte boundary.
template <unsigned kWords>
__device__ __forceinline__ void store_unit(const Unit<kWords>& unit, std::uint8_t* at) {
  uint4* vectors = reinterpret_cast<uint4*>(at);
#pragma unroll
  for (unsigned i = 0; i < kWords / 4; ++i)
    vectors[i] = make_uint4(unit.word[4 * i], unit.word[4 * i + 1], unit.word[4 * i + 2], unit.word[4 * i + 3]);
}

/// A unit anywhere, byte by byte: for pixels of 2 or 4 bytes that start between their own multiples.
template <typename Format>
__device__ __forceinline__ Unit<Format::kUnitWords> load_unit_bytes(const std::uint8_t* at) {
  Unit<Format::kUnitWords> unit;
#pragma unroll
  for (unsigned i = 0; i < Format::kUnitWords; ++i) {
    unit.word[i] = 0;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) unit.word[i] |= static_cast<std::uint32_t>(at[4 * i + k]) << (8 * k);
  }
  return unit;
}

/// Whether some pixel of a row that starts there lies on a 16-byte boundary.
template <typename Format>
__host__ __device__ constexpr bool can_align(std::uintptr_t address) {
  return Format::kPixelBytes == 3 || address % Format::kPixelBytes == 0;
}

/// Pixels before the first one on a multiple of kAlign (16 or 128) bytes; 0 if there is none.
template <typename Format, std::uint32_t kAlign>
__device__ __forceinline__ std::uint32_t head_pixels(const std::uint8_t* row) {
  const auto address = reinterpret_cast<std::uintptr_t>(row);
  const std::uint32_t bytes = static_cast<std::uint32_t>(0 - address) & (kAlign - 1);
  if (Format::kPixelBytes == 3) return (bytes * (kAlign == 16 ? 11 : 43)) & (kAlign - 1);  // 11 and 43 are 1/3
  return can_align<Format>(address) ? bytes / Format::kPixelBytes : 0;
}

struct RowParts {
  std::uint32_t head, units, tail;  ///< pixels, units, pixels
};

template <typename Format, std::uint32_t kAlign = 16>
__device__ __forceinline__ RowParts split_row(const std::uint8_t* row, std::uint32_t pixels) {
  std::uint32_t head = head_pixels<Format, kAlign>(row);
  if (head > pixels) head = pixels;
  const std::uint32_t units = (pixels - head) / Format::kUnitPixels;
  return {head, units, pixels - head - units * Format::kUnitPixels};
}

/// All pixels of a one-row view that can be aligned, dealt to `threads` threads of which this is number `thread`.
template <typename Format, unsigned kLoads, typename Sink>
__device__ __forceinline__ void read_flat(const PixelView& view, std::uint32_t thread, std::uint32_t threads,
                                          const typename Format::Luma& luma, Sink& sink) {
  constexpr std::size_t kUnitBytes = Format::kUnitWords * 4;
  const RowParts parts = split_row<Format, 128>(view.data, view.width);
  const std::uint8_t* body = view.data + std::size_t{parts.head} * Format::kPixelBytes;
  const std::uint8_t* tail = body + parts.units * kUnitBytes;
  for (std::uint32_t i = thread; i < parts.head; i += threads)
    visit_pixel<Format>(load_pixel<Format>(view.data + std::size_t{i} * Format::kPixelBytes), luma, sink);
  for (std::uint32_t i = thread; i < parts.tail; i += threads)
    visit_pixel<Format>(load_pixel<Format>(tail + std::size_t{i} * Format::kPixelBytes), luma, sink);

  Unit<Format::kUnitWords> unit[kLoads];
  std::uint32_t i = thread;
  const std::uint32_t ahead = (kLoads - 1) * threads;
  for (; parts.units > ahead && i < parts.units - ahead; i += kLoads * threads) {
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) unit[k] = load_unit<Format>(body + (i + k * threads) * kUnitBytes);
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) Format::visit_unit(unit[k], luma, sink);
  }
  // Fewer than kLoads are left. They too are loaded together: one after the other they would take kLoads times as long.
#pragma unroll
  for (unsigned k = 0; k + 1 < kLoads; ++k)
    if (i + k * threads < parts.units) unit[k] = load_unit<Format>(body + (i + k * threads) * kUnitBytes);
#pragma unroll
  for (unsigned k = 0; k + 1 < kLoads; ++k)
    if (i + k * threads < parts.units) Format::visit_unit(unit[k], luma, sink);
}

/// The (row, segment) pairs of one team, by its number.
class RowWalk {
 public:
  __device__ __forceinline__ RowWalk(const RowPlan& plan, std::uint32_t team)
      : row_(team / plan.segments), segment_(team % plan.segments) {}
  __device__ __forceinline__ std::uint32_t row() const { return row_; }
  __device__ __forceinline__ std::uint32_t segment() const { return segment_; }
  __device__ __forceinline__ bool is_last(const RowPlan& plan) const { return segment_ == plan.segments - 1; }
  __device__ __forceinline__ void next(const RowPlan& plan) {
    row_ += plan.row_step;
    segment_ += plan.segment_step;
    if (segment_ >= plan.segments) {
      segment_ -= plan.segments;
      ++row_;
    }
  }

 private:
  std::uint32_t row_, segment_;
};

/// What one thread gets of one segment: up to kLoads units, a pixel of the head, a pixel of the tail.
template <typename Format, unsigned kLoads>
class RowPiece {
 public:
  __device__ __forceinline__ RowPiece(const PixelView& view, const RowPlan& plan, const RowWalk& walk,
                                      std::uint32_t lane) {
    units_ = 0;
    has_head_ = has_tail_ = false;
    if (walk.row() >= view.rows) return;
    const std::uint8_t* row = view.row(walk.row());
    const RowParts parts = split_row<Format>(row, view.width);
    const std::uint8_t* body = row + parts.head * Format::kPixelBytes;
    load_units(body, parts.units, walk.segment() * plan.lanes * kLoads + lane, plan.lanes);
    has_head_ = walk.segment() == 0 && lane < parts.head;
    if (has_head_) head_ = load_pixel<Format>(row + lane * Format::kPixelBytes);
    has_tail_ = walk.is_last(plan) && lane < parts.tail;
    if (has_tail_)
      tail_ = load_pixel<Format>(body + std::size_t{parts.units} * Format::kUnitWords * 4 + lane * Format::kPixelBytes);
  }

  template <typename Sink>
  __device__ __forceinline__ void visit(const typename Format::Luma& luma, Sink& sink) const {
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k)
      if (k < units_) Format::visit_unit(unit_[k], luma, sink);
    if (has_head_) visit_pixel<Format>(head_, luma, sink);
    if (has_tail_) visit_pixel<Format>(tail_, luma, sink);
  }

 private:
  __device__ __forceinline__ void load_units(const std::uint8_t* body, std::uint32_t units, std::uint32_t first,
                                             std::uint32_t step) {
    constexpr std::size_t kUnitBytes = Format::kUnitWords * 4;
    // Pixels of 1 and 3 bytes always reach a boundary; others may start between their own multiples.
    constexpr bool kAlways = Format::kPixelBytes % 2 == 1;
    const bool aligned = kAlways || reinterpret_cast<std::uintptr_t>(body) % 16 == 0;
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      const std::uint32_t i = first + k * step;
      if (i >= units) continue;
      units_ = k + 1;
      unit_[k] = aligned ? load_unit<Format>(body + i * kUnitBytes) : load_unit_bytes<Format>(body + i * kUnitBytes);
    }
  }

  Unit<Format::kUnitWords> unit_[kLoads];
  std::uint32_t units_, head_ = 0, tail_ = 0;
  bool has_head_, has_tail_;
};

/// All pixels of a view, any alignment and pitch, that fall to team number `team` of those the plan is for.
template <typename Format, unsigned kLoads, typename Sink>
__device__ __forceinline__ void read_rows(const PixelView& view, const RowPlan& plan, std::uint32_t team,
                                          const typename Format::Luma& luma, Sink& sink) {
  const std::uint32_t lane = threadIdx.x % plan.lanes;
  for (RowWalk walk(plan, team); walk.row() < view.rows; walk.next(plan)) {
    const RowPiece<Format, kLoads> piece(view, plan, walk, lane);
    piece.visit(luma, sink);
  }
}

/// This thread's team when blocks take turns, so that neighbouring teams are on different multiprocessors.
__device__ __forceinline__ std::uint32_t team_of_grid(const RowPlan& plan) {
  return threadIdx.x / plan.lanes * gridDim.x + blockIdx.x;
}

/// Single pixels in row order, each threads-th; every thread makes the same number of steps.
class PixelWalk {
 public:
  __device__ __forceinline__ PixelWalk(const PixelView& view, std::uint32_t thread, std::uint32_t threads)
      : row_(thread / view.width),
        column_(thread % view.width),
        row_step_(threads / view.width),
        column_step_(threads % view.width),
        width_(view.width),
        rows_(view.rows) {
    const std::uint64_t pixels = std::uint64_t{view.width} * view.rows;
    rounds_ = static_cast<std::uint32_t>((pixels + threads - 1) / threads);
  }
  __device__ __forceinline__ std::uint32_t rounds() const { return rounds_; }
  __device__ __forceinline__ bool inside() const { return row_ < rows_; }
  __device__ __forceinline__ std::uint32_t row() const { return row_; }
  __device__ __forceinline__ std::uint32_t column() const { return column_; }
  __device__ __forceinline__ void next() {
    row_ += row_step_;
    column_ += column_step_;
    if (column_ >= width_) {
      column_ -= width_;
      ++row_;
    }
  }

 private:
  std::uint32_t row_, column_, row_step_, column_step_, width_, rows_, rounds_;
};

template <typename Format>
__device__ __forceinline__ std::uint32_t load_pixel_at(const PixelView& view, const PixelWalk& walk) {
  return load_pixel<Format>(view.row(walk.row()) + std::size_t{walk.column()} * Format::kPixelBytes);
}

}  // namespace gpuhisto::kernels
