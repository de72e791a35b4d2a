// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "metadata/exif.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "codecs/byte_fields.hpp"
#include "metadata/tiff_block.hpp"

namespace gpuhisto {
namespace {

/// Changes values where they lie.
class ExifEditor {
 public:
  explicit ExifEditor(std::vector<std::uint8_t>& bytes)
      : bytes_(bytes), block_(bytes), first_(block_.first_directory()), exif_(block_.directory_of(first_, kTagExif)) {}

  void fit(const PixelChange& change) {
    if (change.upright) set(first_, kTagOrientation, 1);
    if (change.swapped_axes) swap_resolutions();
    if (change.width > 0) {
      set(exif_, kTagPixelXDimension, change.width);
      set(exif_, kTagPixelYDimension, change.height);
      set(first_, kTagImageWidth, change.width);
      set(first_, kTagImageLength, change.height);
    }
    cut_thumbnail();
  }

 private:
  void put(std::size_t at, std::uint32_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      bytes_[at + i] = static_cast<std::uint8_t>(value >> 8 * (block_.big_endian() ? count - 1 - i : i));
  }

  /// Each entry of the tag that is one number and can hold the value: where there are two, readers differ in which
  /// counts.
  void set(const TiffDirectory& directory, unsigned tag, std::uint32_t value) {
    for (const TiffEntry& entry : directory.entries) {
      if (entry.tag != tag || entry.count != 1 || !block_.holds(entry)) continue;
      if (entry.type == kTypeShort && value <= 0xFFFF) put(entry.value_at, value, 2);
      if (entry.type == kTypeLong) put(entry.value_at, value, 4);
    }
  }

  void swap_resolutions() {
    const TiffEntry* const x = TiffBlock::find(first_, kTagXResolution);
    const TiffEntry* const y = TiffBlock::find(first_, kTagYResolution);
    const auto fits = [&](const TiffEntry* e) {
      return e && e->type == kTypeRational && e->count == 1 && block_.holds(*e);
    };
    if (!fits(x) || !fits(y)) return;
    for (std::size_t half = 0; half < 8; half += 4) {
      const std::uint32_t of_x = block_.u32(x->value_at + half);
      put(x->value_at + half, block_.u32(y->value_at + half), 4);
      put(y->value_at + half, of_x, 4);
    }
  }

  /// The thumbnail has the second directory. Its pixels are the block's last bytes as a rule, and go with it.
  void cut_thumbnail() {
    const TiffDirectory second = block_.directory(block_.u32(first_.next_at));
    const std::size_t at = block_.number(TiffBlock::find(second, kTagThumbnailAt));
    const std::size_t count = block_.number(TiffBlock::find(second, kTagThumbnailBytes));
    put(first_.next_at, 0, 4);
    constexpr std::size_t kPadding = 3;
    if (at < end_of_values() || at >= block_.size() || count > block_.size() - at) return;
    if (block_.size() - at - count <= kPadding) bytes_.resize(at);
  }

  /// The end of all that the directories hold, the thumbnail's not among them.
  std::size_t end_of_values() const {
    std::size_t end = 0;
    const auto add = [&](const TiffDirectory& directory) {
      end = std::max(end, directory.next_at + 4);
      for (const TiffEntry& entry : directory.entries)
        if (block_.holds(entry)) end = std::max(end, entry.value_at + static_cast<std::size_t>(entry.bytes));
    };
    for (const TiffDirectory& directory :
         {first_, exif_, block_.directory_of(first_, kTagGps), block_.directory_of(exif_, kTagInterop)})
      add(directory);
    return end;
  }

  std::vector<std::uint8_t>& bytes_;
  const TiffBlock block_;
  const TiffDirectory first_, exif_;
};

}  // namespace

std::size_t exif_head_bytes(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kHead("Exif\0\0", 6);
  return bytes.size() >= kHead.size() && std::memcmp(bytes.data(), kHead.data(), kHead.size()) == 0 ? kHead.size() : 0;
}

int exif_orientation(std::span<const std::uint8_t> tiff) {
  const TiffBlock block(tiff);
  if (!block.has_header()) return 1;
  const TiffDirectory directory = block.first_directory();
  const std::uint32_t value = block.number(TiffBlock::find(directory, kTagOrientation));
  return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
}

bool is_sound_exif(std::span<const std::uint8_t> tiff) {
  const TiffBlock block(tiff);
  return block.has_header() && block.first_directory().whole;
}

bool is_orientation_alone(std::span<const std::uint8_t> tiff) {
  const TiffDirectory first = TiffBlock(tiff).first_directory();
  return is_sound_exif(tiff) && first.entries.size() == 1 && first.entries[0].tag == kTagOrientation;
}

void fit_exif(std::vector<std::uint8_t>& tiff, const PixelChange& change) {
  ExifEditor(tiff).fit(change);
  if (!is_sound_exif(tiff) || (change.upright && exif_orientation(tiff) != 1)) tiff.clear();
}

std::vector<std::uint8_t> exif_of_orientation(int orientation) {
  std::vector<std::uint8_t> block = {'M', 'M', 0, 42};
  put32be(block, 8);  // the directory's offset
  put16be(block, 1);  // its entries
  put16be(block, kTagOrientation);
  put16be(block, kTypeShort);
  put32be(block, 1);
  put16be(block, static_cast<std::uint32_t>(orientation));
  put16be(block, 0);
  put32be(block, 0);  // no next directory
  return block;
}

}  // namespace gpuhisto
