// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/pipeline.hpp"

namespace gpuhisto {

/// Decodes a whole image, gray if the options want it so, and equalises it by tiles. `limited` has this image's share
/// of the memory, which check_max_memory() has found to suffice for the CPU.
Image decode_clahe(Decoder& decoder, const MapFileOptions& options, const CountOptions& limited, int threads,
                   FileResult& result, Change& change);

}  // namespace gpuhisto
