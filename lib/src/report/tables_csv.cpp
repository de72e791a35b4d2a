// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <array>
#include <charconv>
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

/// Takes row `value` of a table into it.
void take_row(const RecordReader& reader, const Record& record, std::size_t value, Table& table) {
  if (value == 0) {
    table.input = record[0];
    table.histogram.channels = present(record);
  }
  if (record[0] != table.input || number(reader, record[1], "value") != value)
    reader.fail("not row " + std::to_string(value) + " of \"" + printable_name(table.input) +
                "\": each has rows 0 to 255");
  if (present(record) != table.histogram.channels) reader.fail("not the same channels as in the rows before");
  for (const Channel channel : kChannels)
    if (table.histogram.channels.has(channel))
      table.histogram[channel][value] =
          number(reader, record[kFirstChannel + static_cast<std::size_t>(channel)], "count");
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

}  // namespace

void read_csv_tables(TextFeed& feed, TableSink& tables) {
  RecordReader reader(feed);
  Record record;
  if (!reader.next(record) || joined(record) != kHistHeader)
    reader.fail("not the header \"" + std::string(kHistHeader) + "\"");
  Table table;
  std::size_t rows = 0;
  while (reader.next(record)) {
    take_row(reader, record, rows, table);
    if (++rows < kBins) continue;
    const bool is_total = table.input.empty();
    set_pixels(reader, table.histogram, is_total);
    if (is_total) {
      Total total;
      total.histogram = table.histogram;
      tables.add_total(total);
    } else {
      tables.add(std::move(table));
    }
    table = {};
    rows = 0;
  }
  if (rows > 0)
    reader.fail("the table of \"" + printable_name(table.input) + "\" ends after " + std::to_string(rows) +
                " of 256 rows");
}

}  // namespace gpuhisto
