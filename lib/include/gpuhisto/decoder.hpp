// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/image.hpp"
#include "gpuhisto/metadata.hpp"
#include "gpuhisto/time_limit.hpp"

namespace gpuhisto {

/// The formats that are told apart by content. Those that can be written too: can_write().
enum class Format { kJpeg, kPng, kPnm, kPam, kBmp, kTga, kPsd, kGif, kTiff, kWebp };
/// "jpeg", "png", …
std::string_view format_name(Format format);

/// Facts about a result that are no errors. Spelled in JSON and CSV as in flag_name().
enum class Flag : unsigned {
  kReduced16 = 1u << 0,      ///< more than 8 bits a sample were reduced to the high byte (PNM: scaled)
  kConvertedCmyk = 1u << 1,  ///< CMYK or YCCK became RGB
  kFirstFrame = 1u << 2,     ///< only the first of several frames was read
  kDamaged = 1u << 3,        ///< --tolerate-damage: only a part of the pixels was decoded
  kWarning = 1u << 4,        ///< sound pixels in a file that breaks a rule; `notes` says which
  kLostMetadata = 1u << 5,   ///< an output does not carry what the input had
};
std::string_view flag_name(Flag flag);  ///< "reduced16", "converted_cmyk", …

/// A set of Flag.
class Flags {
 public:
  /// Adds one.
  void set(Flag flag) { bits_ |= static_cast<unsigned>(flag); }
  /// Whether it is in the set.
  bool has(Flag flag) const { return (bits_ & static_cast<unsigned>(flag)) != 0; }
  /// Whether the set is not empty.
  bool any() const { return bits_ != 0; }
  /// Adds all of another set.
  void merge(Flags other) { bits_ |= other.bits_; }
  std::vector<std::string_view> names() const;  ///< in the order of the enum

 private:
  unsigned bits_ = 0;
};

/// What a decoder may use, and what it does about damage.
struct DecodeOptions {
  std::uint64_t max_pixels = std::uint64_t{1} << 33;  ///< larger images: Error(kTooLarge)
  std::uint64_t max_memory = std::uint64_t{1} << 33;  ///< bytes a decoder may hold for this one file
  bool tolerate_damage = false;                       ///< give the rows before the damage: see Decoder
  bool keep_metadata = false;  ///< up to 64 MiB, and a sixteenth of max_memory: for take_metadata()
  TimeLimit time_limit = {};   ///< Error(kTimeLimit) once it is over
};

/// Chroma subsampling of a JPEG's first component against the others: 1x1 is 4:4:4, 2x2 is 4:2:0.
struct JpegSubsampling {
  int horizontal = 1, vertical = 1;
};

/// What a file's header tells.
struct ImageInfo {
  Format format = Format::kPng;
  std::uint64_t width = 0, height = 0;         ///< as stored, before any turning
  int channels = 1;                            ///< of the rows delivered: 1, 2, 3 or 4
  int source_bits = 8;                         ///< bits a sample in the file
  std::uint64_t frames = 1;                    ///< frames or pages in the file, where known
  int orientation = 1;                         ///< EXIF's 1..8; 1 where absent or invalid
  std::optional<JpegSubsampling> subsampling;  ///< of a JPEG
  std::uint64_t memory = 0;                    ///< bytes this decoder holds, rows of the caller not included
};

/// Gives the rows of one image from top to bottom, each once. Not thread-safe; movable between threads.
///
/// Damage (pixels missing or guessed, a critical checksum wrong) throws Error(kInput). With tolerate_damage
/// read_rows() instead delivers the rows decoded so far, then 0 for ever, and flags() has kDamaged.
class Decoder {
 public:
  virtual ~Decoder() = default;
  const ImageInfo& info() const { return info_; }  ///< known from the start

  /// Writes up to `count` whole rows (width * channels bytes, `row_bytes` apart); returns how many were written.
  /// 0 means the end: by then the file's tail (checksums, end marker) has been checked too.
  virtual std::size_t read_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) = 0;

  /// Complete once read_rows() has returned 0.
  Flags flags() const { return flags_; }
  /// One sentence for each flag or complaint, without the file's name.
  const std::vector<std::string>& notes() const { return notes_; }

  /// With keep_metadata, once read_rows() has returned 0: what the file carries beside its pixels. None is left here.
  Metadata take_metadata() { return std::move(metadata_); }

  /// That of the options it was opened with: whoever calls read_rows() again and again asks it in between.
  const TimeLimit& time_limit() const { return time_limit_; }
  /// From now on.
  void set_time_limit(const TimeLimit& limit) { time_limit_ = limit; }

 protected:
  /// Sets a flag, and says why, each sentence once.
  void note(Flag flag, std::string text) {
    flags_.set(flag);
    for (const auto& n : notes_)
      if (n == text) return;
    notes_.push_back(std::move(text));
  }
  ImageInfo info_;
  Metadata metadata_;
  Flags flags_;
  std::vector<std::string> notes_;
  TimeLimit time_limit_;
};

/// Looks at the first bytes (never at a name), checks size limits and reads the header.
/// `source` must outlive the decoder. Throws Error(kInput | kUnsupported | kLimit | kTooLarge | kIo).
/// A file that is no known image: Error(kInput, "not an image in a format gpuhisto reads").
std::unique_ptr<Decoder> open_decoder(ByteSource& source, const DecodeOptions& options);

/// Whether open_decoder() would find a known format, by the first bytes; nothing is consumed. Folders skip what is
/// none. Throws Error(kIo).
bool is_image(ByteSource& source);

/// The whole image; with tolerate_damage the decoded part (fewer rows).
Image decode_image(Decoder& decoder);

}  // namespace gpuhisto
