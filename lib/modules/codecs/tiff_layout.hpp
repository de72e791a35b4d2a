// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "gpuhisto/time_limit.hpp"
#include "tiff_file.hpp"

namespace gpuhisto {

enum class TiffColor { kGray, kPalette, kRgb, kCmyk };

/// How the first page stores its pixels.
struct TiffLayout {
  std::uint32_t width = 0, height = 0;
  unsigned bits = 1;      ///< a sample: 1, 2, 4, 8 or 16
  unsigned samples = 1;   ///< a pixel
  bool separate = false;  ///< every sample in a plane of its own
  TiffColor color = TiffColor::kGray;
  bool inverted = false;  ///< gray of which 0 is white
  int alpha = -1;         ///< the sample that holds alpha
  bool premultiplied = false;
  std::vector<std::array<std::uint8_t, 3>> palette;

  unsigned color_samples() const { return color == TiffColor::kRgb ? 3 : color == TiffColor::kCmyk ? 4 : 1; }
  int channels() const { return (color == TiffColor::kGray ? 1 : 3) + (alpha >= 0 ? 1 : 0); }
  unsigned planes() const { return separate ? samples : 1; }
  /// Samples side by side in one plane's row.
  unsigned samples_a_plane() const { return separate ? 1 : samples; }
  std::uint64_t plane_row_bytes() const { return (std::uint64_t{width} * samples_a_plane() * bits + 7) / 8; }
};

/// Throws Error(kInput | kUnsupported).
TiffLayout read_tiff_layout(const TiffFile& file);

class TiffInflater;

/// The stored rows of the page, some at a time: a row of strips or of tiles in every plane.
class TiffBands {
 public:
  TiffBands(TiffFile& file, const TiffLayout& layout);
  ~TiffBands();

  /// Bytes of one band and of what libtiff needs to fill it.
  std::uint64_t memory() const;
  /// True when rows may be read one by one straight into the caller's memory.
  bool by_rows() const { return by_rows_; }
  /// Row `y`, in order, plane_row_bytes() of the one plane there is. False where libtiff fails.
  bool read_row(std::uint32_t y, std::uint8_t* to, const TimeLimit& limit);
  /// The row `y` of `plane`; nullptr where libtiff fails. In order. The limit is looked at between tiles.
  const std::uint8_t* row(std::uint32_t y, unsigned plane, const TimeLimit& limit);

 private:
  bool read_band(std::uint32_t first, const TimeLimit& limit);
  bool read_strip(std::uint32_t first, unsigned plane, std::uint8_t* to, const TimeLimit& limit);
  bool read_tiles(std::uint32_t first, unsigned plane, std::uint8_t* to, const TimeLimit& limit);

  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  /// Zeros, since a codec may say "success" and write less; of memory that is not touched before it is used, since a
  /// header may claim any size.
  using Zeros = std::unique_ptr<std::uint8_t[], Free>;
  static Zeros zeros(std::uint64_t size);

  TiffFile& file_;
  const TiffLayout& layout_;
  bool tiled_;
  bool by_rows_;
  std::uint32_t strip_rows_;
  std::uint32_t band_rows_;  ///< rows of a strip or tile; 1: of those read by rows
  std::uint32_t tile_width_ = 0;
  std::uint64_t stride_;
  std::vector<Zeros> planes_;
  Zeros tile_;
  std::unique_ptr<TiffInflater> inflater_;  ///< null where libtiff is to decode
  std::uint32_t band_ = 0;                  ///< first row held
  bool held_ = false;
};

/// Turns stored samples into rows of 8 bits.
class TiffConverter {
 public:
  explicit TiffConverter(const TiffLayout& layout);
  /// True when stored rows of one plane are rows already.
  bool is_identity() const;
  /// `rows`: one pointer a plane.
  void convert(const std::vector<const std::uint8_t*>& rows, std::uint8_t* to);
  std::uint64_t memory() const { return std::uint64_t{layout_.width} * layout_.samples; }

 private:
  void unpack(const std::uint8_t* from, unsigned plane);
  void color_pixel(const std::uint8_t* samples, std::uint8_t* to) const;

  const TiffLayout& layout_;
  std::array<std::uint8_t, 256> scaled_{};  ///< a sample of `bits` (16: its high byte) as 0..255
  std::vector<std::uint8_t> samples_;       ///< of one row, one byte each
};

}  // namespace gpuhisto
