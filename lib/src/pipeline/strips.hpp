// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/histogram.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto {

/// Gets the strips of an image from top to bottom, never two at a time.
using StripConsumer = std::function<void(const ImageView& strip, std::uint64_t first_row)>;

/// Decodes an image strip by strip through two small buffers. With two threads or more, `consume` runs beside the
/// decoding of the next strip. What either throws is thrown. Returns how many rows there were.
std::size_t stream_strips(Decoder& decoder, int threads, const StripConsumer& consume);
/// The same for a counter; where it has memory of its own for strips, they are decoded into that and counted in the
/// background, whatever the threads.
std::size_t stream_strips(Decoder& decoder, int threads, Histogrammer& counter);

/// As the first, but the rows are decoded into `image` and stay there.
std::size_t fill_strips(Decoder& decoder, const MutableImageView& image, int threads, const StripConsumer& consume);

/// Bytes of the two buffers.
std::uint64_t strip_memory(const ImageInfo& info);

/// Threads that are left for the consumer while one decodes.
int consumer_threads(const ImageInfo& info, int threads);

}  // namespace gpuhisto
