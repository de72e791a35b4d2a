// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/parallel.hpp"

namespace gpuhisto::test {
namespace {

constexpr unsigned kSeconds = 60;  // a child that hangs is ended

#if defined(__SANITIZE_THREAD__)
constexpr bool kMayFork = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool kMayFork = false;
#else
constexpr bool kMayFork = true;
#endif
#else
constexpr bool kMayFork = true;
#endif

/// The status of a child that does `work` and then ends by exit().
int status_of(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(kSeconds);
    work();
    std::exit(0);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

std::size_t sum_of_parts(int parts) {
  std::atomic<std::size_t> sum = 0;
  fork_join(1000, parts, [&](int, std::size_t begin, std::size_t end) { sum += end - begin; });
  return sum;
}

TEST(ForkJoin, AChildOfForkCountsAndEnds) {
  if (!kMayFork) GTEST_SKIP() << "the thread sanitizer allows no new threads in a child";
  ASSERT_EQ(sum_of_parts(4), 1000u);  // the threads are there
  EXPECT_EQ(status_of([] {}), 0);
  EXPECT_EQ(status_of([] {
              if (sum_of_parts(3) != 1000) std::abort();
              if (status_of([] { sum_of_parts(2); }) != 0) std::abort();
            }),
            0);
  EXPECT_EQ(sum_of_parts(4), 1000u);
}

TEST(ForkJoin, AThreadMayOutliveMain) {
  if (!kMayFork) GTEST_SKIP() << "the thread sanitizer allows no new threads in a child";
  const std::vector<std::uint8_t> pixels(1 << 20, 3);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(status_of([&] {
                std::thread([&] {
                  for (;;) count_image({pixels.data(), 1024, 1024, 1, 1024}, {}, 2);
                }).detach();
                ::usleep(20'000);
              }),
              0);
}

}  // namespace
}  // namespace gpuhisto::test
