// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gpuhisto::app {

/// How far a batch has come.
struct Progress {
  std::optional<std::uint64_t> count;  ///< inputs in all, where it is known
  std::uint64_t ok = 0, failed = 0, flagged = 0, skipped = 0, pixels = 0;
  double seconds = 0;
  std::uint64_t done() const { return ok + failed + skipped; }
};

/// One line of at most `columns` characters: what matters least is left out where they are few, the bar takes what is
/// left over.
std::string progress_line(const Progress& progress, std::size_t columns);
/// "400 files: 395 ok (3 flagged), 2 failed, 3 skipped; 1234.5 Mpix in 12.3 s: 32.5 files/s, 100.4 Mpix/s"
std::string summary_line(const Progress& progress);

}  // namespace gpuhisto::app
