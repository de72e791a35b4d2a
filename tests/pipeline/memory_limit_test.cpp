// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "core/memory_limit.hpp"

#include <gtest/gtest.h>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

TEST(MemoryLimit, NeedsAreRoundedUpAndLimitsDown) {
  EXPECT_EQ(limit_in_mebibytes(64 * kMebibyte), "64 MiB");
  EXPECT_EQ(limit_in_mebibytes(65 * kMebibyte - 1), "64 MiB");
  EXPECT_EQ(need_in_mebibytes(64 * kMebibyte + 1), "65 MiB");
  EXPECT_EQ(limit_in_mebibytes(10 * kMebibyte - 1), "9.999 MiB");
  EXPECT_EQ(need_in_mebibytes(10 * kMebibyte - 1), "10 MiB");
  EXPECT_EQ(need_in_mebibytes(kMebibyte * 5 / 2), "2.5 MiB");
  EXPECT_EQ(limit_in_mebibytes(10 << 10), "0.009 MiB");
  EXPECT_EQ(limit_in_mebibytes(1024), "1024 bytes");
  EXPECT_EQ(need_in_mebibytes(1), "0.001 MiB");
  EXPECT_EQ(need_in_mebibytes(~std::uint64_t{0}), "17592186044416 MiB");
  for (const std::uint64_t limit : {std::uint64_t{1}, kMebibyte / 1000, kMebibyte / 3, 7 * kMebibyte,
                                    10 * kMebibyte - 1, 10 * kMebibyte, 99 * kMebibyte})
    EXPECT_NE(need_in_mebibytes(limit + 1), limit_in_mebibytes(limit)) << limit;
}

TEST(MemoryLimit, TheErrorNamesBothAndTheFlag) {
  EXPECT_NO_THROW(check_max_memory("the file", 100, 100));
  try {
    check_max_memory("the file", 12 * kMebibyte, 10 * kMebibyte);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kLimit);
    EXPECT_STREQ(error.what(), "the file needs 12 MiB of memory, more than the 10 MiB of --max-memory");
  }
}

}  // namespace
}  // namespace gpuhisto
