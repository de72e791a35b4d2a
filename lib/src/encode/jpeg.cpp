// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <csetjmp>
#include <cstdio>
// jpeglib.h needs cstdio's FILE first.
#include <jerror.h>
#include <jpeglib.h>

#include <array>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/jpeg_metadata.hpp"
#include "encode/encoders.hpp"
#include "gpuhisto/error.hpp"
#include "metadata/limits.hpp"
#include "metadata/resolution.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;

// libjpeg is C: neither its errors nor the sink's exceptions may unwind through it. Both are kept here, and a longjmp
// leads back to run(), which owns nothing that needs a destructor.
class JpegWriter {
 public:
  JpegWriter(const ImageView& image, const EncodeOptions& options, ByteSink& sink)
      : image_(image), options_(options), sink_(sink), buffer_(new JOCTET[kBufferBytes]) {
    if (options.metadata.resolution) density_ = jfif_density(*options.metadata.resolution);
    compress_.err = jpeg_std_error(&errors_);
    compress_.client_data = this;
    errors_.error_exit = [](j_common_ptr info) { self(info).fail(); };
    errors_.output_message = [](j_common_ptr) {};
    destination_.init_destination = [](j_compress_ptr info) { self(info).rewind(); };
    destination_.empty_output_buffer = [](j_compress_ptr info) -> boolean {
      self(info).send(kBufferBytes);
      self(info).rewind();
      return TRUE;
    };
    destination_.term_destination = [](j_compress_ptr info) {
      self(info).send(kBufferBytes - self(info).destination_.free_in_buffer);
    };
  }
  ~JpegWriter() { jpeg_destroy_compress(&compress_); }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  void write() {
    run();
    if (exception_) std::rethrow_exception(exception_);
    if (!message_.empty()) throw Error(ErrorKind::kUnsupported, "JPEG encoder: " + message_);
  }

 private:
  template <typename Info>
  static JpegWriter& self(Info info) {
    return *static_cast<JpegWriter*>(info->client_data);
  }

  void run() {
    if (setjmp(escape_) != 0) return;
    jpeg_create_compress(&compress_);
    compress_.mem->max_memory_to_use = 0;  // not what the environment's JPEGMEM says
    compress_.dest = &destination_;
    configure();
    jpeg_start_compress(&compress_, TRUE);
    write_metadata();
    while (compress_.next_scanline < compress_.image_height) {
      // libjpeg's row type is not const, but the rows are only read.
      JSAMPROW row = const_cast<JSAMPROW>(image_.row(compress_.next_scanline));
      jpeg_write_scanlines(&compress_, &row, 1);
    }
    jpeg_finish_compress(&compress_);
  }

  void configure() {
    compress_.image_width = static_cast<JDIMENSION>(image_.width);
    compress_.image_height = static_cast<JDIMENSION>(image_.height);
    compress_.input_components = image_.channels;
    compress_.in_color_space = image_.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&compress_);
    jpeg_set_quality(&compress_, options_.quality, TRUE);
    compress_.dct_method = JDCT_ISLOW;
    const JfifDensity density = density_.value_or(JfifDensity{0, 1, 1});
    compress_.density_unit = static_cast<UINT8>(density.unit);
    compress_.X_density = density.x;
    compress_.Y_density = density.y;
    if (image_.channels == 1) return;
    compress_.comp_info[0].h_samp_factor = options_.subsampling.horizontal;
    compress_.comp_info[0].v_samp_factor = options_.subsampling.vertical;
    for (int i = 1; i < 3; ++i) compress_.comp_info[i].h_samp_factor = compress_.comp_info[i].v_samp_factor = 1;
  }

  void write_metadata() {
    const Metadata& metadata = options_.metadata;
    write_segment(kJpegExifHead, metadata.exif);
    write_segment(kJpegXmpHead, metadata.xmp);
    if (!metadata.icc.empty())
      jpeg_write_icc_profile(&compress_, metadata.icc.data(), static_cast<unsigned>(metadata.icc.size()));
    for (const MetadataBlock& block : metadata.jpeg_segments)
      jpeg_write_marker(&compress_, static_cast<int>(block.type), block.bytes.data(),
                        static_cast<unsigned>(block.bytes.size()));
  }

  // An APP1 segment, where there is something to write.
  void write_segment(std::string_view head, const std::vector<std::uint8_t>& block) {
    if (block.empty()) return;
    jpeg_write_m_header(&compress_, JPEG_APP0 + 1, static_cast<unsigned>(head.size() + block.size()));
    for (const char byte : head) jpeg_write_m_byte(&compress_, static_cast<unsigned char>(byte));
    for (const std::uint8_t byte : block) jpeg_write_m_byte(&compress_, byte);
  }

  void rewind() {
    destination_.next_output_byte = buffer_.get();
    destination_.free_in_buffer = kBufferBytes;
  }

  void send(std::size_t count) {
    try {
      sink_.write(buffer_.get(), count);
      return;
    } catch (...) {
      exception_ = std::current_exception();
    }
    std::longjmp(escape_, 1);
  }

  [[noreturn]] void fail() {
    std::array<char, JMSG_LENGTH_MAX> text{};
    errors_.format_message(reinterpret_cast<j_common_ptr>(&compress_), text.data());
    message_ = text.data();
    std::longjmp(escape_, 1);
  }

  const ImageView image_;
  const EncodeOptions& options_;
  std::optional<JfifDensity> density_;
  ByteSink& sink_;
  std::unique_ptr<JOCTET[]> buffer_;
  jpeg_compress_struct compress_{};
  jpeg_error_mgr errors_{};
  jpeg_destination_mgr destination_{};
  std::jmp_buf escape_;
  std::exception_ptr exception_;
  std::string message_;
};

void check(const ImageView& image, const EncodeOptions& options) {
  if (image.width > JPEG_MAX_DIMENSION || image.height > JPEG_MAX_DIMENSION)
    throw Error(ErrorKind::kUnsupported,
                "a side of a JPEG has at most " + std::to_string(JPEG_MAX_DIMENSION) + " pixels; PNG allows more");
  if (options.quality < 1 || options.quality > 100) throw Error(ErrorKind::kUsage, "JPEG quality goes from 1 to 100");
  if (options.metadata.icc.size() > kMostJpegProfile)
    throw Error(ErrorKind::kUsage,
                "an ICC profile in a JPEG has at most " + std::to_string(kMostJpegProfile) + " bytes");
  const auto [h, v] = options.subsampling;
  // A block group holds at most ten blocks, two of them chroma.
  if (h < 1 || h > 4 || v < 1 || v > 4 || h * v + 2 > C_MAX_BLOCKS_IN_MCU)
    throw Error(ErrorKind::kUsage, "JPEG subsampling goes from 1x1 to 4x2 or 2x4");
}

}  // namespace

void encode_jpeg(const ImageView& image, const EncodeOptions& options, ByteSink& sink) {
  check(image, options);
  JpegWriter(image, options, sink).write();
}

}  // namespace gpuhisto
