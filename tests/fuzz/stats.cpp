// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The whole way of `stats` and `hist`: any bytes are counted and reported, in any format; what was written can be read
// again, and is the same.
#include "fuzz/decoding.hpp"
#include "fuzz/rendering.hpp"
#include "gpuhisto/merge.hpp"
#include "gpuhisto/pipeline.hpp"

namespace gpuhisto::fuzz {
namespace {

FileResult count(Choices& choices, ReportOptions& report) {
  CountOptions options;
  options.decode = kLimits;
  options.decode.tolerate_damage = choices.flag();
  options.strict = choices.flag();
  report.counting.skip_transparent = options.spec.predicate.skip_transparent = choices.flag();
  report.counting.luma = options.spec.luma = static_cast<LumaRule>(choices.below(4));
  ChannelSet channels;
  for (const Channel channel : kChannels)
    if (!choices.flag()) channels.set(channel);
  if (!channels.empty()) report.counting.channels = options.spec.channels = channels;
  report.percentiles = parse_percentiles(choices.flag() ? "0,2.5,50,99.999999999,100" : "1,5,95,99");
  report.histograms = choices.flag();
  std::string name = "n";  // an empty one stands for a total
  for (int i = 0; i < 3; ++i) name += static_cast<char>(1 + choices.below(255));
  const int threads = choices.below(16) == 15 ? 3 : 1;
  return count_source(*open_memory(choices.rest()), name, options, threads);
}

void check_merged(const std::string& text, const Total& total) {
  Merge merge(Merge::Accept::kWhole);
  merge.add(*open_memory(bytes_of(text)), "file");
  require(same_counts(merge.total().histogram, total.histogram), "the total is merged as it was written");
  require(merge.total().ok == total.ok && merge.total().failed == total.failed, "so are the numbers of files");
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto;
  using namespace gpuhisto::fuzz;
  Choices choices({data, size});
  const ReportFormat format = kFormats[choices.below(4)];
  ReportOptions options;
  const FileResult result = count(choices, options);
  Total total;
  total.add(result);
  const std::string stats = render(Kind::kStats, format, options, {result}, total);
  const std::string hist = render(Kind::kHist, format, options, {result}, total);
  if (format != ReportFormat::kText && !result.histogram.channels.empty()) check_read_again(hist, {result});
  if (format == ReportFormat::kJson || format == ReportFormat::kJsonl)
    for (const auto& text : {stats, hist}) check_merged(text, total);
  return 0;
}
