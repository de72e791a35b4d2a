// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <array>

#include "codecs/byte_fields.hpp"
#include "codecs/codec.hpp"
#include "codecs/gif_blocks.hpp"
#include "codecs/stb_input.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kColors = 256;
constexpr unsigned kCodeBits = 9;
constexpr std::uint32_t kClearCode = 256, kEndCode = 257;
// Codes stay nine bits wide as long as the reader's table stays below 512 entries; it begins with 258.
constexpr std::size_t kPixelsPerClear = 250;

/// Codes in sub-blocks of 255 bytes.
class CodeWriter {
 public:
  explicit CodeWriter(std::vector<std::uint8_t>& to) : to_(to) {}

  void put(std::uint32_t code) {
    bits_ |= code << have_;
    for (have_ += kCodeBits; have_ >= 8; have_ -= 8, bits_ >>= 8) put_byte();
  }
  void finish() {
    if (have_ > 0) put_byte();
    if (size_ > 0) to_[size_at_] = static_cast<std::uint8_t>(size_);
    to_.push_back(0);
  }

 private:
  void put_byte() {
    if (size_ == 0) {
      size_at_ = to_.size();
      to_.push_back(255);
    }
    to_.push_back(static_cast<std::uint8_t>(bits_));
    size_ = (size_ + 1) % 255;
  }

  std::vector<std::uint8_t>& to_;
  std::uint32_t bits_ = 0;
  unsigned have_ = 0;
  std::size_t size_ = 0, size_at_ = 0;
};

void put_codes(Bytes indices, std::vector<std::uint8_t>& file) {
  file.push_back(8);
  CodeWriter writer(file);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (i % kPixelsPerClear == 0) writer.put(kClearCode);
    writer.put(indices[i]);
  }
  writer.put(kEndCode);
  writer.finish();
}

// stb_image refuses codes without a first clear code and tables kept full for long, and paints what lies outside the
// frame in a background color with red and blue exchanged: one palette, background 0, literal codes only.
std::vector<std::uint8_t> plain_gif(const GifFile& gif, const GifFrame& frame, std::uint64_t rows, Bytes indices) {
  const std::uint32_t height = std::min(frame.height, static_cast<std::uint32_t>(rows) - frame.top);
  std::vector<std::uint8_t> file = {'G', 'I', 'F', '8', '9', 'a'};
  put16le(file, gif.width);
  put16le(file, static_cast<std::uint32_t>(rows));
  file.insert(file.end(), {0xF7, 0, 0});
  file.insert(file.end(), frame.palette.begin(), frame.palette.end());
  file.resize(13 + kColors * 3);
  file.push_back(0x2C);
  for (const std::uint32_t value : {frame.left, frame.top, frame.width, height}) put16le(file, value);
  file.push_back(frame.interlaced ? 0x40 : 0);
  put_codes(indices.first(std::size_t{frame.width} * height), file);
  file.push_back(0x3B);
  return file;
}

// Rows of the whole picture that are certain. The rows of an interlaced frame come in an order of their own.
std::uint64_t whole_rows(const GifFrame& frame, std::uint64_t pixels) {
  return frame.interlaced || frame.width == 0 ? frame.top : frame.top + pixels / frame.width;
}

void check_frame(const GifFile& gif, const GifFrame& frame) {
  if (frame.width == 0 || frame.height == 0) throw Error(ErrorKind::kInput, "the first frame is empty");
  if (frame.left + frame.width > gif.width || frame.top + frame.height > gif.height)
    throw Error(ErrorKind::kInput, "the first frame does not lie within the picture");
  if (frame.palette.empty()) throw Error(ErrorKind::kUnsupported, "a GIF file without a color table");
}

GifIndices decode_frame(Bytes file, const GifFrame& frame, const DecodeOptions& options, StbInput& input) {
  const std::uint64_t pixels = std::uint64_t{frame.width} * frame.height;
  GifIndices indices = decode_gif_codes(file, frame.data_at, pixels);
  const std::size_t colors = frame.palette.size() / 3;
  const auto stray = std::find_if(indices.bytes.begin(), indices.bytes.end(),
                                  [&](std::uint8_t index) { return index >= colors && frame.transparent != index; });
  if (stray != indices.bytes.end()) {
    indices.damage = "a pixel has a color that the color table lacks";
    indices.bytes.erase(stray, indices.bytes.end());
  }
  input.damage = indices.damage;
  // Before memory is filled for a picture that a few bytes claim to hold.
  if (!input.damage.empty() && !options.tolerate_damage) throw Error(ErrorKind::kInput, input.damage);
  input.rows = indices.damage.empty() ? input.info.height : whole_rows(frame, indices.bytes.size());
  indices.bytes.resize(static_cast<std::size_t>(pixels));
  return indices;
}

// The frame's rows as stored: from the top, or in four passes.
std::vector<std::uint32_t> row_order(const GifFrame& frame) {
  std::vector<std::uint32_t> order;
  struct Pass {
    std::uint32_t first, step;
  };
  constexpr std::array kPasses = {Pass{0, 8}, Pass{4, 8}, Pass{2, 4}, Pass{1, 2}};
  constexpr std::array kOnePass = {Pass{0, 1}};
  for (const Pass& pass : frame.interlaced ? std::span<const Pass>(kPasses) : std::span<const Pass>(kOnePass))
    for (std::uint32_t y = pass.first; y < frame.height; y += pass.step) order.push_back(y);
  return order;
}

// Beside stb_image's pixels, which would all be black where they are transparent: the colors stored there count.
std::vector<std::uint8_t> alpha_of(const GifFile& gif, const GifFrame& frame, std::uint64_t rows, Bytes indices) {
  std::vector<std::uint8_t> alpha(static_cast<std::size_t>(gif.width * rows), 0);
  const std::uint8_t* index = indices.data();
  for (const std::uint32_t y : row_order(frame)) {
    const bool shown = frame.top + y < rows;
    for (std::uint32_t x = 0; x < frame.width; ++x, ++index)
      if (shown && frame.transparent != *index)
        alpha[static_cast<std::size_t>((frame.top + y) * std::uint64_t{gif.width} + frame.left + x)] = 255;
  }
  return alpha;
}

bool is_partial(const GifFile& gif, const GifFrame& frame) {
  return frame.width < gif.width || frame.height < gif.height;
}

void describe(const GifFile& gif, const GifIndices& indices, StbInput& input) {
  if (gif.frames > 1)
    input.notes.emplace_back(Flag::kFirstFrame, "only the first of " + std::to_string(gif.frames) + " frames was read");
  if (!gif.complaint.empty()) input.notes.emplace_back(Flag::kWarning, gif.complaint);
  if (is_partial(gif, *gif.first))
    input.notes.emplace_back(Flag::kWarning,
                             "the first frame leaves a part of the picture open; it counts as transparent");
  if (indices.surplus) input.notes.emplace_back(Flag::kWarning, "the first frame has more pixels than its size says");
  if (gif.has_profile) input.metadata.lose("ICC profile");
  if (gif.has_xmp) input.metadata.lose("XMP");
}

}  // namespace

StbInput check_gif(Bytes file, const DecodeOptions& options) {
  const GifFile gif = read_gif_blocks(file);
  const GifFrame& frame = *gif.first;
  StbInput input;
  input.info.format = Format::kGif;
  input.info.width = gif.width;
  input.info.height = gif.height;
  input.info.frames = gif.frames;
  check_pixels(gif.width, gif.height, options);
  check_frame(gif, frame);
  // Indices, alpha, and nine bits a pixel in the plain file.
  check_stb_size(file, input.info, std::uint64_t{gif.width} * gif.height * 7 / 2, options);
  const GifIndices indices = decode_frame(file, frame, options, input);
  input.info.channels = frame.transparent || is_partial(gif, frame) ? 4 : 3;
  describe(gif, indices, input);
  if (input.info.channels == 4) input.alpha = alpha_of(gif, frame, input.rows, indices.bytes);
  input.file = plain_gif(gif, frame, input.rows, indices.bytes);
  return input;
}

}  // namespace gpuhisto
