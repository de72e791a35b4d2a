// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// A TIFF file has the structure of an EXIF block, but its values may lie anywhere between the pixels: they are
// gathered.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "codecs/byte_fields.hpp"
#include "metadata/exif.hpp"
#include "metadata/tiff_block.hpp"

namespace gpuhisto {
namespace {

/// Of the first directory, what does not tell how the pixels are stored: description, make, model, orientation,
/// resolutions, their unit, software, date, artist, computer, rating (2), copyright, date of the original, and what
/// Windows adds (5).
constexpr std::array<unsigned, 21> kCarried = {0x010E, 0x010F, 0x0110, 0x0112, 0x011A, 0x011B, 0x0128,
                                               0x0131, 0x0132, 0x013B, 0x013C, 0x4746, 0x4749, 0x8298,
                                               0x9003, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F, 0x9286};

bool is_pointer(const TiffEntry& entry) {
  return entry.bytes == 4 && (entry.tag == kTagExif || entry.tag == kTagGps || entry.tag == kTagInterop);
}

/// Of no use alone: an output has them by other means.
bool is_of_the_pixels(unsigned tag) {
  return tag == kTagOrientation || tag == kTagXResolution || tag == kTagYResolution || tag == kTagResolutionUnit;
}

class Gatherer {
 public:
  Gatherer(std::span<const std::uint8_t> file, std::size_t most) : file_(file), block_(file), most_(most) {}

  std::vector<std::uint8_t> gather() {
    if (!block_.has_header()) return {};
    const TiffDirectory first = block_.first_directory();
    TiffDirectory carried;
    bool worth = false;
    for (const TiffEntry& entry : first.entries) {
      if (!block_.holds(entry)) continue;
      if (!is_pointer(entry) && std::find(kCarried.begin(), kCarried.end(), entry.tag) == kCarried.end()) continue;
      carried.entries.push_back(entry);
      worth |= !is_of_the_pixels(entry.tag);
    }
    if (!worth) return {};
    out_.assign(file_.begin(), file_.begin() + 4);
    put32(8);
    write(carried);
    return too_long_ || out_.size() > most_ ? std::vector<std::uint8_t>{} : std::move(out_);
  }

 private:
  void put16(std::uint32_t value) { block_.big_endian() ? put16be(out_, value) : put16le(out_, value); }
  void put32(std::uint32_t value) { block_.big_endian() ? put32be(out_, value) : put32le(out_, value); }
  void set32(std::size_t at, std::size_t value) {
    for (std::size_t i = 0; i < 4; ++i)
      out_[at + i] = static_cast<std::uint8_t>(value >> 8 * (block_.big_endian() ? 3 - i : i));
  }

  /// The directory, its long values, and the directories it points to, one behind the other.
  void write(const TiffDirectory& directory) {
    std::vector<TiffEntry> entries;
    for (const TiffEntry& entry : directory.entries)
      if (block_.holds(entry) && (!is_pointer(entry) || followed_.insert(entry.tag).second)) entries.push_back(entry);
    put16(static_cast<std::uint32_t>(entries.size()));
    std::vector<std::size_t> values_at;
    for (const TiffEntry& entry : entries) {
      put16(entry.tag);
      put16(entry.type);
      put32(entry.count);
      values_at.push_back(out_.size());
      put32(0);
    }
    put32(0);  // no next directory
    for (std::size_t i = 0; i < entries.size(); ++i) write_value(entries[i], values_at[i]);
  }

  void write_value(const TiffEntry& entry, std::size_t at) {
    too_long_ |= out_.size() + entry.bytes > most_;
    if (too_long_) return;
    if (is_pointer(entry)) {
      out_.resize(out_.size() + out_.size() % 2);
      set32(at, out_.size());
      write(block_.directory(block_.u32(entry.value_at)));
      return;
    }
    const auto value = file_.subspan(entry.value_at, static_cast<std::size_t>(entry.bytes));
    if (entry.bytes <= 4) {
      std::copy(value.begin(), value.end(), out_.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    }
    out_.resize(out_.size() + out_.size() % 2);
    set32(at, out_.size());
    out_.insert(out_.end(), value.begin(), value.end());
  }

  std::span<const std::uint8_t> file_;
  TiffBlock block_;
  std::size_t most_;
  std::vector<std::uint8_t> out_;
  std::set<unsigned> followed_;  // pointers: each kind once, so that none leads in circles
  bool too_long_ = false;
};

}  // namespace

bool is_worth_exif(unsigned tag) {
  if (tag == kTagExif || tag == kTagGps) return true;
  return !is_of_the_pixels(tag) && std::find(kCarried.begin(), kCarried.end(), tag) != kCarried.end();
}

std::vector<std::uint8_t> exif_of_tiff(std::span<const std::uint8_t> file, std::size_t most) {
  return Gatherer(file, most).gather();
}

}  // namespace gpuhisto
