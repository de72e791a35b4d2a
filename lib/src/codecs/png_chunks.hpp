// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/png_metadata.hpp"

namespace gpuhisto {

inline constexpr std::array<std::uint8_t, 8> kPngSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

constexpr std::uint32_t png_chunk_type(const char (&name)[5]) {
  std::uint32_t type = 0;
  for (int i = 0; i < 4; ++i) type = type << 8 | static_cast<std::uint8_t>(name[i]);
  return type;
}

/// Watches the bytes of a PNG go by and notes what its ancillary chunks tell, so that libpng can be told to skip them
/// all: no inflating of texts and profiles, and no memory for them unless they are to be kept.
class PngChunks {
 public:
  /// Keeps up to `limit` bytes of metadata; 0: none.
  explicit PngChunks(std::size_t limit = 0) : kept_(limit) {}

  /// The next bytes of the file, from its first one on.
  void feed(std::span<const std::uint8_t> bytes);

  /// True when the file may end here: behind a whole chunk.
  bool at_boundary() const { return have_ == 0 && phase_ == Phase::kHeader; }

  std::size_t kept_bytes() const { return kept_.bytes(); }
  /// With a limit: all that was kept; none is left here.
  Metadata take_kept() { return kept_.take(); }

  bool exif = false;
  std::uint32_t frames = 0;        ///< of an animation (acTL), else 0
  bool first_frame_shown = false;  ///< the ordinary image is the animation's first frame
  int orientation = 1;

 private:
  enum class Phase { kSignature, kHeader, kPayload, kChecksum };

  bool collect(std::span<const std::uint8_t>& bytes, std::size_t want);
  void begin_chunk();
  void end_chunk();
  bool is_damaged() const;
  bool is_out_of_place() const;
  void look_at_chunk();
  void keep_chunk();

  Phase phase_ = Phase::kSignature;
  std::array<std::uint8_t, 8> small_{};  // signature, chunk header, checksum
  std::size_t have_ = 0;                 // bytes of small_
  std::uint64_t left_ = 0;               // payload bytes to come
  std::uint32_t type_ = 0;
  bool palette_begun_ = false, pixels_begun_ = false;
  std::size_t wanted_ = 0;             // payload bytes to look at
  std::vector<std::uint8_t> payload_;  // those
  std::uint64_t length_ = 0;           // of the payload
  std::uint32_t sum_ = 0;              // the checksum, of a chunk that is looked at
  PngMetadata kept_;
};

}  // namespace gpuhisto
