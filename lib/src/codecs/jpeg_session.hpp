// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <cstdio>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "codecs/c_guard.hpp"
#include "codecs/codec.hpp"
#include "codecs/jpeg_arithmetic.hpp"
#include "codecs/jpeg_metadata.hpp"

// Last, because it needs FILE and size_t without including them.
#include <jpeglib.h>

namespace gpuhisto {

/// What the APPn segments tell, gathered while the header is read.
struct JpegSegments {
  bool exif = false;
  bool multi_picture = false;  ///< MPF: more pictures are announced behind this one
  int orientation = 1;
  std::vector<MetadataBlock> kept;  ///< with keep_metadata, as in the file
  std::set<std::string> beyond;     ///< names of those that the limit left out
};

/// One libjpeg decompressor that reads a ByteSource, and the place where libjpeg's complaints are judged.
class JpegSession {
 public:
  enum class Policy { kStrict, kTolerant };

  /// `time_limit`: looked at between rows of blocks, as it is then.
  JpegSession(ByteSource& source, Policy policy, const DecodeOptions& options, const TimeLimit& time_limit);
  ~JpegSession();
  JpegSession(const JpegSession&) = delete;
  JpegSession& operator=(const JpegSession&) = delete;

  /// Runs step(codec). Throws Error when libjpeg gives up, or (strict) when pixels are missing or guessed.
  template <typename Step>
  void run(const Step& step) {
    guard_.run([&] { step(codec_); });
  }
  /// Ends a step from within.
  [[noreturn]] void fail(ErrorKind kind, const char* text) noexcept { guard_.fail(kind, text); }

  const jpeg_decompress_struct& codec() const { return codec_; }
  const JpegSegments& segments() const { return segments_; }
  Metadata take_metadata() { return gpuhisto::take_metadata(segments_, limit_); }
  bool hit_end_of_file() const { return hit_end_; }
  bool bytes_left();  ///< behind the end marker
  /// To be called within a step, after all scans: complains where one is missing.
  void require_components();
  /// To be called within a step: complains where row `y`, as it was decoded, is none of the file.
  void check_row(std::uint64_t y, std::span<const std::uint8_t> row);
  /// Behind the last row: warns where the coded pixels end early without a sign that others were meant.
  void check_end();

  /// Tolerant: after jpeg_start_decompress() failed at the end of the file, between two scans. True when it may be
  /// called again and will then make do with the scans it has.
  bool end_scans(const char* cause);

  /// Tolerant: the first complaint about missing or guessed pixels.
  bool damaged() const { return damage_[0] != '\0'; }
  const char* damage() const { return damage_; }
  /// Rows of a single-scan image that the damage cannot have touched.
  std::uint64_t sound_rows() const { return sound_rows_; }
  /// The first complaint that leaves the pixels sound; empty without one.
  const char* warning() const { return warning_; }

 private:
  static constexpr char kTruncated[] = "truncated JPEG";

  static JpegSession& of(j_common_ptr codec) { return *static_cast<JpegSession*>(codec->client_data); }
  static void on_error(j_common_ptr codec);
  static void on_message(j_common_ptr codec, int level);
  static void on_progress(j_common_ptr codec);
  static boolean on_fill(j_decompress_ptr codec);
  static void on_skip(j_decompress_ptr codec, long count);
  static boolean on_segment(j_decompress_ptr codec);
  static void ignore(j_decompress_ptr) {}
  static void ignore(j_common_ptr) {}

  void create();
  bool components_complete() const;
  bool refined() const;
  void note_damage(const char* text) { note_damage(text, codec_.input_iMCU_row); }
  void note_damage(const char* text, std::uint64_t row_of_blocks);
  void warn(const char* text);
  bool in_arithmetic_scan() const;
  void hide_end();
  std::span<const std::uint8_t> peek_scan(std::size_t least);
  void lend();
  std::size_t take(std::uint8_t* to, std::size_t count);
  void look_at_segment(int marker, std::span<const std::uint8_t> payload);
  void keep_segment(int marker, std::span<const std::uint8_t> payload);

  ByteSource& source_;
  Policy policy_;
  const TimeLimit& time_limit_;
  CGuard guard_;
  jpeg_decompress_struct codec_{};
  jpeg_error_mgr errors_{};
  jpeg_source_mgr input_{};
  jpeg_progress_mgr progress_{};
  JpegSegments segments_;
  std::size_t limit_, kept_bytes_ = 0;  // of segments that are kept
  std::size_t lent_ = 0;                // bytes of the source's buffer that libjpeg looks at
  bool hit_end_ = false;
  ArithmeticEnd arithmetic_end_;
  std::uint32_t components_seen_ = 0;  // one bit a component that occurred in a scan
  std::uint64_t sound_rows_ = UINT64_MAX;
  std::uint8_t segment_[65535 - 2];  // one APPn segment, at most
  char damage_[JMSG_LENGTH_MAX] = {};
  char warning_[JMSG_LENGTH_MAX] = {};
};

}  // namespace gpuhisto
