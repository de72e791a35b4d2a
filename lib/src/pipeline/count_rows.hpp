// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto {

/// Counts all rows that a decoder gives, strip by strip. With two threads or more, the calling thread decodes and the
/// others count the strip before.
ImageHistogram count_rows(Decoder& decoder, const CountSpec& spec, int threads);

}  // namespace gpuhisto
