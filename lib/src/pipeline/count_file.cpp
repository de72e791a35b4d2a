// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/pipeline.hpp"
#include "pipeline/file_result.hpp"

namespace gpuhisto {

FileResult count_file(const Input& input, const CountOptions& options, int threads) {
  return run_job(input, options, [&](const CountOptions& limited, FileResult& result) {
    const auto source = open_input(input, limited, result);
    if (!source) return;
    const auto decoder = open_decoder(*source, limited.decode);
    take_info(*decoder, result);
    result.histogram = count_rows(*decoder, limited.spec, threads);
    take_flags(*decoder, result);
  });
}

}  // namespace gpuhisto
