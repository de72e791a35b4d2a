// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <array>
#include <vector>

#include "codecs/jpeg_session.hpp"
#include "core/plural.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kBatchRows = 16;  // an MCU row of 4:2:0, the most that libjpeg gives before it decodes again

/// a * b / 255, rounded to nearest (there are no ties: 255 is odd).
std::uint8_t scaled_product(unsigned a, unsigned b) {
  const unsigned t = a * b + 128;
  return static_cast<std::uint8_t>((t + (t >> 8)) >> 8);
}

/// Adobe's programs store 255 - ink, which is the light that R = (255 - C)(255 - K) / 255 asks for.
void cmyk_to_rgb(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels, std::uint8_t inversion) {
  for (std::size_t i = 0; i < pixels; ++i, from += 4, to += 3) {
    const unsigned key = from[3] ^ inversion;
    for (int c = 0; c < 3; ++c) to[c] = scaled_product(from[c] ^ inversion, key);
  }
}

/// Files whose components have a scan each may have up to 4x4. One scan of all holds 10 blocks at most, two of them
/// chroma.
JpegSubsampling nearest_writable(JpegSubsampling subsampling) {
  constexpr int kMostLuma = 8;
  while (subsampling.horizontal * subsampling.vertical > kMostLuma) --subsampling.vertical;
  return subsampling;
}

class JpegDecoder : public Decoder {
 public:
  JpegDecoder(ByteSource& source, const DecodeOptions& options);
  std::size_t read_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) override;

 private:
  const jpeg_decompress_struct& codec() const { return session_.codec(); }
  void choose_output();
  void describe();
  void keep_metadata();
  void limit(const DecodeOptions& options);
  void start();
  void decode(std::uint8_t* rows, std::size_t row_bytes, std::size_t count);
  void check_rows(const std::uint8_t* rows, std::size_t row_bytes, std::size_t count);
  std::size_t stop(const std::string& cause);
  void finish();

  JpegSession session_;
  bool tolerant_;
  bool whole_ = false;  // all coefficients are held, because the file has several scans
  bool started_ = false, ended_ = false;
  std::uint64_t delivered_ = 0;
  std::size_t fresh_ = 0;           // rows of the call in progress
  std::vector<std::uint8_t> cmyk_;  // kBatchRows rows
};

JpegDecoder::JpegDecoder(ByteSource& source, const DecodeOptions& options)
    : session_(source, options.tolerate_damage ? JpegSession::Policy::kTolerant : JpegSession::Policy::kStrict, options,
               time_limit()),
      tolerant_(options.tolerate_damage) {
  session_.run([](jpeg_decompress_struct& codec) { jpeg_read_header(&codec, TRUE); });
  choose_output();
  describe();
  if (options.keep_metadata) keep_metadata();
  limit(options);
  if (codec().out_color_space == JCS_CMYK) {
    note(Flag::kConvertedCmyk, "CMYK was converted to RGB");
    cmyk_.resize(kBatchRows * codec().image_width * 4);
  }
}

void JpegDecoder::choose_output() {
  const J_COLOR_SPACE stored = codec().jpeg_color_space;
  if (stored == JCS_UNKNOWN)
    throw Error(ErrorKind::kUnsupported, "a JPEG of " + std::to_string(codec().num_components) + " components");
  const bool four = stored == JCS_CMYK || stored == JCS_YCCK;
  const J_COLOR_SPACE output = four ? JCS_CMYK : stored == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
  session_.run([output](jpeg_decompress_struct& codec) { codec.out_color_space = output; });
  info_.channels = output == JCS_GRAYSCALE ? 1 : 3;
}

void JpegDecoder::describe() {
  info_.format = Format::kJpeg;
  info_.width = codec().image_width;
  info_.height = codec().image_height;
  info_.source_bits = codec().data_precision;
  info_.orientation = session_.segments().orientation;
  if (codec().num_components == 3) {
    const jpeg_component_info &first = codec().comp_info[0], &second = codec().comp_info[1];
    if (first.h_samp_factor % second.h_samp_factor == 0 && first.v_samp_factor % second.v_samp_factor == 0)
      info_.subsampling =
          nearest_writable({first.h_samp_factor / second.h_samp_factor, first.v_samp_factor / second.v_samp_factor});
  }
}

void JpegDecoder::keep_metadata() {
  metadata_ = session_.take_metadata();
  const double x = codec().X_density, y = codec().Y_density;
  if (!codec().saw_JFIF_marker || x == 0 || y == 0) return;
  if (codec().density_unit == 1) metadata_.resolution = {x, y, Resolution::Unit::kInch};
  if (codec().density_unit == 2) metadata_.resolution = {100 * x, 100 * y, Resolution::Unit::kMetre};
  if (codec().density_unit == 0 && x != y) metadata_.resolution = {x, y, Resolution::Unit::kNone};
}

/// Counts what libjpeg will hold: all coefficients of a multi-scan file, and about two MCU rows of samples.
void JpegDecoder::limit(const DecodeOptions& options) {
  check_pixels(info_.width, info_.height, options);
  std::uint64_t coefficients = 0, samples = 0;
  const auto padded = [](std::uint64_t size, int factor) {
    const auto unit = static_cast<std::uint64_t>(factor);
    return (size + unit - 1) / unit * unit;
  };
  for (int i = 0; i < codec().num_components; ++i) {
    const jpeg_component_info& c = codec().comp_info[i];
    const std::uint64_t across = padded(c.width_in_blocks, c.h_samp_factor);
    coefficients += across * padded(c.height_in_blocks, c.v_samp_factor) * sizeof(JBLOCK);
    samples += across * static_cast<std::uint64_t>(c.v_samp_factor) * DCTSIZE2;
  }
  session_.run([this](jpeg_decompress_struct& codec) { whole_ = jpeg_has_multiple_scans(&codec) == TRUE; });
  info_.memory = 2 * ByteSource::kPeekLimit + (whole_ ? coefficients : 0) + 3 * samples + metadata_.bytes();
  check_memory(info_.memory, options);
}

std::size_t JpegDecoder::read_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) {
  if (ended_) return 0;
  if (delivered_ == info_.height) {
    finish();
    return 0;
  }
  fresh_ = 0;
  try {
    if (!started_) start();
    decode(rows, row_bytes, static_cast<std::size_t>(std::min<std::uint64_t>(count, info_.height - delivered_)));
  } catch (const Error& error) {
    if (!tolerant_ || error.kind() != ErrorKind::kInput) throw;
    return stop(error.what());
  }
  if (session_.damaged() && !whole_) return stop(session_.damage());
  delivered_ += fresh_;
  return fresh_;
}

void JpegDecoder::start() {
  // Takes in all scans where there are several.
  const auto take_in = [](jpeg_decompress_struct& codec) { jpeg_start_decompress(&codec); };
  try {
    session_.run(take_in);
  } catch (const Error& error) {
    if (!whole_ || !session_.end_scans(error.what())) throw;
    session_.run(take_in);
  }
  if (whole_) session_.run([this](jpeg_decompress_struct&) { session_.require_components(); });
  started_ = true;
}

void JpegDecoder::decode(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) {
  const std::size_t width = codec().image_width;
  std::uint8_t* const strip = cmyk_.empty() ? rows : cmyk_.data();
  const std::size_t strip_bytes = cmyk_.empty() ? row_bytes : width * 4;
  while (fresh_ < count) {
    const std::size_t batch = std::min(count - fresh_, kBatchRows);
    std::array<JSAMPROW, kBatchRows> lines;
    for (std::size_t i = 0; i < batch; ++i) lines[i] = strip + (cmyk_.empty() ? fresh_ + i : i) * strip_bytes;
    JDIMENSION got = 0;
    session_.run([&](jpeg_decompress_struct& codec) {
      got = jpeg_read_scanlines(&codec, lines.data(), static_cast<JDIMENSION>(batch));
    });
    for (std::size_t i = 0; i < got && !cmyk_.empty(); ++i)
      cmyk_to_rgb(lines[i], rows + (fresh_ + i) * row_bytes, width, codec().saw_Adobe_marker ? 0 : 0xFF);
    if (codec().arith_code) check_rows(rows + fresh_ * row_bytes, row_bytes, got);
    fresh_ += got;
  }
}

void JpegDecoder::check_rows(const std::uint8_t* rows, std::size_t row_bytes, std::size_t count) {
  const std::size_t size = static_cast<std::size_t>(info_.width) * static_cast<std::size_t>(info_.channels);
  session_.run([&](jpeg_decompress_struct&) {
    for (std::size_t i = 0; i < count; ++i) session_.check_row(delivered_ + fresh_ + i, {rows + i * row_bytes, size});
  });
}

/// Tolerating: hands out what is sound of the rows in progress, and no more.
std::size_t JpegDecoder::stop(const std::string& cause) {
  const std::uint64_t sound = std::min(delivered_ + fresh_, session_.sound_rows());
  fresh_ = sound > delivered_ ? static_cast<std::size_t>(sound - delivered_) : 0;
  delivered_ += fresh_;
  note(Flag::kDamaged, std::to_string(delivered_) + " of " + number_of(info_.height, "row") + " decoded: " + cause);
  ended_ = true;
  return fresh_;
}

/// All rows are out; what is wrong from here on has not touched them.
void JpegDecoder::finish() {
  ended_ = true;
  try {
    session_.run([](jpeg_decompress_struct& codec) { jpeg_finish_decompress(&codec); });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    note(Flag::kWarning, std::string("after the pixels: ") + error.what());
  }
  if (session_.damaged())
    note(Flag::kDamaged, std::string("all rows decoded, but in part only: ") + session_.damage());
  else
    session_.check_end();
  if (session_.warning()[0] != '\0') note(Flag::kWarning, session_.warning());
  if (session_.hit_end_of_file()) note(Flag::kWarning, "the end marker is missing");
  if (session_.bytes_left() && !session_.segments().multi_picture) note(Flag::kWarning, "data after the end marker");
}

}  // namespace

std::unique_ptr<Decoder> open_jpeg(ByteSource& source, const DecodeOptions& options) {
  return std::make_unique<JpegDecoder>(source, options);
}

}  // namespace gpuhisto
