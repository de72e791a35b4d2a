// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Pixels through the tables of the four tiles around them. A block has a band of rows of one cell, and in shared memory
// the cell's four tables side by side, so that one load brings a pixel's four entries; in copies, so that few lanes
// meet in a bank. A thread keeps to its four columns, whose weights stay in registers.
#include <algorithm>

#include "device/rounding.hpp"
#include "device/shared_window.hpp"
#include "transforms/cell.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr unsigned kThreads = 256;
[[maybe_unused]] constexpr unsigned kResident = 4;  // not every compiler asks for it
constexpr unsigned kCopies = 8;
constexpr unsigned kRowsAtOnce = 4;
constexpr std::uint32_t kBlockPixels = 32768;  // that building the tables is worth
constexpr std::uint32_t kEntryBytes = kCopies * sizeof(std::uint32_t);

struct MapCellsArguments {
  CellArguments cells;
  std::uint32_t bands = 1;  ///< of rows, a cell
  std::uint32_t band_rows = 1;
  std::uint32_t lanes = 32;  ///< threads side by side
};

/// Puts a value's entries into one word, in all copies.
__device__ __forceinline__ void load_entries(const CellTables& tables, uint4* shared) {
  for (std::uint32_t v = threadIdx.x; v < 256; v += blockDim.x) {
    const std::uint32_t four = tables.entries(v);
    for (unsigned i = 0; i < kCopies / 4; ++i) shared[v * (kCopies / 4) + i] = make_uint4(four, four, four, four);
  }
}

/// The weights of a pixel's row and column: of the entries on the right and below.
__device__ __forceinline__ std::uint32_t weighted(std::uint32_t entries, const Weights& column, const Weights& row) {
  const float upper = float_of<0>(entries) * column.first + float_of<1>(entries) * column.second;
  const float lower = float_of<2>(entries) * column.first + float_of<3>(entries) * column.second;
  return rounded(upper * row.first + lower * row.second);
}

class CellMapper {
 public:
  __device__ __forceinline__ CellMapper(const CellArguments& a, const Cell& cell, void* shared)
      : a_(a), cell_(cell), window_(shared) {
    origin_ = keep_in_register(window_.begin() + 4 * (threadIdx.x % kCopies));
  }

  /// Whole words of four columns, from column 4 * word on, in rows first, first + step, ...
  __device__ __forceinline__ void map_words(std::uint32_t word, std::uint32_t first, std::uint32_t step) const {
    Weights columns[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) columns[k] = a_.column_weights(cell_, 4 * word + k);
    for (std::uint32_t y = first; y < cell_.bottom; y += kRowsAtOnce * step) {
      std::uint32_t pixels[kRowsAtOnce] = {};
#pragma unroll
      for (unsigned k = 0; k < kRowsAtOnce; ++k)
        if (y + k * step < cell_.bottom) pixels[k] = a_.load_word(y + k * step, word);
#pragma unroll
      for (unsigned k = 0; k < kRowsAtOnce; ++k)
        if (y + k * step < cell_.bottom) map_word(pixels[k], columns, y + k * step, word);
    }
  }

  __device__ __forceinline__ void map_pixel(std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t entries = window_.load_word(scaled_byte<0>(a_.from.row(y)[x], kEntryBytes, origin_));
    a_.to_row(y)[x] =
        static_cast<std::uint8_t>(weighted(entries, a_.column_weights(cell_, x), a_.row_weights(cell_, y)));
  }

 private:
  template <int kByte>
  __device__ __forceinline__ std::uint32_t mapped(std::uint32_t pixels, const Weights& column,
                                                  const Weights& row) const {
    return weighted(window_.load_word(scaled_byte<kByte>(pixels, kEntryBytes, origin_)), column, row);
  }
  __device__ __forceinline__ void map_word(std::uint32_t pixels, const Weights (&columns)[4], std::uint32_t y,
                                           std::uint32_t word) const {
    const Weights row = a_.row_weights(cell_, y);
    a_.store_word(y, word,
                  pack_bytes(mapped<0>(pixels, columns[0], row), mapped<1>(pixels, columns[1], row),
                             mapped<2>(pixels, columns[2], row), mapped<3>(pixels, columns[3], row)));
  }

  const CellArguments& a_;
  const Cell& cell_;
  SharedWindow window_;
  std::uint32_t origin_;
};

__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, kResident) map_cells_kernel(MapCellsArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  const std::uint32_t index = blockIdx.x / a.bands, band = blockIdx.x % a.bands;
  Cell cell = a.cells.cell(index % (a.cells.tiles.across + 1), index / (a.cells.tiles.across + 1));
  cell.take_band(band, a.band_rows);
  if (cell.empty()) return;
  load_entries(a.cells.tables_of(cell), shared);
  __syncthreads();
  const CellMapper mapper(a.cells, cell, shared);
  const std::uint32_t first_word = (cell.left + 3) / 4, end_word = cell.right / 4;
  for (std::uint32_t word = first_word + threadIdx.x % a.lanes; word < end_word; word += a.lanes)
    mapper.map_words(word, cell.top + threadIdx.x / a.lanes, blockDim.x / a.lanes);
  // Columns of words that the cell shares with its neighbours, on the left and on the right.
  const std::uint32_t left_end = 4 * first_word < cell.right ? 4 * first_word : cell.right;
  const std::uint32_t right_begin = 4 * end_word > left_end ? 4 * end_word : left_end;
  const std::uint32_t on_left = left_end - cell.left, edges = on_left + (cell.right - right_begin);
  for (std::uint32_t i = threadIdx.x; i < edges * (cell.bottom - cell.top); i += blockDim.x) {
    const std::uint32_t k = i % edges;
    mapper.map_pixel(k < on_left ? cell.left + k : right_begin + k - on_left, cell.top + i / edges);
  }
}

}  // namespace

void map_cells(const ClaheTask& task, const DeviceTraits& device, const Stream& stream) {
  if (are_tall_cells(task, device)) return map_tall_cells(task, stream);
  MapCellsArguments a;
  a.cells = cell_arguments(task);
  a.band_rows = std::max<std::uint32_t>(8, kBlockPixels / task.tiles.tile_width);
  a.bands = (task.largest_cell_rows + a.band_rows - 1) / a.band_rows;
  while (a.lanes > 8 && task.tiles.tile_width / 4 < a.lanes) a.lanes /= 2;
  const std::uint32_t cells = (task.tiles.across + 1) * (task.tiles.down + 1);
  launch(map_cells_kernel, LaunchShape{cells * a.bands, kThreads, 256 * kEntryBytes}, stream.get(), a);
}

}  // namespace gpuhisto::kernels
