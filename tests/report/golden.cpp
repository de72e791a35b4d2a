// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report/golden.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace gpuhisto {
namespace {

FileResult ok_result(const std::string& name, int channels) {
  FileResult result;
  result.input = name;
  result.width = 15;
  result.height = 4;
  result.histogram = sample_histogram(channels);
  return result;
}

}  // namespace

void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(GPUHISTO_SOURCE_DIR) + "/tests/report/golden/" + name + ".txt";
  if (const char* update = std::getenv("GPUHISTO_UPDATE_GOLDENS"); update && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << actual;
    ADD_FAILURE() << "wrote " << path << "; run again without GPUHISTO_UPDATE_GOLDENS";
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << "no golden " << path;
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(actual, expected.str()) << path;
}

ImageHistogram sample_histogram(int channels) {
  ImageHistogram histogram;
  histogram.channels = ChannelSet::of_image(channels);
  for (const Channel channel : kChannels) {
    if (!histogram.channels.has(channel)) continue;
    const auto offset = 40 * static_cast<std::size_t>(channel);
    histogram[channel][offset] = 10;
    histogram[channel][offset + 7] = 20;
    histogram[channel][95 + offset] = 29;
    histogram[channel][255] += 1;
  }
  histogram.pixels = 60;
  return histogram;
}

std::vector<FileResult> sample_results() {
  std::vector<FileResult> results = {ok_result("gray.png", 1), ok_result("dir/gray, \"alpha\".png", 2),
                                     ok_result("two\nlines.jpg", 3), ok_result("not utf-8 \xff\xc3.tif", 4)};
  results[2].flags.set(Flag::kFirstFrame);
  results[2].flags.set(Flag::kReduced16);
  results[2].frames = 3;
  results[3].device = "gpu:0 (\"Some\" GPU)";
  results[3].method = "per-block";
  FileResult bad;
  bad.input = "broken.jpg";
  bad.status = Status::kError;
  bad.error = "the file ends after 12 of 4032 rows";
  FileResult skipped;
  skipped.input = "readme.txt";
  skipped.status = Status::kSkipped;
  skipped.error = "not an image in a format gpuhisto reads";
  FileResult transparent = ok_result("transparent.png", 2);
  transparent.histogram[Channel::kLuma] = transparent.histogram[Channel::kAlpha] = {};
  transparent.histogram.pixels = 0;
  FileResult constant = ok_result("constant.pgm", 1);
  constant.histogram[Channel::kLuma] = {};
  constant.histogram[Channel::kLuma][77] = 60;
  results.insert(results.end(), {bad, skipped, transparent, constant});
  return results;
}

std::string render(Command command, ReportFormat format, const ReportOptions& options,
                   const std::vector<FileResult>& results) {
  std::ostringstream out;
  const auto make = command == Command::kStats ? make_stats_reporter : make_hist_reporter;
  const auto reporter = make(format, options, out);
  reporter->begin();
  Total total;
  for (const FileResult& result : results) {
    reporter->result(result);
    total.add(result);
  }
  reporter->finish(total, results.size() > 1);
  return out.str();
}

}  // namespace gpuhisto
