// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "core/memory_limit.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/mask.hpp"
#include "gpuhisto/pipeline.hpp"
#include "pipeline/file_counter.hpp"
#include "pipeline/file_result.hpp"
#include "pipeline/strips.hpp"

namespace gpuhisto {

namespace {

/// Returns what has yet to be done.
std::function<void(FileResult&)> count(ByteSource& source, const CountOptions& options, int threads,
                                       FileResult& result) {
  const auto decoder = open_decoder(source, options.decode);
  take_info(*decoder, result);
  const ImageInfo& info = decoder->info();
  check_selection(options.spec.predicate, info);
  check_max_memory("decoding", info.memory + strip_memory(info), options.decode.max_memory);
  FileCounter counter(options, info.channels, options.spec, consumer_threads(info, threads));
  stream_strips(*decoder, threads, counter.histogrammer());
  take_flags(*decoder, result);
  return counter.finish_later(result);
}

}  // namespace

PendingResult count_file_later(const Input& input, const CountOptions& options, int threads) {
  return run_pending_job(input, options,
                         [&](const CountOptions& limited, FileResult& result) -> std::function<void(FileResult&)> {
                           const auto source = open_input(input, limited, result);
                           return source ? count(*source, limited, threads, result) : nullptr;
                         });
}

PendingResult count_or_read_later(const Input& input, const CountOptions& options, int threads) {
  return run_pending_job(input, options,
                         [&](const CountOptions& limited, FileResult& result) -> std::function<void(FileResult&)> {
                           const auto source = open_input(input, limited, result);
                           if (!source) return nullptr;
                           if (input.from_folder || !is_table(*source)) return count(*source, limited, threads, result);
                           result.tables = std::make_shared<TableFile>(read_tables(*source, limited.decode.max_memory));
                           if (std::string note = result.tables->incomplete(); !note.empty())
                             result.notes.push_back(std::move(note));
                           result.device = result.method = "cpu";
                           return nullptr;
                         });
}

FileResult count_file(const Input& input, const CountOptions& options, int threads) {
  return count_file_later(input, options, threads).take();
}

FileResult count_source(ByteSource& source, const std::string& name, const CountOptions& options, int threads) {
  CountOptions alone = options;
  alone.workers = 1;
  return run_pending_job(
             {.name = name, .error = {}, .relative = {}}, alone,
             [&](const CountOptions& limited, FileResult& result) { return count(source, limited, threads, result); })
      .take();
}

}  // namespace gpuhisto
