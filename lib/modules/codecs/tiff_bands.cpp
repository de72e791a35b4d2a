// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cstring>

#include "gpuhisto/error.hpp"
#include "tiff_layout.hpp"

namespace gpuhisto {

TiffBands::TiffBands(TiffFile& file, const TiffLayout& layout)
    : file_(file),
      layout_(layout),
      tiled_(TIFFIsTiled(file.get()) != 0),
      by_rows_(!tiled_ && !layout.separate),
      band_rows_(1),
      stride_(layout.plane_row_bytes()) {
  if (tiled_) {
    band_rows_ = file.field<std::uint32_t>(TIFFTAG_TILELENGTH, 0);
    tile_width_ = file.field<std::uint32_t>(TIFFTAG_TILEWIDTH, 0);
  } else if (!by_rows_) {
    band_rows_ = std::min(file.field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, layout.height), layout.height);
  }
  band_rows_ = std::max(band_rows_, 1u);
  if (!tiled_ && TIFFScanlineSize64(file.get()) != stride_)
    throw Error(ErrorKind::kUnsupported, "a TIFF file of rows that are no plain samples");
}

std::uint64_t TiffBands::memory() const {
  const std::uint64_t rows = std::min(band_rows_, layout_.height);
  const std::uint64_t tile = tiled_ ? static_cast<std::uint64_t>(std::max<tmsize_t>(TIFFTileSize(file_.get()), 0)) : 0;
  return stride_ * rows * layout_.planes() + 2 * tile;
}

bool TiffBands::read_row(std::uint32_t y, std::uint8_t* to) { return TIFFReadScanline(file_.get(), to, y, 0) >= 0; }

const std::uint8_t* TiffBands::row(std::uint32_t y, unsigned plane) {
  const std::uint32_t first = y / band_rows_ * band_rows_;
  if (!held_ || band_ != first) {
    held_ = read_band(first);
    if (!held_) return nullptr;
  }
  return planes_[plane].get() + (y - first) * stride_;
}

bool TiffBands::read_band(std::uint32_t first) {
  planes_.resize(layout_.planes());
  band_ = first;
  for (unsigned plane = 0; plane < planes_.size(); ++plane) {
    auto& bytes = planes_[plane];
    if (!bytes) bytes = std::make_unique_for_overwrite<std::uint8_t[]>(std::min(band_rows_, layout_.height) * stride_);
    const bool read = by_rows_ ? read_row(first, bytes.get())
                      : tiled_ ? read_tiles(first, plane, bytes.get())
                               : read_strip(first, plane, bytes.get());
    if (!read) return false;
  }
  return true;
}

bool TiffBands::read_strip(std::uint32_t first, unsigned plane, std::uint8_t* to) {
  const std::uint32_t strip = TIFFComputeStrip(file_.get(), first, static_cast<std::uint16_t>(plane));
  const auto size = static_cast<tmsize_t>(std::min(band_rows_, layout_.height - first) * stride_);
  return TIFFReadEncodedStrip(file_.get(), strip, to, size) == size;
}

bool TiffBands::read_tiles(std::uint32_t first, unsigned plane, std::uint8_t* to) {
  const auto tile_bytes = TIFFTileSize(file_.get());
  const auto tile_stride = static_cast<std::size_t>(TIFFTileRowSize(file_.get()));
  if (tile_bytes <= 0 || tile_width_ == 0) return false;
  tile_.resize(static_cast<std::size_t>(tile_bytes));
  const std::uint32_t rows = std::min(band_rows_, layout_.height - first);
  for (std::uint32_t x = 0; x < layout_.width; x += tile_width_) {
    const std::uint32_t tile = TIFFComputeTile(file_.get(), x, first, 0, static_cast<std::uint16_t>(plane));
    if (TIFFReadEncodedTile(file_.get(), tile, tile_.data(), tile_bytes) != tile_bytes) return false;
    // Tiles are multiples of 16 pixels wide, so each begins at a whole byte.
    const std::uint64_t at = std::uint64_t{x} * layout_.samples_a_plane() * layout_.bits / 8;
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(tile_stride, stride_ - at));
    for (std::uint32_t y = 0; y < rows; ++y) std::memcpy(to + y * stride_ + at, tile_.data() + y * tile_stride, size);
  }
  return true;
}

}  // namespace gpuhisto
