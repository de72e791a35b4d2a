// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

#include "gpuhisto/report.hpp"

namespace gpuhisto {

/// Compares with tests/report/golden/<name>.txt, byte for byte. GPUHISTO_UPDATE_GOLDENS=1 writes the file instead and
/// fails, so that an update is never mistaken for a pass.
void expect_golden(const std::string& name, const std::string& actual);

/// A small image of that many channels whose counts differ from level to level and from channel to channel.
ImageHistogram sample_histogram(int channels);
/// Every kind of outcome: gray, gray+alpha, RGB, RGBA, odd names, flags, an error, a skipped file, no counted pixels.
std::vector<FileResult> sample_results();

enum class Command { kStats, kHist };
/// The report of `results` as the program would give it.
std::string render(Command command, ReportFormat format, const ReportOptions& options,
                   const std::vector<FileResult>& results);

}  // namespace gpuhisto
