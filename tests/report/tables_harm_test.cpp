// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Damaged tables.
#include <gtest/gtest.h>

#include "gpuhisto/error.hpp"
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
      std::string bad = good;
      const std::size_t at = i * 7919 % good.size();
      if (i % 3 == 0) bad.resize(at);
      if (i % 3 == 1) bad[at] = static_cast<char>(i * 31);
      if (i % 3 == 2) bad.erase(at, 1 + i % 5);
      try {
        read(bad);
      } catch (const Error&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 800);
  }
}

}  // namespace
}  // namespace gpuhisto
