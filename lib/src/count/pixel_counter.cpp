// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "count/pixel_counter.hpp"

#include <algorithm>
#include <cstring>

#include "count/formula.hpp"

namespace gpuhisto::count {

PixelCounter::PixelCounter(const Settings& settings) : settings_(settings), formula_(luma_formula(settings.luma)) {
  const ChannelSet wanted = settings.wanted & ChannelSet::of_image(settings.channels);
  const bool color = wanted.has(Channel::kRed) || wanted.has(Channel::kGreen) || wanted.has(Channel::kBlue);
  for (const Channel c : kChannels)
    if (wanted.has(c)) channels_.push_back(c);
  counters_.reserve(channels_.size());
  for (std::size_t k = 0; k < channels_.size(); ++k) counters_.emplace_back(settings.policy);
  planes_.resize(kStaged * kChannelCount);
  const auto plane = [&](Channel c) { return planes_.data() + kStaged * static_cast<std::size_t>(c); };
  if (wanted.has(Channel::kLuma)) targets_.luma = plane(Channel::kLuma);
  if (wanted.has(Channel::kAlpha)) targets_.alpha = plane(Channel::kAlpha);
  if (!color) return;  // otherwise all three: splitting one costs as much
  targets_.red = plane(Channel::kRed);
  targets_.green = plane(Channel::kGreen);
  targets_.blue = plane(Channel::kBlue);
}

void PixelCounter::add(const std::uint8_t* pixels, std::size_t n) {
  pixels_ += n;
  if (channels_.empty()) return;
  if (settings_.channels == 1 && n >= kStaged) return counters_.front().add(pixels, n);
  while (n > 0) {
    const std::size_t part = std::min(n, kStaged - staged_);
    stage(pixels, part);
    if (staged_ == kStaged) flush();
    pixels += part * static_cast<std::size_t>(settings_.channels);
    n -= part;
  }
}

void PixelCounter::stage(const std::uint8_t* pixels, std::size_t n) {
  const Planes targets = targets_.from(staged_);
  if (settings_.channels == 1)
    std::memcpy(targets.luma, pixels, n);
  else
    settings_.split(pixels, n, settings_.channels, formula_, targets);
  staged_ += n;
}

void PixelCounter::flush() {
  for (std::size_t k = 0; k < channels_.size(); ++k)
    counters_[k].add(planes_.data() + kStaged * static_cast<std::size_t>(channels_[k]), staged_);
  staged_ = 0;
}

void PixelCounter::drain(ImageHistogram& sum) {
  flush();
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    sum.channels.set(channels_[k]);
    counters_[k].drain(sum[channels_[k]]);
  }
  sum.pixels += pixels_;
  pixels_ = 0;
}

std::uint64_t PixelCounter::folds() const {
  std::uint64_t folds = 0;
  for (const auto& counter : counters_) folds += counter.folds();
  return folds;
}

}  // namespace gpuhisto::count
