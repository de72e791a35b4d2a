// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The whole way of `stats` and `hist`: any bytes are counted and reported, in any format; what was written can be read
// again, and is the same.
#include "fuzz/decoding.hpp"
#include "fuzz/rendering.hpp"
#include "gpuhisto/bins.hpp"
#include "gpuhisto/merge.hpp"
#include "gpuhisto/pipeline.hpp"

namespace gpuhisto::fuzz {
namespace {

/// By the name's bytes: bins always, a rectangle and a mask of any size now and then, most often the image's.
void select_pixels(const std::string& name, Bytes file, CountOptions& options, ReportOptions& report,
                   std::vector<std::uint8_t>& mask) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
  report.counting.bins = std::size_t{1} + byte(3);
  if (byte(1) % 3 == 1)
    options.spec.predicate.rectangle = Rectangle{byte(1) / 3u % 4, byte(2) % 4u, 1 + byte(2) / 4u, 1 + byte(3) / 8u};
  report.counting.roi = options.spec.predicate.rectangle;
  if (byte(2) % 3 != 1) return;
  ImageInfo info;
  try {
    info = open_decoder(*open_memory(file), options.decode)->info();
  } catch (const Error&) {
    return;
  }
  const auto width = static_cast<std::size_t>(info.width) + (byte(1) % 8 == 0),
             height = static_cast<std::size_t>(info.height);
  mask.resize(width * height);
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = (i * byte(1) >> 3) % 2 != 0;
  options.spec.predicate.mask = ImageView{mask.data(), width, height, 1, width};
  report.counting.mask = MaskName{name, std::string(64, '0')};
}

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
  std::vector<std::uint8_t> mask;
  select_pixels(name, choices.rest(), options, report, mask);
  return count_source(*open_memory(choices.rest()), name, options, threads);
}

void check_merged(const std::string& text, const Total& total) {
  Merge merge(Merge::Accept::kWhole);
  merge.add(*open_memory(bytes_of(text)), "file");
  require(same_counts(merge.total().histogram, at_first_levels(total.histogram, merge.counting().bins)),
          "the total is merged as it was written");
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
  FileResult binned = result;
  binned.histogram = at_first_levels(result.histogram, options.counting.bins);
  const std::string stats = render(Kind::kStats, format, options, {result}, total);
  const std::string hist = render(Kind::kHist, format, options, {result}, total);
  if (format != ReportFormat::kText && !result.histogram.channels.empty()) check_read_again(hist, {binned});
  if (format == ReportFormat::kJson || format == ReportFormat::kJsonl)
    for (const auto& text : {stats, hist}) check_merged(text, total);
  return 0;
}
