// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The tables that `plot` reads, CSV, JSON and JSON lines: any bytes. What is accepted is drawn in every way, and is the
// same once it was written and read again.
#include "fuzz/rendering.hpp"
#include "gpuhisto/bins.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/plot.hpp"

namespace gpuhisto::fuzz {
namespace {

constexpr std::uint64_t kMaxMemory = std::uint64_t{1} << 22;

void check_written_again(const TableFile& file) {
  const auto results = results_of(file.tables);
  if (results.empty() || results[0].input.empty()) return;  // a total alone
  ReportOptions options;
  options.counting = file.counting;
  for (const ReportFormat format : {ReportFormat::kCsv, ReportFormat::kJson, ReportFormat::kJsonl})
    check_read_again(render(Kind::kHist, format, options, results, file.total.value_or(Total{})), results);
}

/// Each as an image: curves over each other, and panels.
void compare(const std::vector<Table>& tables, PlotOptions options) {
  std::vector<NamedHistogram> images;
  for (const Table& table : tables)
    if (images.size() < kMostPlotImages) images.push_back({printable_name(table.input), table.histogram});
  if (images.empty()) return;
  options.theme = PlotTheme::kDark;
  for (const auto layout : {PlotLayout::kOverlaid, PlotLayout::kStacked}) {
    options.layout = layout;
    render_svg(make_comparison_scene(images, options));
  }
}

void draw(const ImageHistogram& histogram, const PlotOptions& options) {
  render_svg(make_histogram_scene(histogram, options));
  render_terminal(histogram, options, {.columns = 300, .rows = 20, .color = true});
  render_terminal(histogram, options, {.columns = 41, .rows = 9, .unicode = false});
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto;
  using namespace gpuhisto::fuzz;
  const auto source = open_memory({data, size});
  TableFile file;
  if (!is_table(*source)) return 0;
  try {
    file = read_tables(*source, kMaxMemory);
  } catch (const Error&) {
    return 0;
  }
  check_written_again(file);
  ImageHistogram sum;
  for (const Table& table : file.tables) sum.add(table.histogram);
  PlotOptions options;
  options.cumulative = size % 2 != 0;
  options.layout = size % 4 < 2 ? PlotLayout::kOverlaid : PlotLayout::kStacked;
  for (const bool log : {false, true}) {
    options.log = log;
    draw(over_all_levels(sum, file.counting.bins), options);
    compare(file.tables, options);
  }
  return 0;
}
