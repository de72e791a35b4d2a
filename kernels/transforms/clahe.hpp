// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Contrast-limited adaptive histogram equalisation of a plane of gray values, byte-identical with the CPU: tiles are
// counted, each gets a table, and between the centres of four tiles - in a cell - pixels go through all four. The
// floats are the CPU's step by step, so these files are compiled without contraction to fused operations.
#pragma once

#include "device/pixel_reader.hpp"
#include "runtime/device.hpp"
#include "runtime/stream.hpp"

namespace gpuhisto::kernels {

/// Tiles that cover the image and perhaps more, which is filled by mirroring the image. All sizes below 2^31, and the
/// pixels of all tiles below 2^32.
struct TileGrid {
  std::uint32_t across = 1, down = 1;
  std::uint32_t tile_width = 1, tile_height = 1;
  std::uint32_t bin_limit = 0;  ///< 0: none
};

/// What all steps work on. Rows of both planes start at multiples of 4 bytes; they may be the same.
struct ClaheTask {
  PixelView from;
  std::uint8_t* to = nullptr;
  std::size_t to_pitch = 0;
  TileGrid tiles;
  std::uint32_t* counts = nullptr;  ///< device: 257 a tile, zero before make_tile_tables() and after it
  std::uint8_t* tables = nullptr;   ///< device: 256 a tile
  /// Device: where cells begin, across + 2 and down + 2; cell i lies between the centres of tiles i - 1 and i.
  const std::uint32_t* cell_columns = nullptr;
  const std::uint32_t* cell_rows = nullptr;
  std::uint32_t largest_cell_columns = 1, largest_cell_rows = 1;
};

void make_tile_tables(const ClaheTask& task, const DeviceTraits& device, const Stream& stream);
void map_cells(const ClaheTask& task, const DeviceTraits& device, const Stream& stream);

/// The gray values of pixels, of colours Y of the 14-bit YCrCb, into a plane whose rows start at multiples of 4 bytes.
void take_gray(const PixelView& pixels, unsigned channels, std::uint8_t* plane, std::size_t plane_pitch,
               const DeviceTraits& device, const Stream& stream);
/// Pixels with the gray values of a plane in place of their own; the rest of a pixel stays.
struct GrayPlane {
  const std::uint8_t* data;
  std::size_t pitch;
};
void put_gray(const PixelView& pixels, unsigned channels, const GrayPlane& plane, std::uint8_t* to,
              std::size_t to_pitch, const DeviceTraits& device, const Stream& stream);

/// Where a pixel lies between the centres of tiles: at 0 on the first one's, at 1 on the second's.
__host__ __device__ inline float tile_position(std::uint32_t pixel, float inverse_tile_size) {
  return static_cast<float>(pixel) * inverse_tile_size - 0.5f;
}

}  // namespace gpuhisto::kernels
