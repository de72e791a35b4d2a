// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gpuhisto {

/// Bytes of the words "Exif\0\0" that JPEG has before the block, and that some writers copy elsewhere; else 0.
std::size_t exif_head_bytes(std::span<const std::uint8_t> bytes);

/// The EXIF orientation (1..8; 1 when absent or invalid) in a TIFF block ("II*\0" or "MM\0*" first).
int exif_orientation(std::span<const std::uint8_t> tiff);

/// Whether the header and the whole of the first directory are there: less than that cannot be fitted to an output.
bool is_sound_exif(std::span<const std::uint8_t> tiff);

/// Whether it tells an orientation and no more.
bool is_orientation_alone(std::span<const std::uint8_t> tiff);

/// How the pixels differ from those that a block describes.
struct PixelChange {
  std::uint32_t width = 0, height = 0;  ///< the size, where it changed; else 0
  bool upright = false;                 ///< they were turned as the orientation asked
  bool swapped_axes = false;            ///< and by that rows became columns
};

/// Fits a sound block to changed pixels, in place, so that every offset stays true, those of maker notes included.
/// Takes the thumbnail out. Leaves nothing of a block whose parts overlap, so that changing one broke another.
void fit_exif(std::vector<std::uint8_t>& tiff, const PixelChange& change);

/// The smallest block that carries an orientation.
std::vector<std::uint8_t> exif_of_orientation(int orientation);

/// Whether a tag of a TIFF file's page tells something that only EXIF can carry.
bool is_worth_exif(unsigned tag);

/// What of a TIFF file's first page EXIF can carry, as a block; empty where there is nothing, of BigTIFF, or beyond
/// `most` bytes.
std::vector<std::uint8_t> exif_of_tiff(std::span<const std::uint8_t> file, std::size_t most);

}  // namespace gpuhisto
