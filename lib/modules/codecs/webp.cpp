// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <webp/decode.h>
#include <webp/demux.h>

#include <cstring>

#include "codecs/byte_fields.hpp"
#include "codecs/codec_module.hpp"
#include "codecs/row_decoder.hpp"
#include "metadata/exif.hpp"
#include "metadata/limits.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;

struct Delete {
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
  void operator()(WebPIDecoder* decoder) const { WebPIDelete(decoder); }
};

/// What libwebp's demuxer keeps: a record of each chunk, and of each frame.
std::uint64_t demuxer_memory(Bytes file) {
  constexpr std::uint64_t kRecordBytes = 128, kFileHead = 12, kChunkHead = 8;
  std::uint64_t records = 0;
  for (std::uint64_t at = kFileHead; at + kChunkHead <= file.size(); ++records) {
    const std::uint64_t size = u32le(file, at + 4);
    at += kChunkHead + size + size % 2;
  }
  return records * kRecordBytes;
}

/// The first frame of a still or moving picture, decoded at the first row.
class WebpDecoder : public RowDecoder {
 public:
  WebpDecoder(std::vector<std::uint8_t>& file, const DecodeOptions& options, const CodecHost& host)
      : RowDecoder(options), file_(std::move(file)) {
    const std::uint64_t container = file_.size() + demuxer_memory(file_);
    host.check_memory(container, options);
    open_container();
    read_info();
    if (options.keep_metadata) keep_metadata(options);
    host.check_pixels(info_.width, info_.height, options);
    // libwebp's own buffers: up to four bytes a pixel for a lossless picture.
    const std::uint64_t pixels = std::uint64_t{frame_width()} * frame_height();
    info_.memory = container + pixels * (static_cast<std::uint64_t>(info_.channels) + 4) + metadata_.bytes();
    host.check_memory(info_.memory, options);
  }
  ~WebpDecoder() override { WebPDemuxReleaseIterator(&frame_); }

 protected:
  std::size_t next_rows(std::uint8_t* rows, std::size_t, std::size_t) override {
    if (!started_) decode();
    const auto channels = static_cast<std::size_t>(info_.channels);
    const std::uint64_t top = static_cast<std::uint64_t>(frame_.y_offset);
    if (row() < top || row() >= top + frame_height()) {
      std::memset(rows, 0, row_size());
      return 1;
    }
    const std::uint64_t y = row() - top;
    if (y >= ready_) throw Error(ErrorKind::kInput, damage_);
    const std::size_t size = frame_width() * channels;
    const std::size_t left = static_cast<std::size_t>(frame_.x_offset) * channels;
    if (size < row_size()) std::memset(rows, 0, row_size());
    std::memcpy(rows + left, pixels_.get() + y * size, size);
    return 1;
  }

  void finish() override {
    const std::uint64_t end = 8 + std::uint64_t{u32le(file_, 4)};
    if (state_ != WEBP_DEMUX_DONE)
      note(Flag::kWarning, "the file is truncated behind the first frame");
    else if (file_.size() > end + end % 2)
      note(Flag::kWarning, "there is data after the end");
  }

 private:
  std::size_t frame_width() const { return static_cast<std::size_t>(frame_.width); }
  std::size_t frame_height() const { return static_cast<std::size_t>(frame_.height); }

  void open_container() {
    const WebPData data{file_.data(), file_.size()};
    demuxer_.reset(WebPDemuxPartial(&data, &state_));
    if (!demuxer_ || state_ == WEBP_DEMUX_PARSE_ERROR) throw Error(ErrorKind::kInput, "bad WebP container");
    // A picture cut off before its own header has no size yet.
    if (!WebPDemuxGetFrame(demuxer_.get(), 1, &frame_) || frame_.width <= 0 || frame_.height <= 0)
      throw Error(ErrorKind::kInput, "the file ends before its first frame");
  }

  std::uint32_t get(WebPFormatFeature feature) const { return WebPDemuxGetI(demuxer_.get(), feature); }

  void read_info() {
    info_.format = Format::kWebp;
    info_.width = get(WEBP_FF_CANVAS_WIDTH);
    info_.height = get(WEBP_FF_CANVAS_HEIGHT);
    info_.frames = get(WEBP_FF_FRAME_COUNT);
    const bool partial = frame_width() < info_.width || frame_height() < info_.height;
    info_.channels = frame_.has_alpha || partial ? 4 : 3;
    if ((get(WEBP_FF_FORMAT_FLAGS) & ANIMATION_FLAG) != 0 && info_.frames > 1)
      note(Flag::kFirstFrame, "only the first of " + std::to_string(info_.frames) + " frames was read");
    info_.orientation = exif_orientation(exif_block());
  }

  void keep_metadata(const DecodeOptions& options) {
    KeptBlocks kept(metadata_, metadata_limit(options));
    kept.take("ICC profile", chunk("ICCP", ICCP_FLAG), metadata_.icc);
    kept.take("EXIF", exif_block(), metadata_.exif);
    kept.take("XMP", chunk("XMP ", XMP_FLAG), metadata_.xmp);
  }

  /// The payload of the first such chunk; empty where there is none, or none is announced.
  Bytes chunk(const char* type, std::uint32_t flag) const {
    if ((get(WEBP_FF_FORMAT_FLAGS) & flag) == 0) return {};
    WebPChunkIterator found{};
    Bytes payload;
    if (WebPDemuxGetChunk(demuxer_.get(), type, 1, &found)) payload = {found.chunk.bytes, found.chunk.size};
    WebPDemuxReleaseChunkIterator(&found);  // the bytes are those of file_
    return payload;
  }

  Bytes exif_block() const {
    const Bytes payload = chunk("EXIF", EXIF_FLAG);
    return payload.subspan(exif_head_bytes(payload));
  }

  // libwebp's incremental decoder, fed at once: of a damaged picture it keeps the rows before the damage.
  void decode() {
    started_ = true;
    const std::size_t row_bytes = frame_width() * static_cast<std::size_t>(info_.channels);
    const std::size_t size = row_bytes * frame_height();
    pixels_ = std::make_unique_for_overwrite<std::uint8_t[]>(size);
    const std::unique_ptr<WebPIDecoder, Delete> decoder(
        WebPINewRGB(info_.channels == 4 ? MODE_RGBA : MODE_RGB, pixels_.get(), size, static_cast<int>(row_bytes)));
    if (!decoder) throw Error(ErrorKind::kLimit, "not enough memory for libwebp");
    const VP8StatusCode status = WebPIUpdate(decoder.get(), frame_.fragment.bytes, frame_.fragment.size);
    if (status == VP8_STATUS_OK) {
      ready_ = frame_height();
      return;
    }
    if (status == VP8_STATUS_OUT_OF_MEMORY) throw Error(ErrorKind::kLimit, "not enough memory for libwebp");
    damage_ = status == VP8_STATUS_SUSPENDED ? "the picture is truncated" : "the picture is damaged";
    int rows = 0;
    if (WebPIDecGetRGB(decoder.get(), &rows, nullptr, nullptr, nullptr) && rows > 0)
      ready_ = static_cast<std::uint64_t>(rows);
  }

  std::vector<std::uint8_t> file_;
  WebPDemuxState state_ = WEBP_DEMUX_PARSE_ERROR;
  std::unique_ptr<WebPDemuxer, Delete> demuxer_;
  WebPIterator frame_{};
  std::unique_ptr<std::uint8_t[]> pixels_;  ///< not zeroed: a header may claim any size
  std::uint64_t ready_ = 0;                 ///< rows of the frame that are whole
  std::string damage_;
  bool started_ = false;
};

}  // namespace
}  // namespace gpuhisto

extern "C" __attribute__((visibility("default"))) gpuhisto::Decoder* gpuhisto_open_webp(
    std::vector<std::uint8_t>& file, const gpuhisto::DecodeOptions& options, const gpuhisto::CodecHost& host) {
  return new gpuhisto::WebpDecoder(file, options, host);
}
