// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "count/formula.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto {

bool ChannelCounts::operator==(const ChannelCounts& other) const {
  for (std::size_t c = 0; c < kChannelCount; ++c)
    if ((*this)[c] != other[c]) return false;
  return true;
}

void ImageHistogram::add(const ImageHistogram& other) {
  for (const Channel c : kChannels) {
    if (!other.channels.has(c)) continue;
    channels.set(c);
    for (std::size_t v = 0; v < kBins; ++v) (*this)[c][v] += other[c][v];
  }
  pixels += other.pixels;
}

std::uint8_t luma_of(LumaRule rule, std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  return count::luma_value(count::luma_formula(rule), red, green, blue);
}

}  // namespace gpuhisto
