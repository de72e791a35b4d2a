// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report/fields.hpp"
#include "report/reporters.hpp"

namespace gpuhisto {
namespace {

/// The cells that an input's rows share.
struct RowHead {
  std::string_view file;
  std::string_view status;
  Flags flags;
  std::uint64_t width = 0, height = 0;  ///< 0: absent
};

/// One row a channel; one row without numbers for an input that failed or has none of the channels asked for.
class StatsCsv : public Reporter {
 public:
  StatsCsv(const ReportOptions& options, std::ostream& out) : options_(options), out_(out) {}

  void begin() override {
    if (!options_.header) return;
    std::string text = "file,status,flags,width,height,channel";
    for_each_field(compute_statistics({}, options_.percentiles), options_.percentiles,
                   [&](const Field& field) { (text += ',') += field.name; });
    emit(out_, text += '\n');
  }

  void result(const FileResult& result) override {
    if (options_.total_only || result.status == Status::kSkipped) return;
    const RowHead head{result.input, status_name(result.status), result.flags, result.width, result.height};
    write_rows(head, result.status == Status::kOk ? result.histogram : ImageHistogram());
  }

  void finish(const Total& total, bool with_total) override {
    if (!options_.total_only && !with_total) return;
    write_rows({"", total_status_name(total), Flags()}, total.histogram);
  }

 private:
  void write_rows(const RowHead& head, const ImageHistogram& histogram) {
    std::string text;
    const auto channels = shown_channels(histogram, options_.counting.channels);
    for (const Channel channel : channels) {
      append_head(text, head);
      text += channel_name(channel);
      const auto statistics = statistics_of(histogram[channel], options_);
      for_each_field(statistics, options_.percentiles,
                     [&](const Field& field) { append_value(text += ',', field.value); });
      text += '\n';
    }
    if (channels.empty()) {
      append_head(text, head);
      for_each_field(compute_statistics({}, options_.percentiles), options_.percentiles,
                     [&](const Field&) { text += ','; });
      text += '\n';
    }
    emit(out_, text);
  }

  static void append_head(std::string& text, const RowHead& head) {
    append_csv_field(text, head.file);
    (text += ',') += head.status;
    text += ',';
    bool first = true;
    for (const auto name : head.flags.names()) {
      if (!first) text += ';';
      text += name;
      first = false;
    }
    for (const std::uint64_t side : {head.width, head.height}) {
      text += ',';
      if (side > 0) append_number(text, side);
    }
    text += ',';
  }

  ReportOptions options_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> make_stats_csv(const ReportOptions& options, std::ostream& out) {
  return std::make_unique<StatsCsv>(options, out);
}

}  // namespace gpuhisto
