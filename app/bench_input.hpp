// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "bench_plan.hpp"
#include "gpuhisto/bench.hpp"
#include "gpuhisto/decoder.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto::app {

/// Limits of --input, for which there is no option: of memory half of what is available, as the image is copied to be
/// counted.
DecodeOptions limits_of_input(std::optional<std::uint64_t> available);
/// Reads an image, and tells what of it is not counted. Throws Error as decoders do, with the image's name.
std::shared_ptr<const Image> load_image(const std::string& name, const DecodeOptions& limits, Console& console);

/// What is counted, but for a pattern's size.
struct Counted {
  bench::Shape shape;
  std::shared_ptr<const Image> image;  ///< of --input
};
/// Reads --input, and tells what of it is not counted. Throws Error(kUsage) for options that contradict each other.
Counted make_counted(const BenchFlags& flags, int threads, Console& console);
/// Bins and range of 32-bit keys, once their number is known.
void set_bins(const BenchFlags& flags, bench::Shape& shape, bench::Input& input);

}  // namespace gpuhisto::app
