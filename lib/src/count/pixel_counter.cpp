// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "count/pixel_counter.hpp"

namespace gpuhisto::count {

void PixelCounter::add(const std::uint8_t* pixels, std::size_t n) {
  const auto step = static_cast<std::size_t>(channels_);
  const bool color = has_color(channels_);
  counts_.pixels += n;
  for (std::size_t i = 0; i < n; ++i, pixels += step) {
    if (counts_.channels.has(Channel::kLuma))
      ++counts_[Channel::kLuma][color ? luma_of(rule_, pixels[0], pixels[1], pixels[2]) : pixels[0]];
    if (counts_.channels.has(Channel::kRed)) ++counts_[Channel::kRed][pixels[0]];
    if (counts_.channels.has(Channel::kGreen)) ++counts_[Channel::kGreen][pixels[1]];
    if (counts_.channels.has(Channel::kBlue)) ++counts_[Channel::kBlue][pixels[2]];
    if (counts_.channels.has(Channel::kAlpha)) ++counts_[Channel::kAlpha][pixels[step - 1]];
  }
}

void PixelCounter::drain(ImageHistogram& sum) {
  sum.add(counts_);
  const ChannelSet wanted = counts_.channels;
  counts_ = ImageHistogram{};
  counts_.channels = wanted;
}

}  // namespace gpuhisto::count
