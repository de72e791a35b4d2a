// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "console.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gpuhisto::app {
namespace {

constexpr auto kFirstDraw = std::chrono::milliseconds(500);
constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr int kBarWidth = 24;

void write_stderr(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (n <= 0) return;  // nowhere left to complain
    done += static_cast<std::size_t>(n);
  }
}

std::string shown(const std::string& name) {
  if (name.empty()) return "''";
  return name == "-" ? "standard input" : printable_name(name);
}

std::string bar(double share) {
  const int full = static_cast<int>(share * kBarWidth);
  return "[" + std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(kBarWidth - full), '.') + "] ";
}

std::string duration(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  char text[32];
  if (s >= 3600)
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  else
    std::snprintf(text, sizeof text, "%ld:%02ld", s / 60, s % 60);
  return text;
}

}  // namespace

bool color_allowed(int fd) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(fd) && !(no_color && *no_color) && !(term && std::strcmp(term, "dumb") == 0);
}

Console::Console(const ConsoleOptions& options) : options_(options) {
  draws_ = options.progress == ProgressMode::kAlways ||
           (options.progress == ProgressMode::kAuto && !options.quiet && ::isatty(STDERR_FILENO));
}

Console::~Console() { end_progress(); }

void Console::error(const std::string& name, const std::string& cause) { line(shown(name) + ": " + cause); }
void Console::error(const std::string& cause) { line(cause); }
void Console::warning(const std::string& name, const std::string& cause) {
  if (!options_.quiet) line(shown(name) + ": " + cause);
}
void Console::note(const std::string& text) {
  if (!options_.quiet) line(text);
}
void Console::detail(const std::string& text) {
  if (options_.verbose) line(text);
}

void Console::tell(const FileResult& result) {
  if (result.status == Status::kError && result.error_kind == ErrorKind::kBrokenPipe) return;
  if (result.status == Status::kError) return error(result.input, result.error);
  if (result.status == Status::kSkipped) return detail(shown(result.input) + ": skipped: " + result.error);
  for (const auto& note : result.notes) warning(result.input, note);
}

void Console::line(const std::string& text) {
  std::lock_guard lock(mutex_);
  erase();
  write_stderr("gpuhisto: " + text + "\n");
}

void Console::start_progress(std::optional<std::uint64_t> total) {
  std::lock_guard lock(mutex_);
  total_ = total;
  done_ = failed_ = pixels_ = 0;
  start_ = last_ = Clock::now();
}

void Console::advance(std::uint64_t pixels, bool failed) {
  std::lock_guard lock(mutex_);
  ++done_;
  failed_ += failed ? 1 : 0;
  pixels_ += pixels;
  if (!draws_) return;
  const auto now = Clock::now();
  const bool due = options_.progress == ProgressMode::kAlways || now - start_ >= kFirstDraw;
  if (due && (!drawn_ || now - last_ >= kRedraw)) {
    last_ = now;
    draw();
  }
}

void Console::draw() {
  const double seconds = std::max(1e-3, std::chrono::duration<double>(Clock::now() - start_).count());
  std::string text = "\r\x1b[K";
  char numbers[160];
  if (total_ && *total_ > 0) {
    const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(*total_));
    text += bar(share);
    std::snprintf(numbers, sizeof numbers, "%llu/%llu", static_cast<unsigned long long>(done_),
                  static_cast<unsigned long long>(*total_));
  } else {
    std::snprintf(numbers, sizeof numbers, done_ == 1 ? "%llu file" : "%llu files",
                  static_cast<unsigned long long>(done_));
  }
  text += numbers;
  std::snprintf(numbers, sizeof numbers, "  %.0f files/s  %.0f Mpix/s", static_cast<double>(done_) / seconds,
                static_cast<double>(pixels_) / seconds / 1e6);
  text += numbers;
  if (failed_ > 0) text += "  " + std::to_string(failed_) + " failed";
  if (total_ && done_ > 0 && *total_ > done_)
    text += "  " + duration(seconds / static_cast<double>(done_) * static_cast<double>(*total_ - done_)) + " left";
  write_stderr(text);
  drawn_ = true;
}

void Console::erase() {
  if (drawn_) write_stderr("\r\x1b[K");
  drawn_ = false;
}

void Console::end_progress() {
  std::lock_guard lock(mutex_);
  erase();
}

}  // namespace gpuhisto::app
