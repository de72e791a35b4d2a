// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "gpuhisto/report.hpp"
#include "progress_line.hpp"

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

  /// The progress bar: `count` inputs where their number is known. It ends with a line that sums the batch up, where
  /// the bar was drawn or with --verbose.
  void start_progress(std::optional<std::uint64_t> count);
  /// The number of inputs, once it is known.
  void set_progress_count(std::uint64_t count);
  bool draws_progress() const { return draws_; }
  void advance(const FileResult& result);
  /// Before something else is written to the terminal that the bar is on.
  void hide_progress();
  void end_progress();

 private:
  using Clock = std::chrono::steady_clock;
  void line(const std::string& text);
  void draw();
  void erase();

  ConsoleOptions options_;
  bool draws_ = false, drawn_ = false, ever_drawn_ = false, running_ = false;
  std::mutex mutex_;
  Progress progress_;
  Clock::time_point start_, last_;
};

/// "gpuhisto: not enough memory", which needs none, at any moment.
void tell_no_memory() noexcept;

/// Decided once: may this stream carry colour? A terminal, NO_COLOR unset or empty, TERM not "dumb".
bool color_allowed(int fd);

}  // namespace gpuhisto::app
