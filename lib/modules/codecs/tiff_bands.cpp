// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "gpuhisto/error.hpp"
#include "tiff_inflate.hpp"
#include "tiff_layout.hpp"

namespace gpuhisto {
namespace {

/// Puts a row of a tile where it belongs in a row of the picture, from the bit `at` on. Beyond its last bit is the next
/// tile's place, which is filled after it.
void place(std::span<const std::uint8_t> tile_row, std::uint64_t at, std::span<std::uint8_t> row) {
  const auto to = row.subspan(static_cast<std::size_t>(at / 8));
  const std::size_t size = std::min(tile_row.size(), to.size());
  const auto shift = static_cast<unsigned>(at % 8);
  if (shift == 0) {
    std::memcpy(to.data(), tile_row.data(), size);
    return;
  }
  for (std::size_t i = 0; i < size; ++i) {
    to[i] = static_cast<std::uint8_t>((to[i] & ~(0xFFu >> shift)) | unsigned{tile_row[i]} >> shift);
    if (i + 1 < to.size()) to[i + 1] = static_cast<std::uint8_t>(unsigned{tile_row[i]} << (8 - shift));
  }
}

// What libtiff decodes row by row as well as by the strip. It throws away what a run of PackBits holds beyond a row.
bool decodes_by_rows(const TiffFile& file) {
  return file.field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE) != COMPRESSION_PACKBITS;
}

double padded(std::uint32_t size, std::uint32_t tile) { return (std::floor((size - 1.0) / tile) + 1) * tile; }

/// A tile is decoded whole, however little of it the picture fills, and all may have the same bytes: a small file could
/// make work without end. Beyond 2^28 pixels no more than a quarter of them is the picture in no file in use.
bool reaches_far_beyond(const TiffLayout& layout, std::uint32_t tile_width, std::uint32_t tile_height) {
  constexpr double kFreePixels = 1 << 28, kMostTimes = 4;
  const double decoded = padded(layout.width, tile_width) * padded(layout.height, tile_height);
  return decoded > std::max(kFreePixels, kMostTimes * layout.width * layout.height);
}

}  // namespace

TiffBands::TiffBands(TiffFile& file, const TiffLayout& layout)
    : file_(file),
      layout_(layout),
      tiled_(TIFFIsTiled(file.get()) != 0),
      by_rows_(!tiled_ && !layout.separate && decodes_by_rows(file)),
      strip_rows_(std::min(file.field<std::uint32_t>(TIFFTAG_ROWSPERSTRIP, layout.height), layout.height)),
      band_rows_(1),
      stride_(layout.plane_row_bytes()) {
  if (tiled_) {
    band_rows_ = file.field<std::uint32_t>(TIFFTAG_TILELENGTH, 0);
    tile_width_ = file.field<std::uint32_t>(TIFFTAG_TILEWIDTH, 0);
    if (tile_width_ > 0 && band_rows_ > 0 && reaches_far_beyond(layout, tile_width_, band_rows_))
      throw Error(ErrorKind::kUnsupported, "a TIFF file whose tiles reach far beyond the picture");
  } else if (!by_rows_) {
    band_rows_ = strip_rows_;
  }
  band_rows_ = std::max(band_rows_, 1u);
  strip_rows_ = std::max(strip_rows_, 1u);
  if (!tiled_ && TIFFScanlineSize64(file.get()) != stride_)
    throw Error(ErrorKind::kUnsupported, "a TIFF file of rows that are no plain samples");
  if (TiffInflater::reads(file, layout)) inflater_ = std::make_unique<TiffInflater>(file, layout);
}

TiffBands::~TiffBands() = default;

std::uint64_t TiffBands::memory() const {
  const std::uint64_t rows = std::min(band_rows_, layout_.height);
  const std::uint64_t tile = tiled_ ? static_cast<std::uint64_t>(std::max<tmsize_t>(TIFFTileSize(file_.get()), 0)) : 0;
  return stride_ * rows * layout_.planes() + 2 * tile;
}

TiffBands::Zeros TiffBands::zeros(std::uint64_t size) {
  Zeros bytes(static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(size), 1)));
  if (!bytes) throw std::bad_alloc();
  return bytes;
}

bool TiffBands::read_row(std::uint32_t y, std::uint8_t* to, const TimeLimit& limit) {
  if (inflater_) {
    if (y % strip_rows_ == 0) inflater_->open(TIFFComputeStrip(file_.get(), y, 0));
    inflater_->read({to, static_cast<std::size_t>(stride_)}, static_cast<std::size_t>(stride_));
    if ((y + 1) % strip_rows_ == 0 || y + 1 == layout_.height) inflater_->close(limit);
    return true;
  }
  std::memset(to, 0, static_cast<std::size_t>(stride_));
  return TIFFReadScanline(file_.get(), to, y, 0) >= 0;
}

const std::uint8_t* TiffBands::row(std::uint32_t y, unsigned plane, const TimeLimit& limit) {
  const std::uint32_t first = y / band_rows_ * band_rows_;
  if (!held_ || band_ != first) {
    held_ = read_band(first, limit);
    if (!held_) return nullptr;
  }
  return planes_[plane].get() + (y - first) * stride_;
}

bool TiffBands::read_band(std::uint32_t first, const TimeLimit& limit) {
  planes_.resize(layout_.planes());
  band_ = first;
  for (unsigned plane = 0; plane < planes_.size(); ++plane) {
    limit.check();
    auto& bytes = planes_[plane];
    if (!bytes) bytes = zeros(std::min(band_rows_, layout_.height) * stride_);
    const bool read = by_rows_ ? read_row(first, bytes.get(), limit)
                      : tiled_ ? read_tiles(first, plane, bytes.get(), limit)
                               : read_strip(first, plane, bytes.get(), limit);
    if (!read) return false;
  }
  return true;
}

bool TiffBands::read_strip(std::uint32_t first, unsigned plane, std::uint8_t* to, const TimeLimit& limit) {
  const std::uint32_t strip = TIFFComputeStrip(file_.get(), first, static_cast<std::uint16_t>(plane));
  const auto size = static_cast<tmsize_t>(std::min(band_rows_, layout_.height - first) * stride_);
  if (!inflater_) return TIFFReadEncodedStrip(file_.get(), strip, to, size) == size;
  inflater_->open(strip);
  inflater_->read({to, static_cast<std::size_t>(size)}, static_cast<std::size_t>(stride_));
  inflater_->close(limit);
  return true;
}

bool TiffBands::read_tiles(std::uint32_t first, unsigned plane, std::uint8_t* to, const TimeLimit& limit) {
  const auto tile_bytes = TIFFTileSize(file_.get());
  const auto tile_stride = static_cast<std::size_t>(TIFFTileRowSize(file_.get()));
  if (tile_bytes <= 0 || tile_width_ == 0) return false;
  if (!tile_) tile_ = zeros(static_cast<std::uint64_t>(tile_bytes));
  const std::uint32_t rows = std::min(band_rows_, layout_.height - first);
  for (std::uint64_t x = 0; x < layout_.width; x += tile_width_) {
    limit.check();
    const std::uint32_t tile =
        TIFFComputeTile(file_.get(), static_cast<std::uint32_t>(x), first, 0, static_cast<std::uint16_t>(plane));
    if (inflater_) {
      inflater_->open(tile);
      inflater_->read({tile_.get(), static_cast<std::size_t>(tile_bytes)}, tile_stride);
      inflater_->close(limit);
    } else if (TIFFReadEncodedTile(file_.get(), tile, tile_.get(), tile_bytes) != tile_bytes) {
      return false;
    }
    // The standard wants multiples of 16 pixels, but there are others: a tile may begin within a byte.
    const std::uint64_t at = x * layout_.samples_a_plane() * layout_.bits;
    for (std::uint32_t y = 0; y < rows; ++y)
      place({tile_.get() + y * tile_stride, tile_stride}, at, {to + y * stride_, static_cast<std::size_t>(stride_)});
  }
  return true;
}

}  // namespace gpuhisto
