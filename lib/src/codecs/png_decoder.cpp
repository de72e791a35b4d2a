// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "codecs/png_palette.hpp"
#include "codecs/png_session.hpp"
#include "codecs/png_small.hpp"
#include "codecs/png_unpacker.hpp"
#include "core/plural.hpp"

namespace gpuhisto {
namespace {

void check_signature(ByteSource& source) {
  const auto head = source.peek(16);
  if (head.size() < kPngSignature.size()) throw Error(ErrorKind::kInput, "truncated PNG");
  if (!std::equal(kPngSignature.begin(), kPngSignature.end(), head.begin()))
    throw Error(ErrorKind::kInput, "damaged PNG signature, as from a transfer in text mode");
  if (head.size() >= 16 && std::memcmp(head.data() + 12, "CgBI", 4) == 0)
    throw Error(ErrorKind::kUnsupported, "Apple's CgBI variant of PNG, which is not valid PNG");
}

class PngDecoder : public Decoder {
 public:
  PngDecoder(ByteSource& source, const DecodeOptions& options);
  std::size_t read_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) override;

 private:
  void describe();
  void limit(const DecodeOptions& options);
  void set_transformations();
  void choose_buffers();
  void tell_orientation();
  void decode(std::uint8_t* rows, std::size_t row_bytes, std::size_t count);
  void decode_interlaced();
  void finish();

  void convert(const std::uint8_t* decoded, std::uint8_t* to);
  bool as_stored() const { return indexed_ || unpacker_; }
  std::uint64_t decoded_row_bytes() const;

  PngSession session_;
  bool tolerant_;
  bool indexed_ = false, interlaced_ = false, ended_ = false;
  std::uint64_t delivered_ = 0;
  std::size_t fresh_ = 0;  // rows of the call in progress
  std::string damage_;     // of an interlaced file
  Image whole_;            // rows of an interlaced file as libpng gives them, one channel of bytes
  PngPalette palette_;
  std::optional<PngUnpacker> unpacker_;
  std::vector<std::uint8_t> decoded_, indices_;  // a row each, where it needs converting
};

PngDecoder::PngDecoder(ByteSource& source, const DecodeOptions& options)
    : session_((check_signature(source), source), options), tolerant_(options.tolerate_damage) {
  session_.run([](png_structp png, png_infop info) { png_read_info(png, info); });
  describe();
  limit(options);
  set_transformations();
  choose_buffers();
  tell_orientation();
}

void PngDecoder::describe() {
  info_.format = Format::kPng;
  session_.run([this](png_structp png, png_infop info) {
    info_.width = png_get_image_width(png, info);
    info_.height = png_get_image_height(png, info);
    info_.source_bits = png_get_bit_depth(png, info);
    interlaced_ = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    const int type = png_get_color_type(png, info);
    indexed_ = type == PNG_COLOR_TYPE_PALETTE;
    if (indexed_) palette_.load(png, info);
    const bool color = (type & PNG_COLOR_MASK_COLOR) != 0;
    const bool alpha = (type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    info_.channels = (color ? 3 : 1) + (alpha ? 1 : 0);
  });
  const bool gray = info_.channels == 1;
  if (info_.source_bits < 8 && (indexed_ || gray))
    unpacker_.emplace(info_.source_bits, gray ? PngUnpacker::Values::kScaledTo255 : PngUnpacker::Values::kAsStored);
  if (info_.source_bits == 16) note(Flag::kReduced16, "16 bits a sample were reduced to the high byte");
  const PngChunks& chunks = session_.chunks();
  const std::string frames = std::to_string(chunks.frames) + " frames";
  info_.frames = std::max<std::uint32_t>(chunks.frames, 1);
  if (chunks.frames > 1)
    note(Flag::kFirstFrame,
         (chunks.first_frame_shown ? "the first of " : "the still picture of an animation of ") + frames);
}

void PngDecoder::limit(const DecodeOptions& options) {
  check_pixels(info_.width, info_.height, options);
  // Two rows in libpng and up to two here, at most 16 bits a sample, and a window of 32 KiB to inflate.
  constexpr std::uint64_t kInflateBytes = 64 * 1024;
  const std::uint64_t row = info_.width * 4 * (info_.source_bits == 16 ? 2 : 1);
  info_.memory = 2 * ByteSource::kPeekLimit + kInflateBytes + 3 * row + session_.chunks().kept_bytes();
  if (interlaced_) info_.memory += decoded_row_bytes() * info_.height;
  check_memory(info_.memory, options);
}

/// Bytes of a row as libpng gives it.
std::uint64_t PngDecoder::decoded_row_bytes() const {
  if (as_stored()) return (info_.width * static_cast<unsigned>(info_.source_bits) + 7) / 8;
  return info_.width * static_cast<unsigned>(info_.channels);
}

void PngDecoder::set_transformations() {
  std::size_t bytes = 0;
  session_.run([&](png_structp png, png_infop info) {
    if (!as_stored()) {
      png_set_expand(png);    // fewer than 8 bits to 8, tRNS to alpha
      png_set_strip_16(png);  // to the high byte
    }
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    bytes = png_get_rowbytes(png, info);
  });
  // The caller's rows have the size that info() says.
  if (bytes != decoded_row_bytes()) throw Error(ErrorKind::kInput, "damaged PNG: its transparency is contradictory");
}

void PngDecoder::choose_buffers() {
  if (!as_stored()) return;
  if (!interlaced_) decoded_.resize(static_cast<std::size_t>(decoded_row_bytes()));
  if (indexed_ && unpacker_) indices_.resize(static_cast<std::size_t>(info_.width));
}

/// EXIF may also follow the pixels, so this is told twice.
void PngDecoder::tell_orientation() { info_.orientation = session_.chunks().orientation; }

std::size_t PngDecoder::read_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) {
  if (ended_) return 0;
  if (delivered_ == info_.height) {
    finish();
    metadata_ = session_.take_metadata();
    return 0;
  }
  fresh_ = 0;
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(count, info_.height - delivered_));
  try {
    decode(rows, row_bytes, most);
  } catch (const Error& error) {
    if (!tolerant_ || error.kind() != ErrorKind::kInput) throw;
    ended_ = true;
    metadata_ = session_.take_metadata();
    note(Flag::kDamaged,
         std::to_string(delivered_ + fresh_) + " of " + number_of(info_.height, "row") + " decoded: " + error.what());
  }
  delivered_ += fresh_;
  return fresh_;
}

void PngDecoder::decode(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) {
  if (interlaced_) {
    decode_interlaced();
    for (; fresh_ < count; ++fresh_) {
      const std::size_t row = static_cast<std::size_t>(delivered_) + fresh_;
      if (row == whole_.height()) throw Error(ErrorKind::kInput, damage_);
      convert(whole_.view().row(row), rows + fresh_ * row_bytes);
    }
    return;
  }
  session_.run([&](png_structp png, png_infop) {
    for (; fresh_ < count; ++fresh_) {
      std::uint8_t* const to = rows + fresh_ * row_bytes;
      png_read_row(png, as_stored() ? decoded_.data() : to, nullptr);
      if (as_stored()) convert(decoded_.data(), to);
    }
  });
}

void PngDecoder::convert(const std::uint8_t* decoded, std::uint8_t* to) {
  const auto width = static_cast<std::size_t>(info_.width);
  if (!as_stored()) {
    std::memcpy(to, decoded, static_cast<std::size_t>(decoded_row_bytes()));
  } else if (!indexed_) {
    unpacker_->unpack(decoded, to, width);
  } else if (!unpacker_) {
    palette_.expand(decoded, to, width);
  } else {
    unpacker_->unpack(decoded, indices_.data(), width);
    palette_.expand(indices_.data(), to, width);
  }
}

/// Seven passes over the whole image, at the first call. Each pass fills the rectangles that its pixels stand for until
/// later ones arrive, so that a damaged file shows a coarse picture where fine pixels are missing; rows that not even
/// the first pass reached are none.
void PngDecoder::decode_interlaced() {
  if (whole_.width() > 0) return;
  Image image(static_cast<std::size_t>(decoded_row_bytes()), static_cast<std::size_t>(info_.height), 1);
  whole_ = std::move(image);
  const MutableImageView view = whole_.view();
  constexpr int kPasses = 7;
  std::size_t begun = 0;  // rows that the first pass has reached
  try {
    session_.run([&](png_structp png, png_infop) {
      for (int pass = 0; pass < kPasses; ++pass)
        for (std::size_t y = 0; y < view.height; ++y) {
          time_limit().check();
          // Not all at once before: a header may claim more rows than the file has.
          if (pass == 0) std::memset(view.row(y), 0, view.row_bytes);
          png_read_row(png, nullptr, view.row(y));
          if (pass == 0) ++begun;
        }
    });
  } catch (const Error& error) {
    if (!tolerant_ || error.kind() != ErrorKind::kInput) throw;
    damage_ = error.what();
    note(Flag::kDamaged, "interlaced rows decoded in part: " + damage_);
    whole_.truncate(begun);
  }
}

/// All rows are out, and libpng has verified their checksums; what is wrong from here on has not touched them.
void PngDecoder::finish() {
  ended_ = true;
  if (flags_.has(Flag::kDamaged)) return;
  try {
    session_.run([](png_structp png, png_infop) { png_read_end(png, nullptr); });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput && error.kind() != ErrorKind::kUnsupported) throw;
    if (!session_.hit_end_of_file()) note(Flag::kWarning, std::string("after the pixels: ") + error.what());
  }
  tell_orientation();
  if (session_.hit_end_of_file()) note(Flag::kWarning, "the end chunk is missing");
  if (indexed_ && palette_.exceeded()) note(Flag::kWarning, "colours beyond the palette were taken for black");
  if (session_.warning()[0] != '\0') note(Flag::kWarning, session_.warning());
  if (session_.bytes_left()) note(Flag::kWarning, "data after the end chunk");
}

}  // namespace

std::unique_ptr<Decoder> open_png(ByteSource& source, const DecodeOptions& options) {
  if (auto small = open_small_png(source, options)) return small;
  return std::make_unique<PngDecoder>(source, options);
}

}  // namespace gpuhisto
