// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Two tables of any bytes, as `compare` takes them: distances keep their bounds and symmetries, and every report is
// written.
#include "gpuhisto/compare.hpp"

#include <cmath>

#include "fuzz/rendering.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::fuzz {
namespace {

constexpr std::uint64_t kMaxMemory = std::uint64_t{1} << 22;

std::optional<ImageHistogram> sum_of(Bytes bytes) {
  try {
    ImageHistogram sum;
    const auto source = open_memory(bytes);
    if (!is_table(*source)) return std::nullopt;
    for (const Table& table : read_tables(*source, kMaxMemory).tables) {
      if (sum.pixels > UINT64_MAX - table.histogram.pixels) return std::nullopt;
      sum.add(table.histogram);
    }
    return sum;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void check_distances(const Histogram& a, const Histogram& b) {
  const auto there = compare_histograms(a, b), back = compare_histograms(b, a);
  require(there.has_value() == back.has_value(), "either both have pixels or there is no distance");
  if (!there) return;
  require(there->l1 >= 0 && there->l1 <= 2, "l1 is 0 to 2");
  require(there->intersection >= 0 && there->intersection <= 1, "an intersection is 0 to 1");
  require(there->bhattacharyya >= 0 && there->bhattacharyya <= 1, "bhattacharyya is 0 to 1");
  require(there->emd >= 0 && there->emd <= 255, "emd is 0 to 255");
  require(there->chi_square >= 0 && std::isfinite(there->chi_square), "chi-square is a number");
  for (const Metric metric : {Metric::kL1, Metric::kIntersection, Metric::kBhattacharyya, Metric::kEmd})
    require(distance(*there, metric) == distance(*back, metric), "these are symmetric");
  require((there->l1 == 0) == (there->emd == 0), "what is equal is so by each");
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto;
  using namespace gpuhisto::fuzz;
  const auto parts = parts_of({data, size}, 0, 2);
  const auto a = sum_of(parts.front()), b = sum_of(parts.back());
  if (!a || !b) return 0;
  for (const Channel channel : kChannels) check_distances((*a)[channel], (*b)[channel]);
  Comparison comparison = compare_images(*a, *b, ChannelSet::all());
  comparison.input = "b";
  for (const ReportFormat format : kFormats) {
    std::ostringstream out;
    CompareOptions options;
    options.counts = *a;
    const auto reporter = make_compare_reporter(format, options, out);
    reporter->begin();
    reporter->result(comparison);
    reporter->finish({});
    require(out.str().find('b') != std::string::npos, "each report has the image");
  }
  return 0;
}
