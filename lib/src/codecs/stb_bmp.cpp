// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>

#include "codecs/bmp_header.hpp"
#include "codecs/byte_fields.hpp"
#include "codecs/codec.hpp"
#include "codecs/stb_input.hpp"
#include "core/plural.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint32_t kHeaderBytes = 14 + 108;
constexpr std::size_t kPaletteBytes = 256 * 4;

std::uint64_t stride_of(std::uint64_t width, unsigned bits) { return (width * bits + 31) / 32 * 4; }

// A color that the palette lacks is black to some readers and an error to others: its pixels would be guesses.
bool all_in_palette(Bytes row, std::uint64_t width, unsigned bits, std::size_t colors) {
  if (colors >= std::size_t{1} << bits) return true;
  const unsigned per_byte = 8 / bits, mask = (1u << bits) - 1;
  for (std::uint64_t x = 0; x < width; ++x) {
    const unsigned shift = 8 - bits * static_cast<unsigned>(x % per_byte + 1);
    if ((static_cast<unsigned>(row[static_cast<std::size_t>(x / per_byte)]) >> shift & mask) >= colors) return false;
  }
  return true;
}

// Rows as stored, or two-bit indices (unknown to stb_image) as bytes; whole rows only.
BmpIndices stored_rows(Bytes file, const BmpHeader& header) {
  const std::uint64_t stride = stride_of(header.width, header.bits);
  const std::uint64_t needed = (header.width * header.bits + 7) / 8;
  const std::uint64_t there = file.size() > header.pixels_at ? file.size() - header.pixels_at : 0;
  BmpIndices rows;
  // The padding of the last row may be missing.
  rows.rows = there < needed ? 0 : std::min(header.height, 1 + (there - needed) / stride);
  if (rows.rows < header.height) rows.damage = "the pixels are truncated";
  const Bytes pixels = file.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(header.pixels_at, file.size())));
  if (header.bits != 2) {
    rows.bytes.assign(pixels.begin(),
                      pixels.begin() + static_cast<std::ptrdiff_t>(std::min(there, rows.rows * stride)));
    rows.bytes.resize(static_cast<std::size_t>(rows.rows * stride));
    return rows;
  }
  const std::uint64_t byte_stride = stride_of(header.width, 8);
  rows.bytes.resize(static_cast<std::size_t>(rows.rows * byte_stride));
  for (std::uint64_t y = 0; y < rows.rows; ++y)
    for (std::uint64_t x = 0; x < header.width; ++x)
      rows.bytes[static_cast<std::size_t>(y * byte_stride + x)] =
          static_cast<std::uint8_t>(byte_at(pixels, y * stride + x / 4) >> (6 - 2 * (x % 4)) & 3);
  return rows;
}

void check_indices(const BmpHeader& header, unsigned bits, BmpIndices& rows) {
  const std::uint64_t stride = stride_of(header.width, bits);
  for (std::uint64_t y = 0; y < rows.rows; ++y) {
    const Bytes row = Bytes(rows.bytes).subspan(static_cast<std::size_t>(y * stride));
    if (all_in_palette(row, header.width, bits, header.palette.size() / 4)) continue;
    rows.rows = y;
    rows.damage = "a pixel has a color that the palette lacks";
    return;
  }
}

// A file with a V4 header, which alone names all four masks.
std::vector<std::uint8_t> plain_bmp(const BmpHeader& header, unsigned bits, const BmpIndices& rows) {
  std::vector<std::uint8_t> file = {'B', 'M'};
  const std::size_t palette_bytes = bits <= 8 ? kPaletteBytes : 0;
  const auto pixel_bytes = static_cast<std::size_t>(rows.rows * stride_of(header.width, bits));
  file.reserve(kHeaderBytes + palette_bytes + pixel_bytes);
  put32le(file, 0);
  put32le(file, 0);
  put32le(file, static_cast<std::uint32_t>(kHeaderBytes + palette_bytes));
  put32le(file, kHeaderBytes - 14);
  put32le(file, static_cast<std::uint32_t>(header.width));
  const auto height = static_cast<std::uint32_t>(rows.rows);
  put32le(file, header.top_down ? ~height + 1 : height);
  put16le(file, 1);
  put16le(file, bits);
  const bool masks = bits == 16 || bits == 32;
  put32le(file, masks ? 3 : 0);
  file.resize(14 + 40);
  for (const std::uint32_t mask : header.masks) put32le(file, masks ? mask : 0);
  file.resize(kHeaderBytes);
  if (palette_bytes > 0) file.insert(file.end(), header.palette.begin(), header.palette.end());
  file.resize(kHeaderBytes + palette_bytes);
  file.insert(file.end(), rows.bytes.begin(), rows.bytes.begin() + static_cast<std::ptrdiff_t>(pixel_bytes));
  return file;
}

void describe(const BmpHeader& header, const BmpIndices& rows, StbInput& input) {
  for (const std::string& text : header.complaints) input.notes.emplace_back(Flag::kWarning, text);
  if (rows.unset > 0)
    input.notes.emplace_back(Flag::kWarning,
                             number_of(rows.unset, "pixel") + " left out by the file, counted as its color 0");
  if (rows.overlong_runs) input.notes.emplace_back(Flag::kWarning, "runs of pixels go past the end of their row");
  if (header.sample_bits > 8)
    input.notes.emplace_back(
        Flag::kReduced16, "samples of " + std::to_string(header.sample_bits) + " bits were reduced to their highest 8");
  if (header.has_profile) input.metadata.lose("ICC profile");
  input.metadata.resolution = header.resolution;
}

}  // namespace

StbInput check_bmp(Bytes file, const DecodeOptions& options) {
  const BmpHeader header = read_bmp_header(file);
  const bool runs = header.compression == BmpCompression::kRle8 || header.compression == BmpCompression::kRle4;
  const unsigned bits = runs || header.bits == 2 ? 8 : header.bits;
  StbInput input;
  input.info.format = Format::kBmp;
  input.info.width = header.width;
  input.info.height = header.height;
  input.info.channels = header.masks[3] != 0 ? 4 : 3;
  input.info.source_bits = header.bits < 8 ? static_cast<int>(header.bits) : std::max(8, header.sample_bits);
  check_pixels(header.width, header.height, options);
  // The rows exist twice while they are copied into the plain file.
  check_stb_size(file, input.info, 2 * header.height * stride_of(header.width, bits), options);
  BmpIndices rows = runs ? expand_bmp_runs(file, header) : stored_rows(file, header);
  // Before memory is filled for a picture that a few bytes claim to hold.
  if (!rows.damage.empty() && !options.tolerate_damage) throw Error(ErrorKind::kInput, rows.damage);
  if (runs) rows.bytes.resize(static_cast<std::size_t>(rows.rows * stride_of(header.width, bits)));
  if (bits <= 8) check_indices(header, bits, rows);
  describe(header, rows, input);
  input.rows = rows.rows;
  input.damage = rows.damage;
  input.file = plain_bmp(header, bits, rows);
  return input;
}

}  // namespace gpuhisto
