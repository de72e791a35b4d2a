// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Cells that are tall, with less to do a pixel: in one column of a cell the weights of columns are fixed, so that
// what a value becomes above and below are two floats, and 256 of each are the column's table. A block makes those of
// 32 columns and takes all rows of the cell through them: what remains of a pixel is one load, two products and their
// sum. Making a table costs as much as some 250 pixels.
//
// Lanes side by side have four pixels each of 32 columns, and of other rows. Entries of 8 bytes are read 16 lanes at a
// time, two rows of eight lanes; a column has the same two of 32 banks as the one 16 columns on. So at any moment those
// lanes look up different columns of each four, the two rows and the two halves of a row beginning at different ones:
// never are two lanes in one bank.
#include <algorithm>

#include "device/rounding.hpp"
#include "device/shared_window.hpp"
#include "transforms/cell.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr unsigned kThreads = 512;
[[maybe_unused]] constexpr unsigned kResident = 3;  // not every compiler asks for it
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
  constexpr std::uint32_t kStep = kThreads / kColumns;
  const CellTables tables = a.tables_of(cell);
  const std::uint32_t column = threadIdx.x % kColumns, first = threadIdx.x / kColumns;
  const Weights w = a.column_weights(cell, first_column + column);
#pragma unroll 4
  for (std::uint32_t i = 0; i < 256; i += kStep) {
    const std::uint32_t four = tables.entries(first + i);
    const float upper = float_of<0>(four) * w.first + float_of<1>(four) * w.second;
    const float lower = float_of<2>(four) * w.first + float_of<3>(four) * w.second;
    entries[(first + i) * kColumns + column] = make_float2(upper, lower);
  }
}

/// Four columns of one thread, and their tables.
class Quad {
 public:
  __device__ __forceinline__ Quad(std::uint32_t first_column, void* shared)
      : window_(shared), column_(first_column + threadIdx.x % kWords * 4) {
    const std::uint32_t word = threadIdx.x % kWords, row = threadIdx.x / kWords;
    const std::uint32_t begin = row % 2 * 2 + word / 4;
    turn_ = begin * 8;
    // Else they are computed again for every word.
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      origin_[k] = keep_in_register(window_.begin() + (word * 4 + (k + begin) % 4) * kEntryBytes);
  }
  __device__ __forceinline__ std::uint32_t column() const { return column_; }

  __device__ __forceinline__ std::uint32_t mapped(std::uint32_t word, const Weights& row) const {
    const std::uint32_t turned = align_bits(word, word, turn_);
    const std::uint32_t result = pack_bytes(mapped_byte<0>(turned, row), mapped_byte<1>(turned, row),
                                            mapped_byte<2>(turned, row), mapped_byte<3>(turned, row));
    return align_bits(result, result, (32 - turn_) % 32);
  }

 private:
  template <int kByte>
  __device__ __forceinline__ std::uint32_t mapped_byte(std::uint32_t word, const Weights& row) const {
    const float2 entry = window_.load_floats(scaled_byte<kByte>(word, kValueBytes, origin_[kByte]));
    return rounded(entry.x * row.first + entry.y * row.second);
  }

  SharedWindow window_;
  std::uint32_t column_, turn_, origin_[4];
};

/// The rows of a thread's four columns, all of which the cell has.
__device__ __forceinline__ void map_whole(const CellArguments& a, const Cell& cell, const Quad& quad) {
  const std::uint32_t step = kThreads / kWords;
  std::uint32_t y = cell.top + threadIdx.x / kWords;
  const std::uint8_t* from = a.from.row(y) + quad.column();
  std::uint8_t* to = a.to_row(y) + quad.column();
  const std::size_t from_step = step * a.from.pitch, to_step = step * a.to_pitch;
  for (; y < cell.bottom; y += kRowsAtOnce * step) {
    std::uint32_t pixels[kRowsAtOnce] = {};
#pragma unroll
    for (unsigned k = 0; k < kRowsAtOnce; ++k) {
      if (y + k * step < cell.bottom) pixels[k] = *reinterpret_cast<const std::uint32_t*>(from);
      from += from_step;
    }
#pragma unroll
    for (unsigned k = 0; k < kRowsAtOnce; ++k) {
      if (y + k * step < cell.bottom)
        *reinterpret_cast<std::uint32_t*>(to) = quad.mapped(pixels[k], a.row_weights(cell, y + k * step));
      to += to_step;
    }
  }
}

/// Of which the cell has some, byte by byte.
__device__ __forceinline__ void map_some(const CellArguments& a, const Cell& cell, const Quad& quad) {
  const auto has = [&](unsigned k) { return quad.column() + k >= cell.left && quad.column() + k < cell.right; };
  for (std::uint32_t y = cell.top + threadIdx.x / kWords; y < cell.bottom; y += kThreads / kWords) {
    std::uint32_t word = 0;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (has(k)) word |= std::uint32_t{a.from.row(y)[quad.column() + k]} << (8 * k);
    word = quad.mapped(word, a.row_weights(cell, y));
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (has(k)) a.to_row(y)[quad.column() + k] = static_cast<std::uint8_t>(word >> (8 * k));
  }
}

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
  const Quad quad(first_column, shared);
  if (quad.column() >= cell.left && quad.column() + 4 <= cell.right)
    map_whole(a.cells, cell, quad);
  else if (quad.column() < cell.right && quad.column() + 4 > cell.left)
    map_some(a.cells, cell, quad);
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
