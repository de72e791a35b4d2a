// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <vector>

#include "count/pixel_counter.hpp"
#include "count/selection.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/histogram.hpp"
#include "gpuhisto/parallel.hpp"

namespace gpuhisto {
namespace {

using count::clip;
using count::PixelCounter;
using count::Range;
using count::Sieve;

/// Below this many pixels a part, waking another thread costs more than it brings.
constexpr std::size_t kPixelsPerPart = std::size_t{1} << 16;

class CpuHistogrammer final : public Histogrammer {
 public:
  CpuHistogrammer(int channels, const CountSpec& spec, int threads)
      : channels_(channels), predicate_(spec.predicate), threads_(threads) {
    settings_.channels = channels;
    settings_.wanted = spec.channels & ChannelSet::of_image(channels);
    settings_.luma = spec.luma;
  }

  void count(const ImageView& strip, std::uint64_t first_row) override;
  ImageHistogram finish() override;

 private:
  void check(const ImageView& strip, std::uint64_t first_row) const;
  void count_rows(PixelCounter& counter, const ImageView& rows, std::uint64_t first_row, Range columns) const;
  void count_sieved(PixelCounter& counter, const std::uint8_t* pixels, const std::uint8_t* mask, std::size_t n) const;

  int channels_;
  PixelPredicate predicate_;
  int threads_;
  PixelCounter::Settings settings_;
  std::vector<PixelCounter> counters_;  // one a part, kept from strip to strip
};

void CpuHistogrammer::check(const ImageView& strip, std::uint64_t first_row) const {
  if (strip.channels != channels_) throw Error(ErrorKind::kUsage, "the strip has another number of channels");
  const auto& mask = predicate_.mask;
  if (!mask) return;
  if (mask->channels != 1) throw Error(ErrorKind::kUsage, "the mask must have one channel");
  if (mask->width != strip.width || first_row > mask->height || strip.height > mask->height - first_row)
    throw Error(ErrorKind::kUsage, "the mask and the image differ in size");
}

void CpuHistogrammer::count(const ImageView& strip, std::uint64_t first_row) {
  check(strip, first_row);
  Range columns{0, strip.width}, rows{0, strip.height};
  if (const auto& rectangle = predicate_.rectangle) {
    columns = clip(0, strip.width, rectangle->x, rectangle->width);
    rows = clip(first_row, strip.height, rectangle->y, rectangle->height);
  }
  if (columns.size() == 0 || rows.size() == 0) return;
  const std::size_t worth = columns.size() * rows.size() / kPixelsPerPart;
  const int parts = static_cast<int>(std::clamp<std::size_t>(worth, 1, static_cast<std::size_t>(threads_)));
  while (counters_.size() < static_cast<std::size_t>(parts)) counters_.emplace_back(settings_);
  fork_join(rows.size(), parts, [&](int part, std::size_t begin, std::size_t end) {
    const std::size_t first = rows.begin + begin;
    count_rows(counters_[static_cast<std::size_t>(part)], strip.rows(first, end - begin), first_row + first, columns);
  });
}

void CpuHistogrammer::count_rows(PixelCounter& counter, const ImageView& rows, std::uint64_t first_row,
                                 Range columns) const {
  const bool sieve = predicate_.mask || (predicate_.skip_transparent && has_alpha(channels_));
  const std::size_t row_pixels = columns.size() * static_cast<std::size_t>(channels_);
  if (!sieve && rows.row_bytes == row_pixels) return counter.add(rows.data, columns.size() * rows.height);
  for (std::size_t y = 0; y < rows.height; ++y) {
    const std::uint8_t* pixels = rows.row(y) + columns.begin * static_cast<std::size_t>(channels_);
    if (!sieve) {
      counter.add(pixels, columns.size());
      continue;
    }
    const auto* mask = predicate_.mask ? predicate_.mask->row(static_cast<std::size_t>(first_row) + y) : nullptr;
    count_sieved(counter, pixels, mask ? mask + columns.begin : nullptr, columns.size());
  }
}

void CpuHistogrammer::count_sieved(PixelCounter& counter, const std::uint8_t* pixels, const std::uint8_t* mask,
                                   std::size_t n) const {
  constexpr std::size_t kChunk = 2048;  // with four channels 8 KiB: stays in the first-level cache
  std::uint8_t kept[(kChunk + 1) * 4];
  const Sieve sieve{channels_, predicate_.skip_transparent && has_alpha(channels_)};
  for (std::size_t at = 0; at < n; at += kChunk) {
    const std::size_t size = std::min(kChunk, n - at);
    const std::uint8_t* part = pixels + at * static_cast<std::size_t>(channels_);
    counter.add(kept, sieve.compact(part, mask ? mask + at : nullptr, size, kept));
  }
}

ImageHistogram CpuHistogrammer::finish() {
  ImageHistogram sum;
  sum.channels = settings_.wanted;
  for (auto& counter : counters_) counter.drain(sum);
  return sum;
}

}  // namespace

std::function<ImageHistogram()> Histogrammer::finish_later() {
  return [counts = finish()] { return counts; };
}

std::unique_ptr<Histogrammer> make_cpu_histogrammer(int channels, const CountSpec& spec, int threads) {
  if (channels < 1 || channels > 4) throw Error(ErrorKind::kUsage, "an image has one to four channels");
  return std::make_unique<CpuHistogrammer>(channels, spec, std::max(1, threads));
}

ImageHistogram count_image(const ImageView& image, const CountSpec& spec, int threads) {
  if (spec.predicate.mask && spec.predicate.mask->height != image.height)
    throw Error(ErrorKind::kUsage, "the mask and the image differ in size");
  const auto histogrammer = make_cpu_histogrammer(image.channels, spec, threads);
  histogrammer->count(image, 0);
  return histogrammer->finish();
}

}  // namespace gpuhisto
