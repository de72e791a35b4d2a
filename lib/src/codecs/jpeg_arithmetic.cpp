// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/jpeg_arithmetic.hpp"

#include <algorithm>
#include <cstring>

namespace gpuhisto {
namespace {

/// A decoder is three bytes ahead. That five more are zeros by chance happens once in 2^40 files.
constexpr std::uint64_t kMostZeros = 8;
/// Of one scan of several, whose blocks may repeat when those of the picture do not. Then the decoder still learns for
/// some bytes that they do: 20 where they are flat, 80 where they have a pattern (measured).
constexpr std::uint64_t kMostOfFlat = 32, kMostOfPattern = 128;
/// And what it has learnt still costs a bit for 2^15 decisions.
constexpr std::uint64_t kBlocksAByte = 1 << 16;

/// After a DC difference come five kinds of another (ITU-T T.81, F.1.4.4.1.2), so what costs nothing any more repeats
/// after five blocks at most, in a row of MCUs after as many of these; some more for good measure.
constexpr std::size_t kLongestPattern = 8;
/// Columns at either side that are interpolated in another way.
constexpr std::size_t kMargin = 2;
/// Blocks at the end of a row that are decoded last.
constexpr std::size_t kLastUnits = 3;

bool is_restart(std::uint8_t marker) { return marker >= 0xD0 && marker <= 0xD7; }

std::uint64_t blocks_of_scan(const jpeg_decompress_struct& codec) {
  std::uint64_t blocks = 0;
  for (int i = 0; i < codec.comps_in_scan && codec.cur_comp_info[i]; ++i)
    blocks += std::uint64_t{codec.cur_comp_info[i]->width_in_blocks} * codec.cur_comp_info[i]->height_in_blocks;
  return blocks;
}

}  // namespace

std::size_t bytes_before_marker(std::span<const std::uint8_t> bytes) {
  for (auto at = bytes.begin();;) {
    const auto run = std::find(at, bytes.end(), std::uint8_t{0xFF});
    const auto code = std::find_if(run, bytes.end(), [](std::uint8_t byte) { return byte != 0xFF; });
    if (code == bytes.end() || (*code != 0 && !is_restart(*code))) return static_cast<std::size_t>(run - bytes.begin());
    at = code + 1;
  }
}

void ArithmeticEnd::begin_scan(jpeg_decompress_struct& codec) {
  scan_ = codec.input_scan_number;
  zeros_ = 0;
  refines_dc_ = codec.Ss == 0 && codec.Ah > 0;
  const std::uint64_t more = blocks_of_scan(codec) / kBlocksAByte;
  most_of_flat_ = kMostOfFlat + more;
  most_ = kMostOfPattern + more;
  of_several_ = jpeg_has_multiple_scans(&codec) == TRUE;
  suspicious_ = of_several_ ? most_of_flat_ : kMostZeros;
}

void ArithmeticEnd::count_zero(const jpeg_decompress_struct& codec) {
  ++zeros_;
  // A scan that refines DC has a bit for each block, and any number of them may be left out.
  if (zeros_ > suspicious_ && !refines_dc_ && !row_) row_ = codec.input_iMCU_row;
}

bool ArithmeticEnd::invented(const jpeg_decompress_struct& codec, std::uint64_t y,
                             std::span<const std::uint8_t> row) const {
  if (!row_) return false;
  const std::size_t unit = static_cast<std::size_t>(codec.max_h_samp_factor) * DCTSIZE, width = codec.output_width,
                    channels = row.size() / width;
  const std::uint64_t rows = static_cast<std::uint64_t>(codec.max_v_samp_factor) * DCTSIZE, row_of_blocks = y / rows;
  // The first one of subsampled blocks is interpolated with the last one above.
  const bool mixed = y % rows == 0 && codec.max_v_samp_factor > 1;
  if (row_of_blocks < *row_ || mixed || width < 2 * (unit + kMargin)) return false;
  const std::uint8_t* const end = row.data() + (width - kMargin) * channels;
  for (std::size_t shift = unit; shift <= kLongestPattern * unit && shift + unit + 2 * kMargin <= width;
       shift += unit) {
    // In the first row of blocks, only what was decoded last is known to be behind the zeros.
    const std::size_t all = width - shift - 2 * kMargin,
                      compared = (row_of_blocks > *row_ ? all : std::min(all, kLastUnits * unit)) * channels;
    if (std::memcmp(end - compared, end - compared - shift * channels, compared) == 0) return false;
  }
  return true;
}

}  // namespace gpuhisto
