// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "pipeline/file_result.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>

#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/encoder.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

using Job = std::function<void(const CountOptions&, FileResult&)>;

// One for the process, because the memory that it guards is one too. Shared: within a worker's share. Unique: all of
// it.
std::shared_mutex gate;

FileResult fresh_result(const Input& input, const CountOptions& options) {
  FileResult result;
  result.input = input.name;
  result.device = options.device;
  result.method = options.method;
  return result;
}

void fail(FileResult& result, ErrorKind kind, const std::string& fact) {
  result.status = Status::kError;
  result.error = fact;
  result.error_kind = kind;
  result.histogram = {};
}

/// What `work` throws becomes the result's error.
template <typename Work>
void catch_errors(FileResult& result, Work work) {
  try {
    work();
  } catch (const Error& error) {
    fail(result, error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    fail(result, ErrorKind::kLimit, "not enough memory");
  } catch (const std::exception& error) {
    fail(result, ErrorKind::kInput, error.what());
  }
}

/// What can be opened again, and has the same bytes then.
bool is_file(const std::string& name) {
  std::error_code error;
  return std::filesystem::is_regular_file(name, error);
}

void run_limited(const Input& input, const CountOptions& options, const Job& job, FileResult& result) {
  CountOptions limited = options;
  const auto workers = static_cast<std::uint64_t>(std::max(1, options.workers));
  if (workers > 1 && input.name != "-") {
    std::shared_lock beside_others(gate);
    try {
      limited.decode.max_memory = options.decode.max_memory / workers;
      limited.decode.time_limit = TimeLimit(options.max_seconds);
      job(limited, result);
      return;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kLimit) throw;
      if (!is_file(input.name))
        throw Error(ErrorKind::kLimit, std::string(error.what()) + " for one of " + std::to_string(workers) +
                                           " images at once; -j 1 leaves all of it to one, a pipe is read only once");
    }
    result = fresh_result(input, options);
  }
  limited.decode.max_memory = options.decode.max_memory;
  std::unique_lock alone(gate);
  limited.decode.time_limit = TimeLimit(options.max_seconds);
  job(limited, result);
}

}  // namespace

FileResult run_job(const Input& input, const CountOptions& options, const Job& job) {
  FileResult result = fresh_result(input, options);
  catch_errors(result, [&] { run_limited(input, options, job, result); });
  if (options.strict && result.status == Status::kOk && result.flags.any()) {
    const std::string why = result.notes.empty() ? std::string(result.flags.names().front()) : result.notes.front();
    fail(result, ErrorKind::kInput, why + " (--strict)");
  }
  return result;
}

PendingResult run_pending_job(
    const Input& input, const CountOptions& options,
    const std::function<std::function<void(FileResult&)>(const CountOptions&, FileResult&)>& job) {
  std::function<void(FileResult&)> complete;
  FileResult result = run_job(input, options, [&](const CountOptions& limited, FileResult& fresh) {
    complete = nullptr;  // of a first try
    complete = job(limited, fresh);
  });
  if (!complete || result.status != Status::kOk) return result;
  return {std::move(result), [complete](FileResult& finished) { catch_errors(finished, [&] { complete(finished); }); }};
}

std::unique_ptr<ByteSource> open_input(const Input& input, const CountOptions& options, FileResult& result) {
  if (!input.error.empty()) throw Error(ErrorKind::kIo, input.error);
  std::function<void()> on_wait;
  if (options.on_wait) on_wait = [&] { options.on_wait(input.name); };
  std::unique_ptr<ByteSource> source;
  try {
    source = open_file(input.name, on_wait, options.decode.time_limit);
  } catch (const Error&) {
    std::error_code ignored;
    if (std::filesystem::is_directory(input.name, ignored))
      throw Error(ErrorKind::kIo, "is a folder; -r reads the images below it");
    throw;
  }
  if (!input.from_folder || is_image(*source)) return source;
  // What is left of an image whose download or copy broke off at once.
  if (source->peek().empty() && format_from_extension(input.name)) throw Error(ErrorKind::kInput, "the file is empty");
  result.status = Status::kSkipped;
  result.error = "not an image";
  return nullptr;
}

void take_info(const Decoder& decoder, FileResult& result) {
  result.width = decoder.info().width;
  result.height = decoder.info().height;
  result.frames = decoder.info().frames;
}

void take_flags(const Decoder& decoder, FileResult& result) {
  result.flags.merge(decoder.flags());
  result.notes.insert(result.notes.end(), decoder.notes().begin(), decoder.notes().end());
  result.frames = decoder.info().frames;
}

}  // namespace gpuhisto
