// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "metadata/tiff_block.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "codecs/byte_fields.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kEntryBytes = 12;
/// Bytes of a value of each type, from 1 on; 13 is the offset of a directory.
constexpr std::array<std::uint8_t, 14> kTypeBytes = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};

}  // namespace

TiffBlock::TiffBlock(std::span<const std::uint8_t> bytes) : bytes_(bytes), big_(!bytes.empty() && bytes[0] == 'M') {}

bool TiffBlock::has_header() const {
  return size() >= 8 && (std::memcmp(bytes_.data(), "II*\0", 4) == 0 || std::memcmp(bytes_.data(), "MM\0*", 4) == 0);
}

unsigned TiffBlock::u16(std::size_t at) const { return big_ ? u16be(bytes_, at) : u16le(bytes_, at); }

std::uint32_t TiffBlock::u32(std::size_t at) const { return big_ ? u32be(bytes_, at) : u32le(bytes_, at); }

TiffDirectory TiffBlock::directory(std::size_t at) const {
  TiffDirectory directory;
  if (at < 8 || at > size() || size() - at < 2) return directory;
  const std::size_t named = u16(at), room = (size() - at - 2) / kEntryBytes;
  for (std::size_t i = 0; i < std::min(named, room); ++i) {
    const std::size_t entry_at = at + 2 + i * kEntryBytes;
    TiffEntry entry{u16(entry_at), u16(entry_at + 2), u32(entry_at + 4), entry_at + 8, 0};
    if (entry.type < kTypeBytes.size()) entry.bytes = std::uint64_t{entry.count} * kTypeBytes[entry.type];
    if (entry.bytes > 4) entry.value_at = u32(entry_at + 8);
    directory.entries.push_back(entry);
  }
  directory.next_at = at + 2 + named * kEntryBytes;
  directory.whole = named > 0 && directory.next_at + 4 <= size();
  return directory;
}

TiffDirectory TiffBlock::directory_of(const TiffDirectory& directory, unsigned tag) const {
  const TiffEntry* const entry = find(directory, tag);
  return entry ? this->directory(u32(entry->value_at)) : TiffDirectory{};
}

const TiffEntry* TiffBlock::find(const TiffDirectory& directory, unsigned tag) {
  for (const TiffEntry& entry : directory.entries)
    if (entry.tag == tag) return &entry;
  return nullptr;
}

std::uint32_t TiffBlock::number(const TiffEntry* entry) const {
  if (!entry || entry->count != 1) return 0;
  if (entry->type == kTypeShort) return u16(entry->value_at);
  return entry->type == kTypeLong ? u32(entry->value_at) : 0;
}

}  // namespace gpuhisto
