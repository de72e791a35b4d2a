// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpuhisto/bar_chart.hpp"
#include "gpuhisto/bench.hpp"

namespace gpuhisto::bench {

/// Where and how a run was made.
struct Environment {
  std::string version;               ///< of gpuhisto
  std::vector<std::string> command;  ///< the arguments
  std::uint64_t seed = 0;
  int threads = 1;
  std::vector<TargetInfo> machines;
};

/// Writes groups in the order given, each as soon as it is given.
class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void begin(const Environment& environment) = 0;  ///< first, once
  virtual void group(const Group& group) = 0;              ///< each, as soon as it is measured
  virtual void finish(bool complete) = 0;                  ///< last, once: was all measured?
};
/// Aligned tables of at most 120 columns, one an input.
std::unique_ptr<Reporter> make_text_reporter(std::ostream& out);
/// One row a line of a group, always with the same columns.
std::unique_ptr<Reporter> make_csv_reporter(std::ostream& out);
/// One document: schema, environment, results.
std::unique_ptr<Reporter> make_json_reporter(std::ostream& out);

/// All groups in one chart: a row a method, in it a bar an input, as long as bytes per second (on an emulated device:
/// global atomics per pixel), with the fastest reading as the limit. Groups without times have no place beside others.
BarChart make_chart(std::span<const Group> groups);

/// What a reader should know before trusting the figures, and what to do about it: one sentence each.
std::vector<std::string> warnings(const Group& group);

/// "uniform, 16777216 gray pixels (16 MiB)"
std::string describe_input(const Group& group);
/// "per-block: bin 7 of red has 12, not 13" for a line whose method counted wrong.
std::string describe_mismatch(const Line& line);

}  // namespace gpuhisto::bench
