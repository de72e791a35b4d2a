// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/jpeg_session.hpp"

#include <jerror.h>

#include <algorithm>
#include <cstring>

#include "metadata/exif.hpp"
#include "metadata/limits.hpp"

namespace gpuhisto {
namespace {

/// Every scan of a multi-scan JPEG walks over the whole image even when it holds almost no data. Files in use have
/// about ten scans; beyond kFreeScans the blocks walked are bounded too (about a second).
constexpr std::uint64_t kFreeScans = 100, kMostBlockVisits = std::uint64_t{1} << 26;

constexpr char kCutOff[] = "the coded pixels end early",
               kMaybeCutOff[] = "the coded pixels end early: the last rows may have been cut off";

bool is_restart(int marker) { return marker >= 0xD0 && marker <= 0xD7; }

/// True for complaints behind which every pixel is sound.
bool is_harmless(const jpeg_decompress_struct& codec) {
  const bool in_scan = codec.input_scan_number > 0 && codec.input_iMCU_row < codec.total_iMCU_rows;
  switch (codec.err->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
      return true;
    // Bytes left over before a restart marker are coded pixels that were not understood.
    case JWRN_EXTRANEOUS_DATA:
      return !(in_scan && is_restart(codec.err->msg_parm.i[1]));
    default:
      return false;
  }
}

ErrorKind kind_of(int code) {
  switch (code) {
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_IMAGE_TOO_BIG:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
    case JERR_WIDTH_OVERFLOW:
      return ErrorKind::kUnsupported;
    case JERR_NO_BACKING_STORE:
    case JERR_OUT_OF_MEMORY:
      return ErrorKind::kLimit;
    default:
      return ErrorKind::kInput;
  }
}

std::uint64_t blocks_of(const jpeg_decompress_struct& codec) {
  std::uint64_t blocks = 0;
  for (int i = 0; i < codec.num_components; ++i)
    blocks += std::uint64_t{codec.comp_info[i].width_in_blocks} * codec.comp_info[i].height_in_blocks;
  return blocks;
}

}  // namespace

JpegSession::JpegSession(ByteSource& source, Policy policy, const DecodeOptions& options, const TimeLimit& time_limit)
    : source_(source), policy_(policy), time_limit_(time_limit), limit_(metadata_limit(options)) {
  codec_.err = jpeg_std_error(&errors_);
  errors_.error_exit = on_error;
  errors_.emit_message = on_message;
  errors_.output_message = ignore;
  codec_.client_data = this;
  create();
}

// Until this has returned codec_.mem may be null, which jpeg_destroy_decompress accepts.
void JpegSession::create() {
  try {
    run([this](jpeg_decompress_struct& codec) {
      jpeg_create_decompress(&codec);
      codec.mem->max_memory_to_use = 0;  // not what the environment's JPEGMEM says
      input_.init_source = ignore;
      input_.fill_input_buffer = on_fill;
      input_.skip_input_data = on_skip;
      input_.resync_to_restart = jpeg_resync_to_restart;
      input_.term_source = ignore;
      codec.src = &input_;
      progress_.progress_monitor = on_progress;
      codec.progress = &progress_;
      jpeg_set_marker_processor(&codec, JPEG_APP0 + 1, on_segment);
      jpeg_set_marker_processor(&codec, JPEG_APP0 + 2, on_segment);
      if (limit_ == 0) return;
      jpeg_set_marker_processor(&codec, JPEG_APP0 + 13, on_segment);
      jpeg_set_marker_processor(&codec, JPEG_COM, on_segment);
    });
  } catch (...) {
    jpeg_destroy_decompress(&codec_);
    throw;
  }
}

JpegSession::~JpegSession() { jpeg_destroy_decompress(&codec_); }

void JpegSession::on_error(j_common_ptr codec) {
  char text[JMSG_LENGTH_MAX];
  codec->err->format_message(codec, text);
  JpegSession& self = of(codec);
  const ErrorKind kind = kind_of(codec->err->msg_code);
  if (kind == ErrorKind::kInput && self.hit_end_) self.fail(kind, kTruncated);
  self.fail(kind, text);
}

void JpegSession::on_message(j_common_ptr codec, int level) {
  if (level >= 0) return;
  JpegSession& self = of(codec);
  char text[JMSG_LENGTH_MAX];
  codec->err->format_message(codec, text);
  if (!is_harmless(self.codec_))
    self.note_damage(text);
  else
    self.warn(text);
}

void JpegSession::warn(const char* text) {
  if (warning_[0] == '\0') std::snprintf(warning_, sizeof warning_, "%s", text);
}

void JpegSession::note_damage(const char* text, std::uint64_t row_of_blocks) {
  if (!damaged()) std::snprintf(damage_, sizeof damage_, "%s", hit_end_ ? kTruncated : text);
  if (policy_ == Policy::kStrict) fail(ErrorKind::kInput, damage_);
  // The last row above the damaged blocks is interpolated with the first one below where chroma is subsampled.
  const auto unit = static_cast<std::uint64_t>(codec_.max_v_samp_factor);
  const std::uint64_t above = row_of_blocks * unit * DCTSIZE;
  sound_rows_ = std::min(sound_rows_, above > 0 && unit > 1 ? above - 1 : above);
}

bool JpegSession::end_scans(const char* cause) {
  if (policy_ == Policy::kStrict || !hit_end_) return false;
  if (!damaged()) std::snprintf(damage_, sizeof damage_, "%s", cause);
  codec_.unread_marker = JPEG_EOI;
  return true;
}

/// libjpeg calls this for each row of blocks, before it decodes the first one of a scan too.
void JpegSession::on_progress(j_common_ptr common) {
  JpegSession& self = of(common);
  if (self.in_arithmetic_scan() && self.arithmetic_end_.scan() != self.codec_.input_scan_number) {
    self.arithmetic_end_.begin_scan(self.codec_);
    self.hide_end();
  }
  const jpeg_decompress_struct& codec = self.codec_;
  // A scan header that broke off leaves null pointers.
  for (int i = 0; i < codec.comps_in_scan && codec.cur_comp_info[i]; ++i)
    self.components_seen_ |= 1u << codec.cur_comp_info[i]->component_index;
  const auto scans = static_cast<std::uint64_t>(codec.input_scan_number);
  if (scans > kFreeScans && scans > kMostBlockVisits / std::max<std::uint64_t>(blocks_of(codec), 1))
    self.fail(ErrorKind::kTooLarge, "more than 100 scans in a JPEG of this size");
  bool late = false;
  try {
    self.time_limit_.check();
  } catch (...) {
    self.guard_.keep_exception();
    late = true;
  }
  if (late) self.fail(ErrorKind::kTimeLimit, "");
}

/// Whether every bit of every coefficient is there.
bool JpegSession::refined() const {
  for (int i = 0; codec_.coef_bits && i < codec_.num_components; ++i) {
    const int* bits = codec_.coef_bits[i];
    if (std::any_of(bits, bits + DCTSIZE2, [](int missing) { return missing != 0; })) return false;
  }
  return true;
}

bool JpegSession::components_complete() const {
  if (components_seen_ != (1u << codec_.num_components) - 1) return false;
  if (!codec_.coef_bits) return true;
  // A progressive file that stops early shows a coarse image, but each component needs its DC scan; without an end
  // marker nobody knows whether the file was meant to stop, unless every bit of every coefficient is there.
  for (int i = 0; i < codec_.num_components; ++i)
    if (codec_.coef_bits[i][0] < 0) return false;
  return !hit_end_ || refined();
}

void JpegSession::require_components() {
  if (!components_complete()) note_damage("a component or the end of the scans is missing");
  if (arithmetic_end_.cut_off() && !refined()) warn(kMaybeCutOff);
}

void JpegSession::check_row(std::uint64_t y, std::span<const std::uint8_t> row) {
  if (damaged() || !arithmetic_end_.invented(codec_, y, row)) return;
  if (arithmetic_end_.certain())
    note_damage(kCutOff, arithmetic_end_.row());
  else
    warn(kMaybeCutOff);
}

void JpegSession::check_end() {
  if (arithmetic_end_.doubtful()) warn(kMaybeCutOff);
}

boolean JpegSession::on_segment(j_decompress_ptr codec) {
  JpegSession& self = of(reinterpret_cast<j_common_ptr>(codec));
  std::uint8_t* const bytes = self.segment_;
  const auto read = [&](std::size_t count) {
    for (std::size_t done = 0; done < count;) {
      if (self.input_.bytes_in_buffer == 0) on_fill(codec);
      if (self.hit_end_) return false;
      done += self.take(bytes + done, count - done);
    }
    return true;
  };
  if (!read(2)) return TRUE;
  // The length counts its own two bytes; libjpeg too takes impossible ones for an empty segment.
  const std::size_t length = static_cast<std::size_t>(bytes[0]) << 8 | bytes[1],
                    count = std::max(length, std::size_t{2}) - 2;
  if (!read(count)) return TRUE;
  bool failed = false;
  try {
    self.look_at_segment(codec->unread_marker, {bytes, count});
  } catch (...) {
    self.guard_.keep_exception();
    failed = true;
  }
  if (failed) self.fail(ErrorKind::kLimit, "");
  return TRUE;
}

void JpegSession::look_at_segment(int marker, std::span<const std::uint8_t> payload) {
  switch (jpeg_segment_kind(marker, payload)) {
    case JpegSegmentKind::kMultiPicture:
      segments_.multi_picture = true;
      break;
    case JpegSegmentKind::kExif:
      if (!segments_.exif) segments_.orientation = exif_orientation(payload.subspan(kJpegExifHead.size()));
      segments_.exif = true;
      break;
    case JpegSegmentKind::kOther:
      return;
    default:
      break;
  }
  if (limit_ > 0) keep_segment(marker, payload);
}

void JpegSession::keep_segment(int marker, std::span<const std::uint8_t> payload) {
  std::string name(jpeg_segment_name(jpeg_segment_kind(marker, payload)));
  const std::size_t cost = payload.size() + kBlockCost;
  if (cost > limit_ - kept_bytes_) {
    segments_.beyond.insert(std::move(name));
    return;
  }
  kept_bytes_ += cost;
  segments_.kept.push_back({static_cast<std::uint32_t>(marker), std::move(name), {payload.begin(), payload.end()}});
}

}  // namespace gpuhisto
