// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/pipeline.hpp"
#include "pipeline/file_result.hpp"
#include "pipeline/make_counter.hpp"
#include "pipeline/strips.hpp"

namespace gpuhisto {

namespace {

void count(ByteSource& source, const CountOptions& options, int threads, FileResult& result) {
  const auto decoder = open_decoder(source, options.decode);
  take_info(*decoder, result);
  const ImageInfo& info = decoder->info();
  const auto counter = make_counter(options, info.channels, options.spec, consumer_threads(info, threads), result);
  stream_strips(*decoder, threads,
                [&](const ImageView& strip, std::uint64_t first_row) { counter->count(strip, first_row); });
  result.histogram = counter->finish();
  take_flags(*decoder, result);
}

}  // namespace

FileResult count_file(const Input& input, const CountOptions& options, int threads) {
  return run_job(input, options, [&](const CountOptions& limited, FileResult& result) {
    if (const auto source = open_input(input, limited, result)) count(*source, limited, threads, result);
  });
}

FileResult count_source(ByteSource& source, const std::string& name, const CountOptions& options, int threads) {
  CountOptions alone = options;
  alone.workers = 1;
  return run_job({.name = name, .error = {}, .relative = {}}, alone,
                 [&](const CountOptions& limited, FileResult& result) { count(source, limited, threads, result); });
}

}  // namespace gpuhisto
