// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <string_view>

#include "core/memory_limit.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/error.hpp"
#include "report/fields.hpp"
#include "report/table_input.hpp"

namespace gpuhisto {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // spreadsheets put it before what they save

std::string_view text_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Enough to tell a table by, without the mark.
std::string_view first_bytes(ByteSource& source) {
  std::string_view text = text_of(source.peek(kByteOrderMark.size() + kHistHeader.size()));
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

/// Also with the separators of some spreadsheets: the reader's complaint is about them, not about an image.
bool looks_like_csv(std::string_view bytes) {
  const auto alike = [](char expected, char c) {
    return c == expected || (expected == ',' && (c == ';' || c == '\t'));
  };
  return bytes.size() >= kHistHeader.size() && std::equal(kHistHeader.begin(), kHistHeader.end(), bytes.begin(), alike);
}

bool looks_like_json(std::string_view bytes) {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  return start != bytes.npos && bytes[start] == '{';
}

}  // namespace

void TextFeed::fail_at(std::uint64_t line, const std::string& fact) {
  throw Error(ErrorKind::kInput, "line " + std::to_string(line) + ": " + fact);
}

bool TextFeed::fill() {
  source_.consume(chunk_.size());
  chunk_ = {};  // so that a second call at the end consumes nothing
  at_ = 0;
  chunk_ = source_.peek(read_ == 0 ? kByteOrderMark.size() : 1);
  if (read_ == 0 && text_of(chunk_).starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  read_ += chunk_.size();
  check_max_memory("the table", read_, max_bytes_);
  return at_ < chunk_.size();
}

void TableCollector::set_counting(const Counting& counting) {
  if (counting_ && *counting_ != counting) throw Error(ErrorKind::kInput, "differs from the counting before it");
  counting_ = counting;
}

void TableCollector::add(Table&& table) {
  held_ += sizeof(Table) + kChannelCount * sizeof(Histogram) + table.input.size();
  check_max_memory("the table", held_, max_bytes_);
  file_.tables.push_back(std::move(table));
}

void TableCollector::add_total(const Total& total) {
  if (!file_.total) file_.total.emplace();
  add_to(*file_.total, total);
}

void add_to(Total& sum, const Total& part) {
  for (const auto count : {&Total::ok, &Total::failed, &Total::flagged, &Total::skipped})
    if (__builtin_add_overflow(sum.*count, part.*count, &(sum.*count)))
      throw Error(ErrorKind::kLimit, "a total of more than 2^64 - 1 files");
  add_to(sum.histogram, part.histogram);
  sum.incomplete |= part.incomplete;
}

ImageHistogram sum_of(const TableFile& file) {
  ImageHistogram sum;
  for (const Table& table : file.tables) add_to(sum, table.histogram);
  return sum;
}

TableFile TableCollector::finish() {
  file_.counting = counting_.value_or(Counting());
  const bool bare = std::all_of(file_.tables.begin(), file_.tables.end(),
                                [](const Table& table) { return table.histogram.channels.empty(); });
  if (bare && file_.total && !file_.total->histogram.channels.empty()) file_.tables = {{"", file_.total->histogram}};
  if (file_.tables.empty()) throw Error(ErrorKind::kInput, "holds no histogram");
  return std::move(file_);
}

std::optional<std::uint64_t> checked_sum(const Histogram& bins) {
  std::uint64_t sum = 0;
  for (const std::uint64_t bin : bins)
    if (__builtin_add_overflow(sum, bin, &sum)) return std::nullopt;
  return sum;
}

bool is_table(ByteSource& source) {
  const std::string_view bytes = first_bytes(source);
  return looks_like_json(bytes) || looks_like_csv(bytes);
}

bool is_json_table(ByteSource& source) { return looks_like_json(first_bytes(source)); }

TableFile read_tables(ByteSource& source, std::uint64_t max_bytes) {
  const bool json = is_json_table(source);
  TextFeed feed(source, max_bytes);
  TableCollector tables(max_bytes);
  json ? read_json_tables(feed, tables) : read_csv_tables(feed, tables);
  TableFile file = tables.finish();
  file.counting_told = json;
  return file;
}

}  // namespace gpuhisto
