// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What does not fit into memory is refused before it is allocated.
#include <gtest/gtest.h>

#include "fake_target.hpp"

namespace gpuhisto::bench {
namespace {

TEST(BenchRun, TooMuchMemoryIsALimit) {
  FakeTarget target;
  try {
    (void)run(target, request_of({"right"}, std::uint64_t{1} << 34));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kLimit);
  }
}

TEST(BenchRun, OnTheCpuTheCopyOfAnImageTakesItsMemoryToo) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  FakeTarget target;
  target.info_.timed = false;
  target.info_.memory_bytes = 10 * kMebibyte;
  (void)run(target, request_of({"right"}, 5 * kMebibyte));
  target.info_.id = "cpu";
  (void)run(target, request_of({"right"}, 4 * kMebibyte));
  EXPECT_THROW((void)run(target, request_of({"right"}, 5 * kMebibyte)), Error);
}

TEST(BenchRun, CountsTakeMemoryOfTheHostToo) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  FakeTarget target;
  target.info_.timed = false;
  Request request = request_of({"right"}, 1);
  request.shape.images = 400;  // 4 MiB of counts each time: a method's, its threads', and of two images
  request.rounds = 1;
  for (const char* id : {"gpu:0", "cpu"}) {
    target.info_.id = id;
    request.host_memory = 18 * kMebibyte;
    EXPECT_NO_THROW((void)run(target, request)) << id;
    request.host_memory = 16 * kMebibyte;
    EXPECT_THROW((void)run(target, request), Error) << id;
  }
}

TEST(BenchRun, BinsOfTheCpusThreadsTakeMemoryToo) {
  const auto target = make_cpu_target(16);
  Request request = request_of({"cpu"});
  request.rounds = 1;
  request.hot = true;
  request.shape.keys = Keys::kU32;
  request.input.key_range = 1000;
  request.host_memory = std::uint64_t{400} << 20;
  EXPECT_NO_THROW((void)run(*target, request));
  request.shape.bins = 8388608;
  EXPECT_THROW((void)run(*target, request), Error);
}

TEST(BenchRun, MoreBinsThanAreMeasuredAreALimitBeforeAnythingIsAllocated) {
  FakeTarget target;
  Request request = request_of({"right"}, 0);
  request.shape.images = std::uint64_t{1} << 40;
  EXPECT_THROW((void)run(target, request), Error);
}

}  // namespace
}  // namespace gpuhisto::bench
