// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "report/fields.hpp"
#include "report/table_input.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kFirstChannel = 2, kFields = kFirstChannel + kChannelCount;
using Record = std::array<std::string, kFields>;

/// One RFC 4180 record after another; lines may end in LF or CR LF.
class RecordReader {
 public:
  explicit RecordReader(TextFeed& feed) : feed_(feed) {}

  /// False at the end of the file.
  bool next(Record& record) {
    if (feed_.peek() == TextFeed::kEnd) return false;
    line_ = feed_.line();
    for (std::size_t i = 0; i < kFields; ++i) {
      record[i].clear();
      feed_.peek() == '"' ? read_quoted(record[i]) : read_plain(record[i]);
      if (i + 1 < kFields) step(',', i);
    }
    end_line();
    return true;
  }
  [[noreturn]] void fail(const std::string& fact) const { TextFeed::fail_at(line_, fact); }

 private:
  void read_plain(std::string& field) {
    for (int c = feed_.peek(); c != ',' && c != '\n' && c != '\r' && c != TextFeed::kEnd; c = feed_.peek()) {
      if (c == '"') fail("a quote inside an unquoted field");
      field += static_cast<char>(c);
      feed_.advance();
    }
  }

  void read_quoted(std::string& field) {
    feed_.advance();
    for (;;) {
      const int c = feed_.peek();
      if (c == TextFeed::kEnd) fail("a quote that is never closed");
      feed_.advance();
      if (c == '"') {
        if (feed_.peek() != '"') return;
        feed_.advance();
      }
      field += static_cast<char>(c);
    }
  }

  void step(char separator, std::size_t field) {
    if (feed_.peek() != separator)
      fail("field " + std::to_string(field + 1) + " of " + std::to_string(kFields) + " is not followed by a comma");
    feed_.advance();
  }

  void end_line() {
    if (feed_.peek() == '\r') feed_.advance();
    if (feed_.peek() == TextFeed::kEnd) return;
    if (feed_.peek() != '\n') fail("more than " + std::to_string(kFields) + " fields");
    feed_.advance();
  }

  TextFeed& feed_;
  std::uint64_t line_ = 1;
};

std::uint64_t number(const RecordReader& reader, const std::string& text, const char* what) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    reader.fail(std::string(what) + " \"" + printable_name(text.substr(0, 40)) + "\" is no whole number below 2^64");
  return value;
}

/// Which channels a row has a count for.
ChannelSet present(const Record& record) {
  ChannelSet set;
  for (const Channel channel : kChannels)
    if (!record[kFirstChannel + static_cast<std::size_t>(channel)].empty()) set.set(channel);
  return set;
}

/// All channels of an input count the same pixels; those of a total need not.
void set_pixels(const RecordReader& reader, ImageHistogram& histogram, bool total) {
  bool first = true;
  for (const Channel channel : kChannels) {
    if (!histogram.channels.has(channel)) continue;
    const auto sum = checked_sum(histogram[channel]);
    if (!sum) reader.fail("the counts of " + std::string(channel_name(channel)) + " add up to more than 2^64 - 1");
    if (!first && !total && *sum != histogram.pixels) reader.fail("channels of one input with different sums");
    histogram.pixels = std::max(histogram.pixels, *sum);
    first = false;
  }
}

std::string joined(const Record& record) {
  std::string text;
  for (const std::string& field : record) (text += text.empty() ? "" : ",") += field;
  return text;
}

/// How many bins the tables of a file have: what their values, the first levels of the bins, leave possible.
struct PossibleBins {
  std::size_t least = 1, most = kBins;

  bool known() const { return least == most; }
  /// False when no number of bins has this value in this row.
  bool narrow(std::size_t row, std::uint64_t value) {
    if (row == 0 || value == 0) return row == value;
    if (row >= most || value >= kBins) return false;
    const std::size_t level = static_cast<std::size_t>(value), share = row * kBins;
    least = std::max(least, (share + level - 1) / level);
    if (level > 1) most = std::min(most, (share - 1) / (level - 1));
    return least <= most;
  }
};

/// Takes rows, and gives each table once it is whole.
class RowTables {
 public:
  RowTables(const RecordReader& reader, TableSink& tables) : reader_(reader), tables_(tables) {}

  void take(const Record& record) {
    const std::uint64_t value = number(reader_, record[1], "value");
    if (value == 0 && rows_ > 0 && !bins_.known()) end_table();
    if (rows_ == 0) {
      table_.input = record[0];
      table_.histogram.channels = present(record);
    }
    const bool levels = bins_.least == kBins;
    if (record[0] != table_.input || !bins_.narrow(rows_, value))
      reader_.fail("not row " + std::to_string(rows_) + " of " + name() + ": each has " +
                   (levels ? "rows 0 to 255" : "the first levels of equal bins"));
    if (present(record) != table_.histogram.channels) reader_.fail("not the same channels as in the rows before");
    for (const Channel channel : kChannels)
      if (table_.histogram.channels.has(channel))
        table_.histogram[channel][static_cast<std::size_t>(value)] =
            number(reader_, record[kFirstChannel + static_cast<std::size_t>(channel)], "count");
    if (++rows_ == bins_.least && bins_.known()) end_table();
  }

  void finish() {
    if (rows_ > 0) end_table();
  }

 private:
  std::string name() const { return '"' + printable_name(table_.input) + '"'; }

  /// A single row is more likely the first of a table cut short than one of a single bin.
  void end_table() {
    if (rows_ < std::max<std::size_t>(2, bins_.least) || rows_ > bins_.most)
      reader_.fail("the table of " + name() + " ends after " + std::to_string(rows_) + " of " +
                   std::to_string(bins_.most) + " rows");
    bins_ = {rows_, rows_};  // of the next ones too
    Counting counting;
    counting.bins = rows_;
    tables_.set_counting(counting);
    const bool is_total = table_.input.empty();
    set_pixels(reader_, table_.histogram, is_total);
    if (is_total) {
      Total total;
      total.histogram = table_.histogram;
      tables_.add_total(total);
    } else {
      tables_.add(std::move(table_));
    }
    table_ = {};
    rows_ = 0;
  }

  const RecordReader& reader_;
  TableSink& tables_;
  PossibleBins bins_;
  Table table_;
  std::size_t rows_ = 0;
};

}  // namespace

void read_csv_tables(TextFeed& feed, TableSink& tables) {
  RecordReader reader(feed);
  Record record;
  if (!reader.next(record) || joined(record) != kHistHeader)
    reader.fail("not the header \"" + std::string(kHistHeader) + "\"");
  RowTables rows(reader, tables);
  while (reader.next(record)) rows.take(record);
  rows.finish();
}

}  // namespace gpuhisto
