// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gpuhisto {

/// Files that cost alike.
enum class Coding { kJpeg, kPng, kBmp, kColorPnm, kGrayPnm };
/// How many codings there are.
inline constexpr std::size_t kCodings = 5;

/// What `--device auto` reckons with. The CPU's rates are of one thread on a Sapphire Rapids Xeon, files in the page
/// cache, each part of the pipeline alone, the best of nine runs; Mpix/s, or GB/s (10^9 bytes) of decoded pixels.
struct CostRates {
  /// What files of one coding cost.
  struct File {
    double bytes_per_pixel;  ///< in the file
    int channels;            ///< of its rows
    double decode;           ///< Mpix/s
  };
  std::array<File, kCodings> files = {{
      {0.31, 3, 180},  // JPEG: the mean of 13 camera photos, 20 Mpix together, which decode at 110 to 270
      {1.1, 3, 38},    // PNG: a 12 Mpix photo as libpng compresses it by default
      {3.0, 3, 85},    // BMP of 24 bits
      {3.0, 3, 2400},  // PPM, 110 Mpix
      {1.0, 1, 7500},  // PGM, 110 Mpix
  }};
  double count_color = 750;  ///< Mpix/s: four histograms of a photo, in strips
  double count_gray = 4800;  ///< Mpix/s
  double map = 4.8;          ///< GB/s: equalising by luma
  double pinned = 22;        ///< GB/s: what decoding into pinned memory costs above decoding into a cache
  double copy = 6.5;         ///< GB/s: a whole image into pinned memory, or back; one at a time
  double transfer = 55;      ///< GB/s: pinned memory to an H200, or back
  double device = 4300;      ///< GB/s: an H200 counts or maps
  double image = 30e-6;      ///< seconds of the CPU: an image's way to a device, and of its counts back
  double start = 0.35;       ///< seconds: the CUDA runtime, which takes 0.28 to 0.40 there
};

/// What is known before anything is opened.
struct Work {
  std::uint64_t files = 0;
  std::array<double, kCodings> bytes{};  ///< of the files of each coding
  bool equalizes = false;                ///< the pixels are mapped too
  /// Adds so many times another work.
  void add(const Work& other, std::uint64_t times = 1) {
    files += times * other.files;
    for (std::size_t i = 0; i < kCodings; ++i) bytes[i] += static_cast<double>(times) * other.bytes[i];
  }
};
/// The work in named files, by their sizes and extensions: no file is opened, so names that lie mislead the estimate
/// and nothing else. What is no regular file, or of a format whose cost its size does not tell, is left out; nullopt
/// when that is all.
std::optional<Work> known_work(std::span<const std::string> names);

/// Seconds until all is counted, without what costs the same on both (opening files, encoding): by the CPU, and by the
/// CPU until a GPU has started, and by that from then on.
struct Estimate {
  double cpu = 0, gpu = 0;
  /// Only when it is clearly quicker, by a tenth: the rates are of other machines than the user's.
  bool gpu_pays() const { return gpu < 0.9 * cpu; }
};
/// What this work costs on this many threads. Pure. `threads` >= 1. Files are spread over the threads, each decoded by
/// one; with two threads or more to a file, the others count while it decodes. A device counts in the background, as
/// fast as pixels are copied to it.
Estimate estimate(const Work& work, int threads, const CostRates& rates = {});

}  // namespace gpuhisto
