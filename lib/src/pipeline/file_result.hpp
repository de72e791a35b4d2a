// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "gpuhisto/pipeline.hpp"

namespace gpuhisto {

/// What every job on one input shares: exceptions become the result's error, --strict is applied, and memory is limited
/// so that all images in flight stay within options.decode.max_memory. A job first runs with one worker's share, beside
/// others; if that, or open files, are not enough, again with all of it, alone. Standard input cannot be read twice: it
/// runs alone at once. `job` gets `options` with decode.max_memory set to its limit, and a fresh result to fill.
FileResult run_job(const Input& input, const CountOptions& options,
                   const std::function<void(const CountOptions& options, FileResult& result)>& job);

/// The same for a job that leaves something to be done later, by `complete`; null: nothing. What that throws becomes
/// the result's error too.
PendingResult run_pending_job(
    const Input& input, const CountOptions& options,
    const std::function<std::function<void(FileResult&)>(const CountOptions& options, FileResult& result)>& job);

/// Opens the input. Null, with the result marked as skipped, for a file met in a folder that is no image.
std::unique_ptr<ByteSource> open_input(const Input& input, const CountOptions& options, FileResult& result);

/// Copies what the decoder knows before its first row, and after its last.
void take_info(const Decoder& decoder, FileResult& result);
void take_flags(const Decoder& decoder, FileResult& result);

}  // namespace gpuhisto
