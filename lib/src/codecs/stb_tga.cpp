// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>

#include "codecs/byte_fields.hpp"
#include "codecs/codec.hpp"
#include "codecs/stb_input.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint64_t kHeaderBytes = 18;

struct TgaHeader {
  std::uint32_t id_bytes, map_type, type, map_first, map_count, map_bits;
  std::uint32_t width, height, bits, descriptor;

  explicit TgaHeader(Bytes file)
      : id_bytes(byte_at(file, 0)),
        map_type(byte_at(file, 1)),
        type(byte_at(file, 2)),
        map_first(u16le(file, 3)),
        map_count(u16le(file, 5)),
        map_bits(byte_at(file, 7)),
        width(u16le(file, 12)),
        height(u16le(file, 14)),
        bits(byte_at(file, 16)),
        descriptor(byte_at(file, 17)) {}

  bool indexed() const { return type == 1 || type == 9; }
  bool gray() const { return type == 3 || type == 11; }
  bool runs() const { return type >= 9; }
  std::uint32_t map_entry() const { return (map_bits + 7) / 8; }
  std::uint32_t pixel_bytes() const { return (bits + 7) / 8; }
  std::uint64_t pixels_at() const { return kHeaderBytes + id_bytes + (map_type != 0 ? map_count * map_entry() : 0u); }
  int channels() const {
    const std::uint32_t color_bits = indexed() ? map_bits : bits;
    if (color_bits == 8) return 1;
    if (color_bits == 16 && gray()) return 2;
    return color_bits == 32 ? 4 : 3;
  }
};

bool is_color_bits(std::uint32_t bits) { return bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32; }

bool is_plausible(const TgaHeader& h) {
  const bool known_type = (h.type >= 1 && h.type <= 3) || (h.type >= 9 && h.type <= 11);
  if (!known_type || h.map_type > 1 || h.width == 0 || h.height == 0) return false;
  if ((h.descriptor & 0xC0) != 0 || (h.descriptor & 15) > 8) return false;
  if (h.map_type == 1 && (!is_color_bits(h.map_bits) || h.map_count == 0)) return false;
  if (h.indexed()) return h.map_type == 1 && (h.bits == 8 || h.bits == 16);
  if (h.gray()) return h.bits == 8 || h.bits == 16;
  return is_color_bits(h.bits);
}

/// Steps over the pixels one by one, undoing the run lengths where there are any.
class PixelWalk {
 public:
  PixelWalk(Bytes file, const TgaHeader& header) : file_(file), header_(header), at_(header.pixels_at()) {}

  /// False where the next pixel is cut off.
  bool next() {
    if (!header_.runs()) return take_pixel();
    if (left_ > 0) {
      --left_;
      return repeats_ || take_pixel();
    }
    if (at_ >= file_.size()) return false;
    const std::uint32_t packet = byte_at(file_, at_++);
    left_ = packet & 127;
    repeats_ = packet >= 128;
    return take_pixel();
  }
  std::uint32_t index() const { return header_.bits == 16 ? u16le(file_, at_ - 2) : byte_at(file_, at_ - 1); }
  std::uint64_t position() const { return at_; }

 private:
  bool take_pixel() {
    at_ += header_.pixel_bytes();
    return at_ <= file_.size();
  }

  Bytes file_;
  const TgaHeader& header_;
  std::uint64_t at_;
  std::uint32_t left_ = 0;
  bool repeats_ = false;
};

// Finds how many rows are whole, and where their bytes end.
std::uint64_t walk(Bytes file, const TgaHeader& header, StbInput& input) {
  PixelWalk pixels(file, header);
  std::uint64_t end = pixels.position();
  for (; input.rows < header.height; ++input.rows) {
    for (std::uint32_t x = 0; x < header.width; ++x) {
      if (!pixels.next()) {
        input.damage = "the pixels are truncated";
        return end;
      }
      if (!header.indexed()) continue;
      if (pixels.index() < header.map_first || pixels.index() - header.map_first >= header.map_count) {
        input.damage = "a pixel has a color that the color map lacks";
        return end;
      }
    }
    end = pixels.position();
  }
  return end;
}

// stb_image skips `map_first` bytes, and refuses a color map that no pixel uses: start the map at 0 or leave it out.
std::vector<std::uint8_t> plain_tga(Bytes file, const TgaHeader& header, std::uint64_t rows, std::uint64_t end) {
  std::vector<std::uint8_t> plain(kHeaderBytes);
  std::copy_n(file.begin(), kHeaderBytes, plain.begin());
  const std::uint32_t map_count = header.indexed() ? header.map_first + header.map_count : 0;
  plain[0] = 0;
  plain[1] = header.indexed() ? 1 : 0;
  plain[3] = plain[4] = 0;
  plain[5] = static_cast<std::uint8_t>(map_count);
  plain[6] = static_cast<std::uint8_t>(map_count >> 8);
  plain[14] = static_cast<std::uint8_t>(rows);
  plain[15] = static_cast<std::uint8_t>(rows >> 8);
  if (header.indexed()) {
    plain.resize(kHeaderBytes + header.map_first * header.map_entry());
    const auto map = file.begin() + static_cast<std::ptrdiff_t>(kHeaderBytes + header.id_bytes);
    plain.insert(plain.end(), map, map + std::ptrdiff_t{header.map_count} * header.map_entry());
  }
  plain.insert(plain.end(), file.begin() + static_cast<std::ptrdiff_t>(header.pixels_at()),
               file.begin() + static_cast<std::ptrdiff_t>(end));
  return plain;
}

}  // namespace

bool looks_like_tga(Bytes head) { return head.size() >= kHeaderBytes && is_plausible(TgaHeader(head)); }

StbInput check_tga(Bytes file, const DecodeOptions& options) {
  const TgaHeader header(file);
  if (!looks_like_tga(file)) throw Error(ErrorKind::kInput, "bad TGA header");
  StbInput input;
  input.info.format = Format::kTga;
  input.info.width = header.width;
  input.info.height = header.height;
  input.info.channels = header.channels();
  input.mirrored = (header.descriptor & 0x10) != 0;
  check_stb_size(file, input.info, file.size() + 65536 * 4, options);
  if (header.pixels_at() > file.size()) throw Error(ErrorKind::kInput, "the color map is truncated");
  if (header.indexed() && header.map_first + header.map_count > 65535)
    throw Error(ErrorKind::kInput, "bad TGA header: the color map ends behind its last number");
  const std::uint64_t end = walk(file, header, input);
  input.file = plain_tga(file, header, input.rows, end);
  return input;
}

}  // namespace gpuhisto
