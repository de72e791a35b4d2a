// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Operations that give each pixel a new value by its old one alone: what they count, the map they make of the counts,
// and how it is applied. Equalisation, stretching and matching are such operations.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto {

/// A value for each level.
using Lut = std::array<std::uint8_t, kBins>;
/// The map that changes nothing.
Lut identity_lut();

/// What an operation maps. Of gray images it is the gray value, whatever the mode.
enum class ToneMode {
  kLuma,   ///< RGB -> YCrCb, map Y, back; bit-exact with OpenCV's 14-bit conversions
  kEach,   ///< every colour channel by its own map
  kJoint,  ///< one map for all colour channels
};

/// What becomes of the pixels of one image. Alpha never changes.
struct ToneMap {
  /// Which maps serve for which channels.
  enum class Kind {
    kNone,  ///< every pixel stays as it is
    kLuma,  ///< luts[0] for Y of the 14-bit YCrCb; of colour images only
    kOne,   ///< luts[0] for every channel
    kEach,  ///< luts[c] for colour channel c; of colour images only
  };
  Kind kind = Kind::kNone;
  std::array<Lut, 3> luts{};  ///< as `kind` says; the others are not looked at
};

/// What an operation counts, and the map that it makes of the counts. Stateless once made: any thread may use it.
class ToneOperation {
 public:
  ToneOperation() = default;
  virtual ~ToneOperation() = default;
  ToneOperation(const ToneOperation&) = delete;
  ToneOperation& operator=(const ToneOperation&) = delete;
  /// What to count of an image of `channels` interleaved channels; the predicate is the caller's.
  virtual CountSpec spec(int channels) const = 0;
  /// The map by these counts.
  virtual ToneMap map(const ImageHistogram& counts, int channels) const = 0;
};

/// What an operation of that mode has to count, for most of them.
CountSpec spec_of(ToneMode mode, int channels);
/// The map of what `lut_of` makes of each histogram in use. Its channel is kLuma for Y, for gray values and, with
/// kJoint, for all colour channels together.
ToneMap map_of(ToneMode mode, int channels, const ImageHistogram& counts,
               const std::function<Lut(const Histogram& histogram, Channel channel)>& lut_of);

/// Maps in place the pixels that the predicate lets through; the same bytes for any number of threads. Throws
/// Error(kUsage) for a mask that does not fit the image.
void apply_tone_map(const MutableImageView& image, const ToneMap& map, const PixelPredicate& predicate, int threads);

/// Counts, and maps by the counts, the pixels that the predicate lets through. Returns the counts.
ImageHistogram apply_operation(const MutableImageView& image, const ToneOperation& operation,
                               const PixelPredicate& predicate, int threads);

}  // namespace gpuhisto
