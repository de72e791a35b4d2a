// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include "report/golden.hpp"

namespace gpuhisto {
namespace {

TEST(Total, SumsWhatIsOkAndCountsTheRest) {
  Total total;
  for (const FileResult& result : sample_results()) total.add(result);
  EXPECT_EQ(total.ok, 6u);
  EXPECT_EQ(total.failed, 1u);
  EXPECT_EQ(total.flagged, 1u);
  EXPECT_EQ(total.skipped, 1u);
  EXPECT_EQ(total.histogram.pixels, 300u);
  EXPECT_EQ(total.histogram.channels, ChannelSet::all());
  EXPECT_EQ(total.histogram[Channel::kLuma][77], 60u);
  EXPECT_EQ(total.histogram[Channel::kRed][40], 20u);
}

TEST(Total, OfAFailedInputHasNoneOfItsPixels) {
  FileResult result = sample_results()[2];
  result.status = Status::kError;
  Total total;
  total.add(result);
  EXPECT_EQ(total.histogram.pixels, 0u);
  EXPECT_EQ(total.failed, 1u);
  EXPECT_EQ(total.flagged, 0u);
}

TEST(Total, RefusesToWrap) {
  FileResult result = sample_results()[7];
  result.histogram[Channel::kLuma][77] = result.histogram.pixels = std::uint64_t{1} << 63;
  Total total;
  total.add(result);
  EXPECT_THROW(total.add(result), Error);
  EXPECT_EQ(total.histogram.pixels, std::uint64_t{1} << 63);
  EXPECT_EQ(total.ok, 1u);
}

}  // namespace
}  // namespace gpuhisto
