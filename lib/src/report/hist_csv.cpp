// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/bins.hpp"
#include "report/fields.hpp"
#include "report/reporters.hpp"

namespace gpuhisto {
namespace {

/// A row a bin and input, all channels side by side; nothing for an input that failed (its row would look like counts).
class HistCsv : public Reporter {
 public:
  HistCsv(const ReportOptions& options, std::ostream& out) : options_(options), out_(out) {}

  void begin() override {
    if (options_.header) emit(out_, std::string(kHistHeader) + '\n');
  }
  void result(const FileResult& result) override {
    if (!options_.total_only && result.status == Status::kOk) write_table(result.input, result.histogram);
  }
  void finish(const Total& total, bool with_total) override {
    if (total.incomplete) return;  // nothing in its rows could say so
    if (options_.total_only || with_total) write_table("", total.histogram);
  }

 private:
  void write_table(std::string_view file, const ImageHistogram& histogram) {
    std::string name, text;
    append_csv_field(name, file);
    const ChannelSet shown = histogram.channels & options_.counting.channels;
    const std::size_t bins = options_.counting.bins;
    std::array<std::vector<std::uint64_t>, kChannelCount> counts;
    for (std::size_t c = 0; c < kChannelCount; ++c) counts[c] = bin_counts(histogram[kChannels[c]], bins);
    std::array<std::uint64_t, kChannelCount> sums{};
    for (std::size_t bin = 0; bin < bins; ++bin) {
      text += name;
      append_number(text += ',', first_level(bin, bins));
      for (std::size_t c = 0; c < kChannelCount; ++c) {
        text += ',';
        if (!shown.has(kChannels[c])) continue;
        sums[c] = counts[c][bin] + (options_.cumulative ? sums[c] : 0);
        append_number(text, sums[c]);
      }
      text += '\n';
    }
    emit(out_, text);
  }

  ReportOptions options_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> make_hist_csv(const ReportOptions& options, std::ostream& out) {
  return std::make_unique<HistCsv>(options, out);
}

}  // namespace gpuhisto
