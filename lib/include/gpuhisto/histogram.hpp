// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gpuhisto/image.hpp"

namespace gpuhisto {

/// Levels of an 8-bit sample.
inline constexpr std::size_t kBins = 256;
/// How many samples there are of each level.
using Histogram = std::array<std::uint64_t, kBins>;

/// What is counted of a pixel. Of gray images the gray values are the luma.
enum class Channel { kLuma, kRed, kGreen, kBlue, kAlpha };
/// How many there are.
inline constexpr std::size_t kChannelCount = 5;
/// All, in the order of the columns of a table.
inline constexpr std::array<Channel, kChannelCount> kChannels = {Channel::kLuma, Channel::kRed, Channel::kGreen,
                                                                 Channel::kBlue, Channel::kAlpha};
std::string_view channel_name(Channel channel);  ///< "luma", "red", …

/// Luminance of an RGB pixel, in integers; of a gray pixel it is the gray value.
enum class LumaRule {
  kBt601,    ///< (9798R + 19235G + 3735B + 16384) >> 15: OpenCV 4's RGB2GRAY, ITU-R BT.601 weights
  kBt709,    ///< (6966R + 23436G + 2366B + 16384) >> 15: ITU-R BT.709 weights
  kAverage,  ///< (R + G + B + 1) / 3
  kValue,    ///< max(R, G, B): the V of HSV
  kYcrcb14,  ///< (4899R + 9617G + 1868B + 8192) >> 14: the Y of OpenCV's RGB2YCrCb; drives luma equalisation
};
std::string_view luma_name(LumaRule rule);  ///< "bt601", …
/// The luma of one colour.
std::uint8_t luma_of(LumaRule rule, std::uint8_t red, std::uint8_t green, std::uint8_t blue);

/// Which channels are counted; a set of Channel.
class ChannelSet {
 public:
  constexpr ChannelSet() = default;
  /// All five.
  static constexpr ChannelSet all() { return ChannelSet(0x1f); }
  /// What an image of that many interleaved channels has: gray -> luma; RGB -> luma, red, green, blue; + alpha.
  static constexpr ChannelSet of_image(int channels) {
    return ChannelSet((has_color(channels) ? 0x0fu : 0x01u) | (has_alpha(channels) ? 0x10u : 0u));
  }
  /// Adds one.
  constexpr ChannelSet& set(Channel c) {
    bits_ |= 1u << static_cast<unsigned>(c);
    return *this;
  }
  /// Whether it is in the set.
  constexpr bool has(Channel c) const { return (bits_ >> static_cast<unsigned>(c)) & 1u; }
  /// Those in both.
  constexpr ChannelSet operator&(ChannelSet o) const { return ChannelSet(bits_ & o.bits_); }
  constexpr bool operator==(const ChannelSet&) const = default;
  constexpr bool empty() const { return bits_ == 0; }  ///< none

 private:
  explicit constexpr ChannelSet(unsigned bits) : bits_(bits) {}
  unsigned bits_ = 0;
};

/// "luma,red"
std::string channel_list(ChannelSet channels);
/// The channels of a list of names with commas between them, "luma,red"; nullopt where a name is no channel's, which
/// `unknown`, unless null, then holds.
std::optional<ChannelSet> channels_of_list(std::string_view list, std::string* unknown = nullptr);

/// A histogram for each channel, all zero at first. They lie on the heap: 10 KiB are much on the stack of a thread.
class ChannelCounts {
 public:
  ChannelCounts() = default;
  /// Copies have counts of their own.
  ChannelCounts(const ChannelCounts& other) : bins_(other.bins_ ? std::make_unique<Bins>(*other.bins_) : nullptr) {}
  ChannelCounts(ChannelCounts&&) noexcept = default;  ///< leaves all zero behind
  /// As the constructors.
  ChannelCounts& operator=(ChannelCounts other) noexcept {
    bins_ = std::move(other.bins_);
    return *this;
  }
  ~ChannelCounts() = default;

  /// The histogram of a channel, by its number.
  Histogram& operator[](std::size_t channel) {
    if (!bins_) bins_ = std::make_unique<Bins>();
    return (*bins_)[channel];
  }
  /// The same to read; nothing is allocated.
  const Histogram& operator[](std::size_t channel) const { return bins_ ? (*bins_)[channel] : kNone; }
  bool operator==(const ChannelCounts& other) const;  ///< by the counts

 private:
  using Bins = std::array<Histogram, kChannelCount>;
  static constexpr Histogram kNone{};
  std::unique_ptr<Bins> bins_;
};

/// Up to five histograms of the same pixels. Absent channels are all zero. Merging is addition.
struct ImageHistogram {
  ChannelCounts counts;      ///< by channel: histogram[Channel::kRed][level]
  ChannelSet channels;       ///< those that were counted
  std::uint64_t pixels = 0;  ///< that were counted; the sum of each present channel's bins

  /// The histogram of a channel.
  Histogram& operator[](Channel c) { return counts[static_cast<std::size_t>(c)]; }
  /// The same to read.
  const Histogram& operator[](Channel c) const { return counts[static_cast<std::size_t>(c)]; }
  /// Adds another image's counts: every present channel, the union of both sets, the pixels.
  void add(const ImageHistogram& other);
};

/// Which pixels count. All conditions that are set must hold.
struct PixelPredicate {
  bool skip_transparent = false;       ///< leave out pixels of alpha 0 (no effect without alpha)
  std::optional<Rectangle> rectangle;  ///< in pixels of the whole image; clipped to it (check_selection() refuses)
  std::optional<ImageView> mask;       ///< one channel, the size of the whole image; non-zero counts
  /// Whether every pixel counts.
  bool all() const { return !skip_transparent && !rectangle && !mask; }
};

/// What is counted of an image.
struct CountSpec {
  ChannelSet channels = ChannelSet::all();  ///< those wanted; what the image lacks is left out
  LumaRule luma = LumaRule::kBt601;
  PixelPredicate predicate;
};

/// Counts strips of one image after another into 64-bit bins. The same counts for any cutting into strips and any
/// number of threads.
class Histogrammer {
 public:
  virtual ~Histogrammer() = default;
  /// `first_row`: position of the strip's first row in the whole image (the predicate's coordinates).
  /// The strip may be reused once the call returns.
  virtual void count(const ImageView& strip, std::uint64_t first_row) = 0;
  /// The counts so far; the object is then empty and may be used again.
  virtual ImageHistogram finish() = 0;
  /// The same for whoever need not wait: what it returns gives the counts, once, to any thread, or throws.
  virtual std::function<ImageHistogram()> finish_later();
  /// Memory for the next strip, which count() then need not copy: so many bytes, to be filled without gaps, until that
  /// call. Null: any memory is as good.
  virtual std::uint8_t* strip_memory(std::size_t) { return nullptr; }
};

/// The CPU's Histogrammer for images of `channels` interleaved channels. `threads` >= 1 share the rows of each strip.
std::unique_ptr<Histogrammer> make_cpu_histogrammer(int channels, const CountSpec& spec, int threads);

/// Counts a whole image in memory.
ImageHistogram count_image(const ImageView& image, const CountSpec& spec, int threads);

}  // namespace gpuhisto
