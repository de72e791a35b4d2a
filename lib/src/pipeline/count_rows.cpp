// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/pipeline.hpp"
#include "pipeline/strips.hpp"

namespace gpuhisto {

ImageHistogram count_rows(Decoder& decoder, const CountSpec& spec, int threads) {
  const ImageInfo& info = decoder.info();
  const auto counter = make_cpu_histogrammer(info.channels, spec, consumer_threads(info, threads));
  stream_strips(decoder, threads, *counter);
  return counter->finish();
}

}  // namespace gpuhisto
