// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/pipeline.hpp"
#include "pipeline/strips.hpp"

namespace gpuhisto {

ImageHistogram count_rows(Decoder& decoder, const CountSpec& spec, int threads) {
  const ImageInfo& info = decoder.info();
  const auto counter = make_cpu_histogrammer(info.channels, spec, consumer_threads(info, threads));
  stream_strips(decoder, threads,
                [&](const ImageView& strip, std::uint64_t first_row) { counter->count(strip, first_row); });
  return counter->finish();
}

}  // namespace gpuhisto
