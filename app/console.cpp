// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "console.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "gpuhisto/encoder.hpp"

namespace gpuhisto::app {
namespace {

constexpr auto kFirstDraw = std::chrono::milliseconds(500);
constexpr auto kRedraw = std::chrono::milliseconds(100);

/// Waits for room in a full pipe, one that does not block too: whoever started the program may have made it so.
void write_stderr(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n < 0 && errno == EAGAIN) {
      struct pollfd room = {STDERR_FILENO, POLLOUT, 0};
      if (::poll(&room, 1, -1) < 0 && errno != EINTR) return;
    } else if (n == 0 || errno != EINTR) {
      return;  // nowhere left to complain
    }
  }
}

std::string shown(const std::string& name) {
  if (name.empty()) return "''";
  return name == "-" ? "standard input" : printable_name(name);
}

/// "HEIC": a photo or another picture by its name's extension, of a kind that no decoder here reads; else "".
std::string unread_kind(const std::string& name) {
  constexpr std::string_view kKinds[] = {"3fr", "arw",  "avif", "cr2", "cr3", "crw", "dds", "dng", "erf", "exr", "fff",
                                         "hdr", "heic", "heif", "hif", "ico", "iiq", "j2k", "jp2", "jpf", "jpx", "jxl",
                                         "jxr", "kdc",  "mos",  "mrw", "nef", "nrw", "orf", "pcx", "pef", "qoi", "raf",
                                         "raw", "rw2",  "sr2",  "srf", "srw", "svg", "wdp", "x3f", "xcf"};
  std::string extension = std::filesystem::path(name).extension().string().substr(0, 5);
  if (extension.empty()) return "";
  extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (std::find(std::begin(kKinds), std::end(kKinds), extension) == std::end(kKinds)) return "";
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return extension;
}

/// The terminal's own width follows its window; COLUMNS serves where there is no terminal.
std::size_t columns() {
  constexpr std::size_t kUsual = 80;
  struct winsize size {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* text = std::getenv("COLUMNS");
  const long number = text ? std::strtol(text, nullptr, 10) : 0;
  return number > 0 ? static_cast<std::size_t>(number) : kUsual;
}

}  // namespace

void tell_no_memory() noexcept {
  constexpr std::string_view kText = "gpuhisto: not enough memory\n";
  if (::write(STDERR_FILENO, kText.data(), kText.size()) < 0) return;  // nowhere left to complain
}

bool color_allowed(int fd) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* set = std::getenv("TERM");
  const std::string_view term = set ? set : "";
  const bool plain = term.empty() || term == "dumb" || term.starts_with("vt");
  return ::isatty(fd) && !(no_color && *no_color) && !plain;
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
  if (result.status == Status::kSkipped) {
    const std::string cause = "skipped: " + result.error;
    // A download that is an error page, a photo of a kind that is not read: who named it so expects it to count.
    if (format_from_extension(result.input)) return warning(result.input, cause + ", though its name says so");
    if (const std::string kind = unread_kind(result.input); !kind.empty())
      return warning(result.input, "skipped: " + kind + " is not read");
    return detail(shown(result.input) + ": " + cause);
  }
  for (const auto& note : result.notes) warning(result.input, note);
}

void Console::line(const std::string& text) {
  std::lock_guard lock(mutex_);
  erase();
  write_stderr("gpuhisto: " + text + "\n");
}

void Console::start_progress(std::optional<std::uint64_t> count) {
  std::lock_guard lock(mutex_);
  progress_ = {};
  progress_.count = count;
  ever_drawn_ = false;
  running_ = true;
  start_ = last_ = Clock::now();
}

void Console::set_progress_count(std::uint64_t count) {
  std::lock_guard lock(mutex_);
  progress_.count = count;
  if (drawn_) draw();
}

void Console::advance(const FileResult& result) {
  std::lock_guard lock(mutex_);
  switch (result.status) {
    case Status::kOk:
      ++progress_.ok;
      if (result.flags.any()) ++progress_.flagged;
      progress_.pixels += result.histogram.pixels;
      break;
    case Status::kError:
      ++progress_.failed;
      break;
    case Status::kSkipped:
      ++progress_.skipped;
  }
  if (!draws_) return;
  const auto now = Clock::now();
  const bool due = options_.progress == ProgressMode::kAlways || now - start_ >= kFirstDraw;
  if (due && (!ever_drawn_ || now - last_ >= kRedraw)) {
    last_ = now;
    draw();
  }
}

void Console::draw() {
  progress_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  // The last column stays free: in it, some terminals begin a new line.
  write_stderr("\r\x1b[K" + progress_line(progress_, columns() - 1));
  drawn_ = ever_drawn_ = true;
}

void Console::hide_progress() {
  std::lock_guard lock(mutex_);
  erase();
}

void Console::erase() {
  if (drawn_) write_stderr("\r\x1b[K");
  drawn_ = false;
}

void Console::end_progress() {
  std::lock_guard lock(mutex_);
  erase();
  if (!std::exchange(running_, false) || options_.quiet || progress_.done() < 2) return;
  progress_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (ever_drawn_ || options_.verbose) write_stderr("gpuhisto: " + summary_line(progress_) + "\n");
}

}  // namespace gpuhisto::app
