// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "encode/png_filter.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "encode/literal_block.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kSampleBytes = 8 * 1024;   // in all
constexpr std::size_t kSegmentBytes = 2 * 1024;  // of one row at most
constexpr std::array kFilters = {PngFilter::kNone, PngFilter::kSub, PngFilter::kUp, PngFilter::kAverage,
                                 PngFilter::kPaeth};

// The loops are written so that compilers vectorise them: no branch, nothing wider than 16 bits.
using Bytes = const std::uint8_t* __restrict;

std::int16_t magnitude(std::int16_t value) { return static_cast<std::int16_t>(value < 0 ? -value : value); }

void apply_sub(const FilterRow& from, std::uint8_t* __restrict to) {
  const Bytes row = from.row;
  for (std::size_t i = from.pixel; i < from.bytes; ++i) to[i] = static_cast<std::uint8_t>(row[i] - row[i - from.pixel]);
}

void apply_up(const FilterRow& from, std::uint8_t* __restrict to) {
  const Bytes row = from.row, above = from.above;
  for (std::size_t i = from.pixel; i < from.bytes; ++i) to[i] = static_cast<std::uint8_t>(row[i] - above[i]);
}

void apply_average(const FilterRow& from, std::uint8_t* __restrict to) {
  const Bytes row = from.row, above = from.above;
  for (std::size_t i = from.pixel; i < from.bytes; ++i)
    to[i] = static_cast<std::uint8_t>(row[i] - ((row[i - from.pixel] + above[i]) >> 1));
}

void apply_paeth(const FilterRow& from, std::uint8_t* __restrict to) {
  const Bytes row = from.row, above = from.above;
  for (std::size_t i = from.pixel; i < from.bytes; ++i) {
    const std::int16_t left = row[i - from.pixel], up = above[i], corner = above[i - from.pixel];
    const auto to_left = static_cast<std::int16_t>(up - corner), to_up = static_cast<std::int16_t>(left - corner);
    const std::int16_t a = magnitude(to_left), b = magnitude(to_up),
                       c = magnitude(static_cast<std::int16_t>(to_left + to_up));
    const std::int16_t vertical = b <= c ? up : corner;
    const std::int16_t predicted = (a <= b) & (a <= c) ? left : vertical;
    to[i] = static_cast<std::uint8_t>(row[i] - predicted);
  }
}

}  // namespace

void apply_filter(PngFilter filter, const FilterRow& from, std::uint8_t* to) {
  // The first pixel has zeros to its left: what remains of Average is half the byte above, of Paeth the byte above.
  for (std::size_t i = 0; i < std::min(from.pixel, from.bytes); ++i) {
    const unsigned above = filter == PngFilter::kAverage                             ? from.above[i] / 2u
                           : filter == PngFilter::kUp || filter == PngFilter::kPaeth ? from.above[i]
                                                                                     : 0u;
    to[i] = static_cast<std::uint8_t>(from.row[i] - above);
  }
  switch (filter) {
    case PngFilter::kNone:
      std::memcpy(to, from.row, from.bytes);
      break;
    case PngFilter::kSub:
      apply_sub(from, to);
      break;
    case PngFilter::kUp:
      apply_up(from, to);
      break;
    case PngFilter::kAverage:
      apply_average(from, to);
      break;
    case PngFilter::kPaeth:
      apply_paeth(from, to);
      break;
  }
}

PngFilter choose_filter(const ImageView& image, std::size_t first, std::size_t count, const std::uint8_t* zeros) {
  const auto pixel = static_cast<std::size_t>(image.channels);
  const std::size_t row_bytes = image.width * pixel;
  const std::size_t segment = std::min(row_bytes, kSegmentBytes / pixel * pixel);
  const std::size_t segments = std::min(count, std::max<std::size_t>(1, kSampleBytes / segment));
  std::array<std::uint8_t, kSampleBytes> filtered;
  PngFilter best = PngFilter::kNone;
  double least = 0;
  for (const PngFilter filter : kFilters) {
    for (std::size_t k = 0; k < segments; ++k) {
      const std::size_t y = first + (2 * k + 1) * count / (2 * segments);
      // The segments wander over the width, so that no part of the picture is left out.
      const std::size_t x = (row_bytes - segment) / pixel * (k % 4 + 1) / 5 * pixel;
      const std::uint8_t* above = y == 0 ? zeros : image.row(y - 1);
      apply_filter(filter, {image.row(y) + x, above + x, segment, pixel}, filtered.data() + k * segment);
    }
    const double entropy = entropy_bytes(count_bytes(std::span(filtered).first(segments * segment)));
    if (filter == kFilters[0] || entropy < least) {
      best = filter;
      least = entropy;
    }
  }
  return best;
}

}  // namespace gpuhisto
