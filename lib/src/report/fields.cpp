// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report/fields.hpp"

#include <array>
#include <charconv>
#include <numeric>
#include <ostream>

namespace gpuhisto {
namespace {

template <class Number>
void append_text(std::string& out, Number number) {
  char text[32];  // the longest double is 24 characters
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  out.append(text, static_cast<std::size_t>(end - text));
}

}  // namespace

void append_number(std::string& out, std::uint64_t number) { append_text(out, number); }

void append_value(std::string& out, const Value& value) {
  std::visit(
      [&](auto number) {
        if constexpr (!std::is_same_v<decltype(number), std::monostate>) append_text(out, number);
      },
      value);
}

std::string_view status_name(Status status) {
  constexpr std::string_view kNames[] = {"ok", "error", "skipped"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string_view total_status_name(const Total& total) {
  if (total.incomplete) return "incomplete";
  if (total.failed > 0) return status_name(Status::kError);
  const bool partial = total.shard && total.shard->indexes.size() < total.shard->count;
  return partial ? "partial" : status_name(Status::kOk);
}

ChannelStatistics statistics_of(const Histogram& histogram, const ReportOptions& options) {
  if (options.statistics) return compute_statistics(histogram, options.percentiles);
  ChannelStatistics count_alone = compute_statistics({}, options.percentiles);
  count_alone.count = std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0});
  return count_alone;
}

std::vector<Channel> shown_channels(const ImageHistogram& histogram, ChannelSet wanted) {
  const ChannelSet shown = histogram.channels & wanted;
  std::vector<Channel> list;
  for (const Channel channel : kChannels)
    if (shown.has(channel)) list.push_back(channel);
  return list;
}

ReportOptions with_defaults(ReportOptions options) {
  if (options.percentiles.empty()) options.percentiles = parse_percentiles("1,5,95,99");
  return options;
}

std::string roi_text(const Rectangle& roi) {
  std::string text = std::to_string(roi.x);
  for (const std::uint64_t more : {roi.y, roi.width, roi.height}) append_number(text += ',', more);
  return text;
}

std::optional<Rectangle> roi_of_text(std::string_view text) {
  std::array<std::uint64_t, 4> numbers{};
  const char *at = text.data(), *const end = at + text.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0 && (at == end || *at++ != ',')) return std::nullopt;
    const auto [rest, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc()) return std::nullopt;
    at = rest;
  }
  if (at != end || numbers[2] == 0 || numbers[3] == 0) return std::nullopt;
  return Rectangle{numbers[0], numbers[1], numbers[2], numbers[3]};
}

void append_csv_field(std::string& out, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == field.npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void emit(std::ostream& out, std::string_view piece) {
  out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  out.flush();
}

}  // namespace gpuhisto
