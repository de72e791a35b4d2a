// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/pipeline.hpp"
#include "pipeline/file_result.hpp"
#include "pipeline/make_counter.hpp"
#include "pipeline/strips.hpp"

namespace gpuhisto {

FileResult count_file(const Input& input, const CountOptions& options, int threads) {
  return run_job(input, options, [&](const CountOptions& limited, FileResult& result) {
    const auto source = open_input(input, limited, result);
    if (!source) return;
    const auto decoder = open_decoder(*source, limited.decode);
    take_info(*decoder, result);
    const ImageInfo& info = decoder->info();
    const auto counter = make_counter(limited, info.channels, limited.spec, consumer_threads(info, threads), result);
    stream_strips(*decoder, threads,
                  [&](const ImageView& strip, std::uint64_t first_row) { counter->count(strip, first_row); });
    result.histogram = counter->finish();
    take_flags(*decoder, result);
  });
}

}  // namespace gpuhisto
