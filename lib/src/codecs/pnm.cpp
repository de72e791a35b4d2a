// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <array>
#include <bit>

#include "codecs/codec.hpp"
#include "codecs/pnm_header.hpp"
#include "codecs/row_decoder.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kChunkBytes = 32 * 1024;

// (v * 255 + maxval / 2) / maxval for every legal v: netpbm's own scaling.
std::vector<std::uint8_t> scale_table(std::uint32_t maxval) {
  std::vector<std::uint8_t> table(maxval + 1);
  for (std::uint32_t v = 0; v <= maxval; ++v) table[v] = static_cast<std::uint8_t>((v * 255 + maxval / 2) / maxval);
  return table;
}

class PnmDecoder : public RowDecoder {
 public:
  PnmDecoder(ByteSource& source, const DecodeOptions& options)
      : RowDecoder(options), source_(source), text_(source), header_(read_pnm_header(text_)) {
    check_pixels(header_.width, header_.height, options);
    if (!is_plain()) text_.release();
    if (header_.maxval != 255) table_ = scale_table(header_.maxval);
    if (header_.raster == PnmRaster::kWords || header_.raster == PnmRaster::kBits) chunk_.resize(kChunkBytes);
    info_.format = header_.pam ? Format::kPam : Format::kPnm;
    info_.width = header_.width;
    info_.height = header_.height;
    info_.channels = header_.channels;
    info_.source_bits = static_cast<int>(std::bit_width(header_.maxval));
    info_.memory = table_.size() + chunk_.size();
    if (header_.maxval > 255)
      note(Flag::kReduced16, "samples of 0.." + std::to_string(header_.maxval) + " were scaled to 0..255");
  }

 protected:
  std::size_t next_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) override {
    if (header_.raster == PnmRaster::kBytes) return byte_rows(rows, row_bytes, count);
    switch (header_.raster) {
      case PnmRaster::kPlainBits:
        plain_bits(rows);
        break;
      case PnmRaster::kPlainNumbers:
        plain_numbers(rows);
        break;
      case PnmRaster::kBits:
        bit_row(rows);
        break;
      default:
        word_row(rows);
    }
    return 1;
  }

  void finish() override {
    if (is_plain()) {
      skip_blank(text_);
      text_.release();
    }
    const auto rest = source_.peek(2);
    if (rest.empty()) return;
    if (rest.size() >= 2 && rest[0] == 'P' && rest[1] >= '1' && rest[1] <= '7')
      note(Flag::kFirstFrame, "only the first of several images was read");
    else
      note(Flag::kWarning, "there is data after the image");
  }

 private:
  bool is_plain() const {
    return header_.raster == PnmRaster::kPlainBits || header_.raster == PnmRaster::kPlainNumbers;
  }

  [[noreturn]] static void truncated() { throw Error(ErrorKind::kInput, "the image is truncated"); }
  [[noreturn]] void over_maxval() const {
    throw Error(ErrorKind::kInput, "a sample exceeds maxval " + std::to_string(header_.maxval));
  }

  // The caller's memory is the read buffer; without gaps between the rows, one read fetches them all.
  std::size_t byte_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) {
    const std::size_t size = row_size();
    if (row_bytes != size) count = 1;
    if (bad_sample_ahead_) over_maxval();
    const std::size_t whole = source_.read(rows, size * count) / size;
    if (whole == 0) truncated();
    if (header_.maxval == 255) return whole;
    std::size_t good = 0;
    while (good < whole && scale_bytes(rows + good * size)) ++good;
    if (good < whole) {
      if (good == 0) over_maxval();
      bad_sample_ahead_ = true;
    }
    return good;
  }

  bool scale_bytes(std::uint8_t* row) {
    std::uint8_t highest = 0;
    for (std::size_t i = 0; i < row_size(); ++i) highest = std::max(highest, row[i]);
    if (highest > header_.maxval) return false;
    for (std::size_t i = 0; i < row_size(); ++i) row[i] = table_[row[i]];
    return true;
  }

  void word_row(std::uint8_t* row) {
    for (std::size_t at = 0; at < row_size();) {
      const std::size_t samples = std::min(row_size() - at, kChunkBytes / 2);
      if (source_.read(chunk_.data(), samples * 2) < samples * 2) truncated();
      for (std::size_t i = 0; i < samples; ++i) {
        const std::uint32_t v = static_cast<std::uint32_t>(chunk_[2 * i] << 8 | chunk_[2 * i + 1]);
        if (v > header_.maxval) over_maxval();
        row[at + i] = table_[v];
      }
      at += samples;
    }
  }

  void bit_row(std::uint8_t* row) {
    for (std::size_t at = 0; at < row_size();) {
      const std::size_t pixels = std::min(row_size() - at, kChunkBytes * 8);
      const std::size_t bytes = (pixels + 7) / 8;
      if (source_.read(chunk_.data(), bytes) < bytes) truncated();
      for (std::size_t i = 0; i < pixels; ++i)
        row[at + i] = (chunk_[i / 8] >> (7 - i % 8) & 1) != 0 ? std::uint8_t{0} : std::uint8_t{255};
      at += pixels;
    }
  }

  void plain_bits(std::uint8_t* row) {
    for (std::size_t i = 0; i < row_size(); ++i) {
      skip_blank(text_);  // white space between the digits is optional
      const int c = text_.next();
      if (c == -1) truncated();
      if (c != '0' && c != '1') throw Error(ErrorKind::kInput, "a pixel is neither 0 nor 1");
      row[i] = c == '1' ? std::uint8_t{0} : std::uint8_t{255};
    }
  }

  void plain_numbers(std::uint8_t* row) {
    for (std::size_t i = 0; i < row_size(); ++i) {
      const auto v = next_number(text_);
      if (!v) truncated();
      if (*v > header_.maxval) over_maxval();
      row[i] = header_.maxval == 255 ? static_cast<std::uint8_t>(*v) : table_[static_cast<std::size_t>(*v)];
    }
  }

  ByteSource& source_;
  TextReader text_;
  PnmHeader header_;
  std::vector<std::uint8_t> table_;
  std::vector<std::uint8_t> chunk_;
  bool bad_sample_ahead_ = false;
};

}  // namespace

std::unique_ptr<Decoder> open_pnm(ByteSource& source, const DecodeOptions& options) {
  return std::make_unique<PnmDecoder>(source, options);
}

}  // namespace gpuhisto
