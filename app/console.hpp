// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "gpuhisto/report.hpp"

namespace gpuhisto::app {

enum class ProgressMode { kAuto, kAlways, kNever };

struct ConsoleOptions {
  bool quiet = false;  ///< errors only
  bool verbose = false;
  ProgressMode progress = ProgressMode::kAuto;
};

/// Standard error: messages of one line, `gpuhisto: NAME: cause`, and the progress bar below them. Thread-safe.
class Console {
 public:
  explicit Console(const ConsoleOptions& options);
  ~Console();

  void error(const std::string& name, const std::string& cause);
  void error(const std::string& cause);
  void warning(const std::string& name, const std::string& cause);  ///< not with --quiet
  void note(const std::string& text);                               ///< not with --quiet
  void detail(const std::string& text);                             ///< only with --verbose
  /// The result's error, or a line for each of its notes.
  void tell(const FileResult& result);

  /// The progress bar: `total` inputs where their number is known.
  void start_progress(std::optional<std::uint64_t> total);
  void advance(std::uint64_t pixels, bool failed);
  void end_progress();

 private:
  using Clock = std::chrono::steady_clock;
  void line(const std::string& text);
  void draw();
  void erase();

  ConsoleOptions options_;
  bool draws_ = false;
  bool drawn_ = false;
  std::mutex mutex_;
  std::optional<std::uint64_t> total_;
  std::uint64_t done_ = 0, failed_ = 0, pixels_ = 0;
  Clock::time_point start_, last_;
};

/// Decided once: may this stream carry colour? A terminal, NO_COLOR unset or empty, TERM not "dumb".
bool color_allowed(int fd);

}  // namespace gpuhisto::app
