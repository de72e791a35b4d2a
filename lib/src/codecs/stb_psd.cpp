// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <array>
#include <utility>

#include "codecs/byte_fields.hpp"
#include "codecs/codec.hpp"
#include "codecs/stb_input.hpp"
#include "metadata/exif.hpp"
#include "metadata/limits.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint64_t kHeaderBytes = 26;
constexpr std::uint32_t kRgb = 3;

struct PsdHeader {
  std::uint32_t version, channels, height, width, depth, mode;

  explicit PsdHeader(Bytes file)
      : version(u16be(file, 4)),
        channels(u16be(file, 12)),
        height(u32be(file, 14)),
        width(u32be(file, 18)),
        depth(u16be(file, 22)),
        mode(u16be(file, 24)) {}

  std::uint64_t row_bytes() const { return std::uint64_t{width} * (depth / 8); }
};

void check_header(Bytes file, const PsdHeader& header) {
  if (file.size() < kHeaderBytes) throw Error(ErrorKind::kInput, "the header is truncated");
  constexpr std::array kModes = {"bitmap", "grayscale", "indexed",      "RGB",     "CMYK",
                                 "",       "",          "multichannel", "duotone", "Lab"};
  if (header.version == 2) throw Error(ErrorKind::kUnsupported, "a large Photoshop document (PSB)");
  if (header.version != 1) throw Error(ErrorKind::kInput, "bad PSD header: version " + std::to_string(header.version));
  if (header.mode != kRgb)
    throw Error(ErrorKind::kUnsupported,
                "a PSD file of color mode " + std::to_string(header.mode) +
                    (header.mode < kModes.size() ? std::string(" ") + kModes[header.mode] : ""));
  if (header.depth != 8 && header.depth != 16)
    throw Error(ErrorKind::kUnsupported, "a PSD file of " + std::to_string(header.depth) + " bits a sample");
  if (header.channels < 3 || header.channels > 56)
    throw Error(ErrorKind::kInput, "bad PSD header: " + std::to_string(header.channels) + " channels");
}

/// Pixels per inch, as 16.16 fixed point, each followed by how it is shown.
void read_resolution(Bytes data, Metadata& metadata) {
  constexpr double kOne = 65536;
  const double x = u32be(data, 0) / kOne, y = u32be(data, 8) / kOne;
  if (x > 0 && y > 0) metadata.resolution = {x, y, Resolution::Unit::kInch};
}

void read_resources(Bytes block, std::size_t limit, StbInput& input) {
  Metadata& metadata = input.metadata;
  KeptBlocks kept(metadata, limit);
  bool oriented = false;  // the first block tells
  for (std::uint64_t at = 0; at + 12 <= block.size() && u32be(block, at) == 0x3842494D;) {
    const std::uint32_t id = u16be(block, at + 4);
    const std::uint64_t name = byte_at(block, at + 6) + 1;
    const std::uint64_t data_at = at + 6 + name + name % 2 + 4;
    const std::uint64_t size = u32be(block, data_at - 4);
    at = data_at + size + size % 2;
    if (data_at + size > block.size()) continue;
    const Bytes data = block.subspan(static_cast<std::size_t>(data_at), static_cast<std::size_t>(size));
    if (id == 0x0422 && !std::exchange(oriented, true)) input.info.orientation = exif_orientation(data);
    if (limit == 0) continue;
    if (id == 0x03ED) read_resolution(data, metadata);
    if (id == 0x0404) metadata.lose("IPTC");
    if (id == 0x040F) kept.take("ICC profile", data, metadata.icc);
    if (id == 0x0422) kept.take("EXIF", data, metadata.exif);
    if (id == 0x0424) kept.take("XMP", data, metadata.xmp);
  }
}

// The offset of the merged image, behind color data, resources and layers.
std::uint64_t find_pixels(Bytes file, const DecodeOptions& options, StbInput& input) {
  std::uint64_t at = kHeaderBytes;
  for (int section = 0; section < 3; ++section) {
    const std::uint64_t size = u32be(file, at);
    at += 4;
    if (at + size > file.size()) throw Error(ErrorKind::kInput, "the file ends before the merged image");
    if (section == 1)
      read_resources(file.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size)),
                     metadata_limit(options), input);
    at += size;
  }
  if (at + 2 > file.size()) throw Error(ErrorKind::kInput, "the file ends before the merged image");
  return at;
}

/// The rows of the merged image, one channel after the other.
class PlaneReader {
 public:
  PlaneReader(Bytes file, const PsdHeader& header, std::uint64_t at)
      : file_(file), header_(header), compressed_(u16be(file, at) == 1), at_(at + 2) {
    if (u16be(file, at) > 1) throw Error(ErrorKind::kUnsupported, "a PSD file with zip compression");
    counts_at_ = at_;
    if (compressed_) at_ += 2 * std::uint64_t{header.height} * header.channels;
  }

  /// The next row in `row`; false where it is cut off or its run lengths are wrong.
  bool next(std::vector<std::uint8_t>& row) {
    row.clear();
    const std::uint64_t size = compressed_ ? u16be(file_, counts_at_) : header_.row_bytes();
    counts_at_ += 2;
    if (at_ + size > file_.size()) return false;
    const Bytes packed = file_.subspan(static_cast<std::size_t>(at_), static_cast<std::size_t>(size));
    at_ += size;
    if (!compressed_)
      row.assign(packed.begin(), packed.end());
    else
      unpack(packed, row);
    return row.size() == header_.row_bytes();
  }

 private:
  void unpack(Bytes packed, std::vector<std::uint8_t>& row) const {
    for (std::size_t i = 0; i < packed.size() && row.size() <= header_.row_bytes();) {
      const std::uint32_t code = packed[i++];
      if (code < 128) {
        const std::size_t count = std::min<std::size_t>(code + 1, packed.size() - i);
        row.insert(row.end(), packed.begin() + static_cast<std::ptrdiff_t>(i),
                   packed.begin() + static_cast<std::ptrdiff_t>(i + count));
        i += count;
      } else if (code > 128 && i < packed.size()) {
        row.insert(row.end(), 257 - code, packed[i++]);
      }
    }
  }

  Bytes file_;
  const PsdHeader& header_;
  bool compressed_;
  std::uint64_t at_;
  std::uint64_t counts_at_ = 0;
};

struct Planes {
  std::array<std::vector<std::uint8_t>, 3> colors;
  std::vector<std::uint8_t> alpha;
};

Planes read_planes(PlaneReader& reader, const PsdHeader& header, StbInput& input) {
  Planes planes;
  std::vector<std::uint8_t> row;
  const auto channels = static_cast<std::size_t>(input.info.channels);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    for (input.rows = 0; input.rows < header.height; ++input.rows) {
      if (!reader.next(row)) {
        input.damage = "the merged image is truncated or damaged";
        // Channels come one after the other: without the last one no pixel is whole.
        if (channel + 1 < channels) input.rows = 0;
        return planes;
      }
      if (channel < 3)
        planes.colors[channel].insert(planes.colors[channel].end(), row.begin(), row.end());
      else
        for (std::size_t x = 0; x < row.size(); x += header.depth / 8) planes.alpha.push_back(row[x]);
    }
  }
  return planes;
}

// Three uncompressed channels: stb_image knows no run lengths of two-byte samples, and it takes a white matte out of
// colors that have alpha, which are then no longer those stored.
std::vector<std::uint8_t> plain_psd(const PsdHeader& header, std::uint64_t rows, const Planes& planes) {
  std::vector<std::uint8_t> file = {'8', 'B', 'P', 'S', 0, 1, 0, 0, 0, 0, 0, 0, 0, 3};
  put32be(file, static_cast<std::uint32_t>(rows));
  put32be(file, header.width);
  put16be(file, header.depth);
  put16be(file, kRgb);
  file.resize(file.size() + 3 * 4 + 2);  // no color data, resources, layers; no compression
  for (const auto& color : planes.colors)
    file.insert(file.end(), color.begin(), color.begin() + static_cast<std::ptrdiff_t>(rows * header.row_bytes()));
  return file;
}

}  // namespace

StbInput check_psd(Bytes file, const DecodeOptions& options) {
  const PsdHeader header(file);
  check_header(file, header);
  StbInput input;
  input.info.format = Format::kPsd;
  input.info.width = header.width;
  input.info.height = header.height;
  // Of more channels than four, none is the transparency.
  input.info.channels = header.channels == 4 ? 4 : 3;
  input.info.source_bits = static_cast<int>(header.depth);
  check_pixels(header.width, header.height, options);
  const std::uint64_t plane_bytes = header.height * header.row_bytes();
  check_stb_size(file, input.info, 2 * 3 * plane_bytes + std::uint64_t{header.width} * header.height, options);
  PlaneReader reader(file, header, find_pixels(file, options, input));
  Planes planes = read_planes(reader, header, input);
  if (input.rows > 0) input.file = plain_psd(header, input.rows, planes);
  input.alpha = std::move(planes.alpha);
  if (header.depth == 16)
    input.notes.emplace_back(Flag::kReduced16, "samples of 16 bits were reduced to their high byte");
  return input;
}

}  // namespace gpuhisto
