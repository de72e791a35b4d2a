// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace gpuhisto {

/// Read-only view of 8-bit interleaved pixels. Owns nothing.
struct ImageView {
  const std::uint8_t* data = nullptr;  ///< the first sample of the first row
  std::size_t width = 0;               ///< pixels
  std::size_t height = 0;              ///< rows
  int channels = 1;                    ///< 1 gray, 2 gray+alpha, 3 RGB, 4 RGBA
  std::size_t row_bytes = 0;           ///< from a row to the next: width * channels or more

  /// The first sample of row `y`.
  const std::uint8_t* row(std::size_t y) const { return data + y * row_bytes; }
  /// Rows [first, first + count).
  ImageView rows(std::size_t first, std::size_t count) const { return {row(first), width, count, channels, row_bytes}; }
};

/// The same, writable.
struct MutableImageView {
  std::uint8_t* data = nullptr;
  std::size_t width = 0;
  std::size_t height = 0;
  int channels = 1;
  std::size_t row_bytes = 0;

  /// The first sample of row `y`.
  std::uint8_t* row(std::size_t y) const { return data + y * row_bytes; }
  /// Rows [first, first + count).
  MutableImageView rows(std::size_t first, std::size_t count) const {
    return {row(first), width, count, channels, row_bytes};
  }
  /// The same to read.
  operator ImageView() const { return {data, width, height, channels, row_bytes}; }
};

/// Whether a pixel of so many channels has colour.
constexpr bool has_color(int channels) { return channels >= 3; }
/// Whether a pixel of so many channels has alpha.
constexpr bool has_alpha(int channels) { return channels == 2 || channels == 4; }

/// Owns the pixels of one image, rows without gaps; moves only. The memory starts uninitialised.
class Image {
 public:
  Image() = default;
  /// Throws Error(kLimit) when the size overflows or memory is not to be had.
  Image(std::size_t width, std::size_t height, int channels);

  /// Its pixels, which live as long as it does.
  MutableImageView view() { return view_with(data_.get()); }
  /// The same to read.
  ImageView view() const { return const_cast<Image*>(this)->view(); }
  std::size_t width() const { return width_; }    ///< pixels
  std::size_t height() const { return height_; }  ///< rows
  int channels() const { return channels_; }      ///< 1 to 4, as in ImageView
  /// Of all pixels.
  std::size_t bytes() const { return width_ * height_ * static_cast<std::size_t>(channels_); }
  /// Drops the last rows; used when only a part could be decoded.
  void truncate(std::size_t height) { height_ = height < height_ ? height : height_; }

 private:
  MutableImageView view_with(std::uint8_t* data) const {
    return {data, width_, height_, channels_, width_ * static_cast<std::size_t>(channels_)};
  }
  struct Free {
    void operator()(std::uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<std::uint8_t[], Free> data_;
  std::size_t width_ = 0;
  std::size_t height_ = 0;
  int channels_ = 1;
};

/// A rectangle of pixels, for --roi.
struct Rectangle {
  std::uint64_t x = 0, y = 0;           ///< of its top left corner
  std::uint64_t width = 0, height = 0;  ///< pixels
  bool operator==(const Rectangle&) const = default;
};

}  // namespace gpuhisto
