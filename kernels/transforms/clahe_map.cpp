// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Pixels through the tables of the four tiles around them. A block has a band of rows of one cell, and in shared memory
// the cell's four tables side by side, so that one load brings a pixel's four entries; in copies, so that few lanes
// meet in a bank, and with 32 none. A thread keeps to its eight columns, whose weights stay in registers.
#include <algorithm>

#include "device/shared_window.hpp"
#include "transforms/cell.hpp"

namespace gpuhisto::kernels {
namespace {

// Tried on an NVIDIA H200, 100 Mpix in 8 x 8 tiles: 320 threads of 64 registers map in 99 microseconds, of 48 in 108;
// 480 threads in 106; 3 to 8 rows a thread make no difference, 2 take 104.
constexpr unsigned kThreads = 320;
[[maybe_unused]] constexpr unsigned kResident = 3;  // not every compiler asks for it
constexpr unsigned kRows = 3;                       // of a thread: one at work and the others on their way
constexpr unsigned kFewCopies = 8, kManyCopies = 32;
constexpr std::uint32_t kMostRows = 256;       // of a block: their weights are in shared memory
constexpr std::uint32_t kBlockPixels = 65536;  // that filling the tables is worth
constexpr std::uint32_t kRowBytes = sizeof(RowBlend);
constexpr std::uint32_t kEdges = 16;  // columns outside whole eights of a cell: at most 14

#if defined(GPUHISTO_PLATFORM_HIP)
// AMD's devices convert a byte in one instruction, and multiply integers of 32 bits at a quarter of the rate.
constexpr bool kByIntegers = false;
#else
constexpr bool kByIntegers = true;
#endif

struct MapCellsArguments {
  CellArguments cells;
  Blend blend;
  std::uint32_t bands = 1;  ///< of rows, a cell
  std::uint32_t band_rows = 1;
  std::uint32_t lanes = 32;  ///< threads side by side

  __device__ __forceinline__ ColumnBlend column_blend(const Cell& cell, std::uint32_t x) const {
    // Twice the distance from the centre of the tile before: 32 bits have it, whatever overflows in between.
    const auto n = static_cast<std::int32_t>(2 * x + cells.tiles.tile_width - blend.double_width * cell.column);
    return blend.column(n, cells.column_weights(cell, x).second);
  }
};

template <unsigned kCopies>
constexpr std::uint32_t kEntryBytes = kCopies * 4;
template <unsigned kCopies>
constexpr std::uint32_t kRowsAt = 256 * kEntryBytes<kCopies>;
template <unsigned kCopies>
constexpr std::uint32_t kSharedBytes = kRowsAt<kCopies> + (kMostRows * kRowBytes);

/// Puts a value's entries into one word, in all copies, and the weights of the rows behind them.
template <unsigned kCopies>
__device__ __forceinline__ void load_tables(const MapCellsArguments& a, const Cell& cell, uint4* shared) {
  constexpr unsigned kVectors = kCopies / 4;
  const CellTables tables = a.cells.tables_of(cell);
  for (std::uint32_t i = threadIdx.x; i < 256 * kVectors; i += blockDim.x) {
    const std::uint32_t four = tables.entries(i / kVectors);
    shared[i] = make_uint4(four, four, four, four);
  }
  auto* rows = reinterpret_cast<uint2*>(shared + 256 * kVectors);
  for (std::uint32_t i = threadIdx.x; i < cell.bottom - cell.top; i += blockDim.x) {
    const RowBlend row = a.blend.row(a.cells.row_weights(cell, cell.top + i).second);
    rows[i] = make_uint2(row.above, row.below);
  }
}

/// Neighbouring columns of one thread.
template <unsigned kCount, unsigned kCopies>
class Columns {
 public:
  __device__ __forceinline__ Columns(const MapCellsArguments& a, const Cell& cell, const SharedWindow& window,
                                     std::uint32_t first)
      : a_(a), cell_(cell), window_(window), first_(first) {
    origin_ = keep_in_register(window.begin() + 4 * (threadIdx.x % kCopies));
    std::uint32_t doubt = 0;
#pragma unroll
    for (unsigned k = 0; k < kCount; ++k) {
      const ColumnBlend column = a.column_blend(cell, first + k);
      pair_[k] = keep_in_register(column.pair);
      doubt = column.doubt > doubt ? column.doubt : doubt;
    }
    // The upper half is kept too, else it is made anew for every pixel.
    half_ = std::uint64_t{keep_in_register(0)} << 32 | keep_in_register((1u << 31) + doubt);
    limit_ = keep_in_register(doubt < 1u << 31 ? 2 * doubt : ~0u);
  }
  __device__ __forceinline__ std::uint32_t first() const { return first_; }
  __device__ __forceinline__ RowBlend row(std::uint32_t address) const {
    const uint2 pair = window_.template load_pair<kRowsAt<kCopies>>(address);
    return {pair.x, pair.y};
  }
  /// Of a row's weights; the next row's are kRowBytes further.
  __device__ __forceinline__ std::uint32_t row_address(std::uint32_t y) const {
    return window_.begin() + (y - cell_.top) * kRowBytes;
  }
  /// The pixels of row y in columns kFirst, ..., kBytes of them.
  template <unsigned kFirst, unsigned kBytes>
  __device__ __forceinline__ std::uint32_t mapped(std::uint32_t pixels, const RowBlend& row, std::uint32_t y) const {
    if constexpr (kByIntegers) {
      std::uint32_t value[4] = {};
      if (!map_bytes<kFirst, kBytes>(pixels, row, value)) return pack_bytes(value[0], value[1], value[2], value[3]);
    }
    return exactly<kBytes>(pixels, not_before(first_ + kFirst), a_.cells.row_weights(cell_, not_before(y)));
  }

 private:
  /// Returns whether a value is doubtful.
  template <unsigned kFirst, unsigned kBytes, int kByte = 0>
  __device__ __forceinline__ bool map_bytes(std::uint32_t pixels, const RowBlend& row,
                                            std::uint32_t (&value)[4]) const {
    if constexpr (kByte < kBytes) {
      const std::uint64_t sum = blended(entries<kByte>(pixels), pair_[kFirst + kByte], row, half_);
      value[kByte] = static_cast<std::uint32_t>(sum >> 32);
      const bool doubtful = static_cast<std::uint32_t>(sum) <= limit_;
      return map_bytes<kFirst, kBytes, kByte + 1>(pixels, row, value) || doubtful;
    }
    return false;
  }
  /// The same by floats.
  template <unsigned kBytes, int kByte = 0>
  __device__ __forceinline__ std::uint32_t exactly(std::uint32_t pixels, std::uint32_t x, const Weights& row) const {
    if constexpr (kByte < kBytes) {
      const Weights column = a_.cells.column_weights(cell_, x + kByte);
      return (exact(entries<kByte>(pixels), column, row) & 255u) << (8 * kByte) |
             exactly<kBytes, kByte + 1>(pixels, x, row);
    }
    return 0;
  }
  template <int kByte>
  __device__ __forceinline__ std::uint32_t entries(std::uint32_t pixels) const {
    return window_.load_word(scaled_byte<kByte>(pixels, kEntryBytes<kCopies>, origin_));
  }

  const MapCellsArguments& a_;
  const Cell& cell_;
  const SharedWindow& window_;
  std::uint32_t first_, origin_, limit_, pair_[kCount];
  std::uint64_t half_;
};

/// Eight pixels of a row, the first one lowest.
struct Eight {
  std::uint32_t low, high;
};
/// kPairs: they start at a multiple of 8 bytes, not just 4.
template <bool kPairs>
__device__ __forceinline__ Eight load_eight(const std::uint8_t* at) {
  if constexpr (kPairs) {
    const uint2 pair = *reinterpret_cast<const uint2*>(at);
    return {pair.x, pair.y};
  } else {
    const auto* words = reinterpret_cast<const std::uint32_t*>(at);
    return {words[0], words[1]};
  }
}
template <bool kPairs>
__device__ __forceinline__ void store_eight(const Eight& pixels, std::uint8_t* at) {
  if constexpr (kPairs) {
    *reinterpret_cast<uint2*>(at) = make_uint2(pixels.low, pixels.high);
  } else {
    auto* words = reinterpret_cast<std::uint32_t*>(at);
    words[0] = pixels.low;
    words[1] = pixels.high;
  }
}

/// A thread's way down the rows of eight columns: some rows are on their way while one is mapped.
template <bool kPairs, unsigned kCopies>
class Descent {
 public:
  __device__ __forceinline__ Descent(const CellArguments& a, const Columns<8, kCopies>& columns, std::uint32_t y,
                                     std::uint32_t bottom, std::uint32_t step)
      : columns_(columns), y_(y), bottom_(bottom), step_(step), weights_(columns.row_address(y)) {
    from_ = a.from.row(y) + columns.first();
    to_ = a.to_row(y) + columns.first();
    from_step_ = step * a.from.pitch;
    to_step_ = step * a.to_pitch;
  }
  __device__ __forceinline__ void map() {
    Eight rows[kRows] = {};
#pragma unroll
    for (unsigned k = 0; k + 1 < kRows; ++k) load(k, rows[k]);
    while (true) {
#pragma unroll
      for (unsigned k = 0; k < kRows; ++k) {
        if (y_ >= bottom_) return;
        load(kRows - 1, rows[(k + kRows - 1) % kRows]);
        map_one(rows[k]);
      }
    }
  }

 private:
  /// The row so many steps further down.
  __device__ __forceinline__ void load(unsigned steps, Eight& pixels) {
    if (y_ + steps * step_ < bottom_) pixels = load_eight<kPairs>(from_);
    from_ += from_step_;
  }
  __device__ __forceinline__ void map_one(const Eight& pixels) {
    const RowBlend row = columns_.row(weights_);
    store_eight<kPairs>(
        {columns_.template mapped<0, 4>(pixels.low, row, y_), columns_.template mapped<4, 4>(pixels.high, row, y_)},
        to_);
    to_ += to_step_;
    weights_ += step_ * kRowBytes;
    y_ += step_;
  }

  const Columns<8, kCopies>& columns_;
  std::uint32_t y_, bottom_, step_, weights_;
  const std::uint8_t* from_;
  std::uint8_t* to_;
  std::size_t from_step_, to_step_;
};

/// Of columns in eights that the cell shares with its neighbours, on the left and on the right.
template <unsigned kCopies>
__device__ __forceinline__ void map_edges(const MapCellsArguments& a, const Cell& cell, const SharedWindow& window,
                                          std::uint32_t left_end, std::uint32_t right_begin) {
  const std::uint32_t edge = threadIdx.x % kEdges, on_left = left_end - cell.left;
  const std::uint32_t x = edge < on_left ? cell.left + edge : right_begin + edge - on_left;
  if (x >= cell.right) return;
  const Columns<1, kCopies> column(a, cell, window, x);
  const std::uint32_t step = blockDim.x / kEdges;
  std::uint32_t y = cell.top + threadIdx.x / kEdges;
  std::uint32_t next = y < cell.bottom ? a.cells.from.row(y)[x] : 0;
  for (; y < cell.bottom; y += step) {
    const std::uint32_t pixel = next;
    if (y + step < cell.bottom) next = a.cells.from.row(y + step)[x];
    a.cells.to_row(y)[x] =
        static_cast<std::uint8_t>(column.template mapped<0, 1>(pixel, column.row(column.row_address(y)), y));
  }
}

template <bool kPairs, unsigned kCopies>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, kResident) map_cells_kernel(MapCellsArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  const std::uint32_t across = a.cells.tiles.across + 1, rest = blockIdx.x / across;
  Cell cell = a.cells.cell(blockIdx.x % across, rest / a.bands);
  cell.take_band(rest % a.bands, a.band_rows);
  if (cell.empty()) return;
  load_tables<kCopies>(a, cell, shared);
  __syncthreads();
  const SharedWindow window(shared);
  const std::uint32_t first = (cell.left + 7) / 8, end = cell.right / 8, step = blockDim.x / a.lanes;
  if (threadIdx.x < step * a.lanes)
    for (std::uint32_t i = first + threadIdx.x % a.lanes; i < end; i += a.lanes) {
      const Columns<8, kCopies> columns(a, cell, window, 8 * i);
      Descent<kPairs, kCopies>(a.cells, columns, cell.top + threadIdx.x / a.lanes, cell.bottom, step).map();
    }
  const std::uint32_t left_end = 8 * first < cell.right ? 8 * first : cell.right;
  map_edges<kCopies>(a, cell, window, left_end, 8 * end > left_end ? 8 * end : left_end);
}

bool starts_at_pairs(const void* data, std::size_t pitch) {
  return (reinterpret_cast<std::uintptr_t>(data) | pitch) % 8 == 0;
}

template <unsigned kCopies>
void launch_map(const MapCellsArguments& a, LaunchShape shape, const Stream& stream) {
  const bool pairs =
      starts_at_pairs(a.cells.from.data, a.cells.from.pitch) && starts_at_pairs(a.cells.to, a.cells.to_pitch);
  shape.shared_bytes = kSharedBytes<kCopies>;
  launch(pairs ? map_cells_kernel<true, kCopies> : map_cells_kernel<false, kCopies>, shape, stream.get(), a);
}

}  // namespace

void map_cells(const ClaheTask& task, const DeviceTraits& device, const Stream& stream) {
  MapCellsArguments a;
  a.cells = cell_arguments(task);
  a.blend = blend_of(task.tiles.tile_width);
  const std::uint32_t rows = std::clamp<std::uint32_t>(kBlockPixels / task.tiles.tile_width, 8, kMostRows);
  a.bands = (task.largest_cell_rows + rows - 1) / rows;
  a.band_rows = (task.largest_cell_rows + a.bands - 1) / a.bands;
  // As few threads without columns as there can be.
  const std::uint32_t eights = task.largest_cell_columns / 8 + 1, rounds = (eights + kThreads - 1) / kThreads;
  a.lanes = (eights + rounds - 1) / rounds;
  const std::uint32_t busy = kThreads / a.lanes * a.lanes;
  const LaunchShape shape = {(task.tiles.across + 1) * (task.tiles.down + 1) * a.bands, (busy + 63) / 64 * 64, 0};
  const bool room = device.shared_per_multiprocessor >= 2 * kSharedBytes<kManyCopies>;
  room ? launch_map<kManyCopies>(a, shape, stream) : launch_map<kFewCopies>(a, shape, stream);
}

}  // namespace gpuhisto::kernels
