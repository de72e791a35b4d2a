// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// What the reader of JSON tables holds: its place in the text, what is open there, and the result or total that it
// fills.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "report/table_input.hpp"
#include "report/table_schema.hpp"

namespace gpuhisto {

/// An object or array that is open.
struct Level {
  Place place;
  bool array = false;
  const Rule* next = &kIgnore;  ///< of the value that follows
  std::string key = {};         ///< of that value
  std::size_t index = 0;        ///< in an array
  std::uint64_t seen = 0;       ///< rules met: keys come once
};

/// A result or a total while it is read.
struct Unit {
  std::string input, status;
  std::optional<std::string> exact_input;
  std::optional<std::uint64_t> pixels;
  std::array<std::optional<std::uint64_t>, kChannelCount> counts;
  ChannelSet channels, histograms;  ///< named, and those of them with bins
  bool flagged = false;
  Total total;
};

/// Bins, counts and pixels must agree: what does not, or "". Channels of a total may be of some of its images only.
inline std::string disagreement(const Unit& unit, bool total) {
  for (const Channel channel : kChannels) {
    if (!unit.histograms.has(channel)) continue;
    const std::string name(channel_name(channel));
    const auto sum = checked_sum(unit.total.histogram[channel]);
    if (!sum) return "has counts of " + name + " that add up to more than 2^64 - 1";
    if (unit.counts[static_cast<std::size_t>(channel)].value_or(*sum) != *sum)
      return "has a histogram of " + name + " that does not add up to its count";
    if (total ? *sum > *unit.pixels : *sum != *unit.pixels)
      return "has a histogram of " + name + " that does not fit its pixels";
  }
  return "";
}

inline constexpr std::uint64_t kLongestValue = std::uint64_t{16} << 20;

/// A single-pass iterator over a feed, as nlohmann::json reads them; copies share the position.
class FeedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  explicit FeedIterator(TextFeed* feed) : feed_(feed) {}
  char operator*() const { return static_cast<char>(feed_->peek()); }
  FeedIterator& operator++() {
    feed_->advance();
    if (feed_->steps() > kLongestValue)  // the parser holds it, whether the schema names it or not
      throw Error(ErrorKind::kLimit, "line " + std::to_string(feed_->line()) + ": a value of more than 16 MiB");
    return *this;
  }
  FeedIterator operator++(int) { return ++*this; }
  bool operator==(const FeedIterator& other) const { return at_end() == other.at_end(); }

 private:
  bool at_end() const { return feed_ == nullptr || feed_->peek() == TextFeed::kEnd; }
  TextFeed* feed_;
};

}  // namespace gpuhisto
