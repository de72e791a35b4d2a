// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The tables that `plot` reads, CSV, JSON and JSON lines: any bytes. What is accepted is drawn in every way, and is the
// same once it was written and read again.
#include "fuzz/rendering.hpp"
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

void draw(const ImageHistogram& histogram, bool log, bool cumulative) {
  PlotOptions options;
  options.log = log;
  options.cumulative = cumulative;
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
  for (const bool log : {false, true}) draw(sum, log, size % 2 != 0);
  return 0;
}
