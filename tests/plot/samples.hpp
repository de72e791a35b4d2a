// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Histograms to plot: the everyday ones and those that plots break on.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpuhisto/plot.hpp"

namespace gpuhisto::samples {

/// A hill of `pixels` counts around `middle`; exact, whatever the rounding.
inline Histogram hill(double middle, double width, std::uint64_t pixels) {
  Histogram histogram{};
  double total = 0;
  for (std::size_t v = 0; v < kBins; ++v) total += std::exp(-std::pow((static_cast<double>(v) - middle) / width, 2));
  std::uint64_t placed = 0;
  for (std::size_t v = 0; v < kBins; ++v) {
    const double part = std::exp(-std::pow((static_cast<double>(v) - middle) / width, 2)) / total;
    histogram[v] = static_cast<std::uint64_t>(part * static_cast<double>(pixels));
    placed += histogram[v];
  }
  histogram[static_cast<std::size_t>(middle)] += pixels - placed;
  return histogram;
}

inline Histogram flat_with(std::vector<std::pair<std::size_t, std::uint64_t>> spikes, std::uint64_t level) {
  Histogram histogram;
  histogram.fill(level);
  for (const auto& [value, count] : spikes) histogram[value] = count;
  return histogram;
}

inline ImageHistogram gray(const Histogram& histogram) {
  ImageHistogram image;
  image.channels = ChannelSet::of_image(1);
  image[Channel::kLuma] = histogram;
  for (const auto count : histogram) image.pixels += count;
  return image;
}

inline ImageHistogram color(std::uint64_t pixels) {
  ImageHistogram image;
  image.channels = ChannelSet::of_image(3);
  image.pixels = pixels;
  image[Channel::kLuma] = hill(120, 40, pixels);
  image[Channel::kRed] = hill(150, 45, pixels);
  image[Channel::kGreen] = hill(110, 35, pixels);
  image[Channel::kBlue] = hill(70, 30, pixels);
  return image;
}

inline ImageHistogram with_alpha(ImageHistogram image, const Histogram& alpha) {
  image.channels.set(Channel::kAlpha);
  image[Channel::kAlpha] = alpha;
  return image;
}

inline Histogram only(std::size_t value, std::uint64_t pixels) {
  Histogram histogram{};
  histogram[value] = pixels;
  return histogram;
}

struct Sample {
  std::string name;
  ImageHistogram histogram;
};

inline std::vector<Sample> all() {
  ImageHistogram empty;
  empty.channels = ChannelSet::of_image(4);
  return {
      {"gray", gray(hill(100, 30, 1'000'000))},
      {"color", color(12'192'768)},
      {"opaque", with_alpha(color(307'200), only(255, 307'200))},
      {"translucent", with_alpha(color(307'200), hill(200, 60, 307'200))},
      {"spike at 0", gray(flat_with({{0, 990'000}}, 40))},
      {"spikes", gray(flat_with({{0, 990'000}, {1, 400'000}, {128, 77'000}, {255, 1'000'000}}, 40))},
      {"single pixels", gray(flat_with({{0, 1'000'000'000}, {17, 0}, {18, 0}}, 1))},
      {"constant", gray(only(77, 5'000))},
      {"two levels", gray(flat_with({{0, 500}, {255, 500}}, 0))},
      {"one pixel", gray(only(0, 1))},
      {"huge", color(9'000'000'000'000'000'000u)},
      {"empty", empty},
      {"no channels", ImageHistogram{}},
  };
}

}  // namespace gpuhisto::samples
