// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Cells that are tall, with less to do a pixel: in one column of a cell the weights of columns are fixed, so that
// what a value becomes above and below are two floats, and 256 of each are the column's table. A block makes those of
// 32 columns and takes all rows of the cell through them: what remains of a pixel is one load, two products and their
// sum. Making a table costs as much as some 250 pixels.
//
// Lanes side by side have four pixels each of 32 columns, and of other rows. At any moment the lanes of two rows look
// up different columns of each four, the rows beginning at different ones: entries of 8 bytes, a column's always in the
// same two banks, and so never two lanes in one bank.
#include <algorithm>

#include "device/rounding.hpp"
#include "device/shared_window.hpp"
#include "transforms/cell.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr unsigned kThreads = 512, kResident = 3;
constexpr unsigned kColumns = 32, kWords = kColumns / 4;
constexpr unsigned kRowsAtOnce = 4;
constexpr std::uint32_t kEntryBytes = sizeof(float2), kValueBytes = kColumns * kEntryBytes;
constexpr std::size_t kSharedBytes = std::size_t{256} * kValueBytes;
constexpr std::uint32_t kLeastRows = 300;  // of a tile, that making the tables is worth
constexpr std::uint32_t kBandRows = 2048;

struct MapTallArguments {
  CellArguments cells;
  std::uint32_t strips = 1;  ///< of kColumns columns, a cell at most
  std::uint32_t bands = 1;   ///< of kBandRows rows, a cell at most
};

/// What each value becomes in each column: by the tables above, and by those below.
__device__ __forceinline__ void make_tables(const CellArguments& a, const Cell& cell, std::uint32_t first_column,
                                            float2* entries) {
  const CellTables tables = a.tables_of(cell);
  const std::uint32_t column = threadIdx.x % kColumns;
  const Weights w = a.column_weights(cell, first_column + column);
  for (std::uint32_t v = threadIdx.x / kColumns; v < 256; v += blockDim.x / kColumns) {
    const std::uint32_t four = tables.entries(v);
    const float upper = float_of<0>(four) * w.first + float_of<1>(four) * w.second;
    const float lower = float_of<2>(four) * w.first + float_of<3>(four) * w.second;
    entries[v * kColumns + column] = make_float2(upper, lower);
  }
}

/// Four columns of one thread, and which of them the cell has.
class Quad {
 public:
  __device__ __forceinline__ Quad(const CellArguments& a, const Cell& cell, std::uint32_t first_column, void* shared)
      : a_(a), cell_(cell), window_(shared), column_(first_column + threadIdx.x % kWords * 4) {
    const std::uint32_t row = threadIdx.x / kWords;
    turn_ = row % 4 * 8;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      origin_[k] = window_.begin() + (threadIdx.x % kWords * 4 + (k + row) % 4) * kEntryBytes;
    whole_ = column_ >= cell.left && column_ + 4 <= cell.right;
    any_ = column_ < cell.right && column_ + 4 > cell.left;
  }
  __device__ __forceinline__ bool any() const { return any_; }

  __device__ __forceinline__ std::uint32_t load(std::uint32_t y) const {
    if (whole_) return a_.load_word(y, column_ / 4);
    std::uint32_t word = 0;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (has(k)) word |= std::uint32_t{a_.from.row(y)[column_ + k]} << (8 * k);
    return word;
  }
  __device__ __forceinline__ void store(std::uint32_t y, std::uint32_t word) const {
    if (whole_) return a_.store_word(y, column_ / 4, word);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (has(k)) a_.to_row(y)[column_ + k] = static_cast<std::uint8_t>(word >> (8 * k));
  }
  __device__ __forceinline__ std::uint32_t mapped(std::uint32_t word, std::uint32_t y) const {
    const Weights row = a_.row_weights(cell_, y);
    const std::uint32_t turned = align_bits(word, word, turn_);
    const std::uint32_t result = pack_bytes(mapped_byte<0>(turned, row), mapped_byte<1>(turned, row),
                                            mapped_byte<2>(turned, row), mapped_byte<3>(turned, row));
    return align_bits(result, result, (32 - turn_) % 32);
  }

 private:
  __device__ __forceinline__ bool has(unsigned k) const {
    return column_ + k >= cell_.left && column_ + k < cell_.right;
  }
  template <int kByte>
  __device__ __forceinline__ std::uint32_t mapped_byte(std::uint32_t word, const Weights& row) const {
    const float2 entry = window_.load_floats(scaled_byte<kByte>(word, kValueBytes, origin_[kByte]));
    return rounded(entry.x * row.first + entry.y * row.second);
  }

  const CellArguments& a_;
  const Cell& cell_;
  SharedWindow window_;
  std::uint32_t column_, turn_, origin_[4];
  bool whole_, any_;
};

__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, kResident) map_tall_kernel(MapTallArguments a) {
  HIP_DYNAMIC_SHARED(uint4, shared);
  // Neighbouring blocks have neighbouring strips: they share lines of memory.
  const std::uint32_t across = a.cells.tiles.across + 1, strip = blockIdx.x % a.strips, rest = blockIdx.x / a.strips;
  Cell cell = a.cells.cell(rest % across, rest / across / a.bands);
  cell.take_band(rest / across % a.bands, kBandRows);
  const std::uint32_t first_column = (cell.left / kColumns + strip) * kColumns;
  if (cell.empty() || first_column >= cell.right) return;
  make_tables(a.cells, cell, first_column, reinterpret_cast<float2*>(shared));
  __syncthreads();
  const Quad quad(a.cells, cell, first_column, shared);
  if (!quad.any()) return;
  const std::uint32_t step = blockDim.x / kWords;
  for (std::uint32_t y = cell.top + threadIdx.x / kWords; y < cell.bottom; y += kRowsAtOnce * step) {
    std::uint32_t pixels[kRowsAtOnce] = {};
#pragma unroll
    for (unsigned k = 0; k < kRowsAtOnce; ++k)
      if (y + k * step < cell.bottom) pixels[k] = quad.load(y + k * step);
#pragma unroll
    for (unsigned k = 0; k < kRowsAtOnce; ++k)
      if (y + k * step < cell.bottom) quad.store(y + k * step, quad.mapped(pixels[k], y + k * step));
  }
}

}  // namespace

bool are_tall_cells(const ClaheTask& task, const DeviceTraits& device) {
  return task.tiles.tile_height >= kLeastRows && device.max_block_threads >= kThreads &&
         device.shared_per_block >= kSharedBytes && device.shared_per_multiprocessor >= 2 * kSharedBytes;
}

void map_tall_cells(const ClaheTask& task, const Stream& stream) {
  MapTallArguments a;
  a.cells = cell_arguments(task);
  a.strips = task.largest_cell_columns / kColumns + 2;
  a.bands = (task.largest_cell_rows + kBandRows - 1) / kBandRows;
  const std::uint32_t cells = (task.tiles.across + 1) * (task.tiles.down + 1);
  launch(map_tall_kernel, LaunchShape{cells * a.strips * a.bands, kThreads, kSharedBytes}, stream.get(), a);
}

}  // namespace gpuhisto::kernels
