// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Damaged tables.
#include <gtest/gtest.h>

#include "gpuhisto/error.hpp"
#include "report/damaged.hpp"
#include "report/golden.hpp"
#include "report/reading.hpp"

namespace gpuhisto {
namespace {

// Whatever is cut off or changed, reading ends in tables or in an Error.
TEST(Tables, DamageNeverDoesMoreThanThrow) {
  for (const auto format : {ReportFormat::kCsv, ReportFormat::kJson}) {
    const std::string good = render(Command::kHist, format, {}, {sample_results()[3]});
    int refused = 0;
    for (std::size_t i = 0; i < 1200; ++i) {
      try {
        read(gpuhisto::testing::damaged(good, i));
      } catch (const Error&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 800);
  }
}

}  // namespace
}  // namespace gpuhisto
