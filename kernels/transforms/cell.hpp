// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Cells of CLAHE: the pixels between the centres of four tiles; at the edges of the image, between two or one.
#pragma once

#include "transforms/blend.hpp"
#include "transforms/clahe.hpp"

namespace gpuhisto::kernels {

/// Columns [left, right) and rows [top, bottom) between the centres of tiles column - 1 and column, row - 1 and row.
struct Cell {
  std::uint32_t column, row;
  std::uint32_t left, right, top, bottom;

  __device__ __forceinline__ bool empty() const { return left >= right || top >= bottom; }
  /// Keeps of the rows the band-th part of `rows` rows.
  __device__ __forceinline__ void take_band(std::uint32_t band, std::uint32_t rows) {
    top += band * rows;
    if (bottom > top && bottom - top > rows) bottom = top + rows;
  }
};

/// The tables of the four tiles around a cell; a tile at the edge stands for its neighbour outside.
struct CellTables {
  const std::uint8_t* above_left;
  const std::uint8_t* above_right;
  const std::uint8_t* below_left;
  const std::uint8_t* below_right;

  /// A value's entries, in this order from the lowest byte on.
  __device__ __forceinline__ std::uint32_t entries(std::uint32_t v) const {
    return pack_bytes(above_left[v], above_right[v], below_left[v], below_right[v]);
  }
};

struct CellArguments {
  PixelView from;
  std::uint8_t* to = nullptr;
  std::size_t to_pitch = 0;
  TileGrid tiles;
  const std::uint8_t* tables = nullptr;
  const std::uint32_t* columns = nullptr;
  const std::uint32_t* rows = nullptr;
  float inverse_width = 1, inverse_height = 1;

  __device__ __forceinline__ Cell cell(std::uint32_t column, std::uint32_t row) const {
    return {column, row, columns[column], columns[column + 1], rows[row], rows[row + 1]};
  }
  __device__ __forceinline__ CellTables tables_of(const Cell& cell) const {
    const auto table = [&](std::uint32_t column, std::uint32_t row) {
      return tables + (std::size_t{row} * tiles.across + column) * 256;
    };
    const std::uint32_t left = cell.column > 0 ? cell.column - 1 : 0, above = cell.row > 0 ? cell.row - 1 : 0;
    const std::uint32_t right = cell.column < tiles.across ? cell.column : tiles.across - 1;
    const std::uint32_t below = cell.row < tiles.down ? cell.row : tiles.down - 1;
    return {table(left, above), table(right, above), table(left, below), table(right, below)};
  }
  __device__ __forceinline__ Weights column_weights(const Cell& cell, std::uint32_t x) const {
    return weights(x, cell.column, inverse_width);
  }
  __device__ __forceinline__ Weights row_weights(const Cell& cell, std::uint32_t y) const {
    return weights(y, cell.row, inverse_height);
  }

  __device__ __forceinline__ std::uint8_t* to_row(std::uint32_t y) const { return to + y * to_pitch; }

 private:
  __device__ __forceinline__ static Weights weights(std::uint32_t pixel, std::uint32_t cell, float inverse) {
    const float second = tile_position(pixel, inverse) - (static_cast<float>(cell) - 1.0f);
    return {1.0f - second, second};
  }
};

inline CellArguments cell_arguments(const ClaheTask& task) {
  CellArguments a;
  a.from = task.from;
  a.to = task.to;
  a.to_pitch = task.to_pitch;
  a.tiles = task.tiles;
  a.tables = task.tables;
  a.columns = task.cell_columns;
  a.rows = task.cell_rows;
  a.inverse_width = 1.0f / static_cast<float>(task.tiles.tile_width);
  a.inverse_height = 1.0f / static_cast<float>(task.tiles.tile_height);
  return a;
}

}  // namespace gpuhisto::kernels
