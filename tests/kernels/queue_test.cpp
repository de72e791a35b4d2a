// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Counting in the background through the C ABI.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "emulated/state.hpp"
#include "kernels/device_under_test.hpp"
#include "kernels/oracle.hpp"

namespace gpuhisto::test {
namespace {

/// Pinned memory full of random bytes, strips of it and their bins.
class Job {
 public:
  Job(const Device& device, std::size_t bytes, unsigned seed) : device_(device), bytes_(bytes) {
    void* memory = nullptr;
    EXPECT_EQ(plugin().allocate_pinned(device.get(), bytes, &memory), GPUHISTO_OK);
    memory_ = static_cast<std::uint8_t*>(memory);
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < bytes; ++i) memory_[i] = static_cast<std::uint8_t>(random());
  }
  ~Job() { plugin().release_pinned(device_.get(), memory_); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  void add(std::size_t at, std::uint64_t width, std::uint64_t height, std::uint64_t row_bytes) {
    bins_.push_back(std::make_unique<Bins>());
    (*bins_.back())[0][7] = 5;  // counts are added
    strips_.push_back({memory_ + at, width, height, row_bytes, nullptr, 0, (*bins_.back())[0].data()});
  }
  gpuhisto_count request(unsigned channels, const char* method = "auto") {
    gpuhisto_count request = {};
    request.size = sizeof request;
    request.channels = channels_ = channels;
    request.luma = GPUHISTO_LUMA_BT601;
    request.memory = GPUHISTO_ON_HOST;
    request.strips_count = static_cast<std::uint32_t>(strips_.size());
    request.strips = strips_.data();
    request.method = method;
    return request;
  }
  void expect_counted() {
    for (std::size_t i = 0; i < strips_.size(); ++i) {
      const gpuhisto_strip& s = strips_[i];
      Bins expected =
          oracle_count({static_cast<const std::uint8_t*>(s.pixels), s.width, s.height, s.row_bytes, channels_},
                       GPUHISTO_LUMA_BT601, false);
      expected[0][7] += 5;
      EXPECT_EQ(*bins_[i], expected) << "strip " << i << " of " << channels_ << " channels";
    }
  }
  void expect_untouched() {
    for (const auto& bins : bins_) {
      Bins expected{};
      expected[0][7] = 5;
      EXPECT_EQ(*bins, expected);
    }
  }
  std::vector<gpuhisto_strip>& strips() { return strips_; }

 private:
  const Device& device_;
  std::size_t bytes_;
  std::uint8_t* memory_ = nullptr;
  unsigned channels_ = 1;
  std::vector<gpuhisto_strip> strips_;
  std::vector<std::unique_ptr<Bins>> bins_;
};

TEST(Queue, LanesCountSideBySide) {
  const Device device;
  for (unsigned channels = 1; channels <= 4; ++channels) {
    std::vector<std::unique_ptr<Job>> jobs;
    for (std::uint32_t lane = 0; lane < GPUHISTO_LANES; ++lane) {
      jobs.push_back(std::make_unique<Job>(device, 40000, lane));
      jobs.back()->add(lane, 2003 * (lane + 1), 1, 2003 * (lane + 1) * channels);
      gpuhisto_count request = jobs.back()->request(channels);
      ASSERT_EQ(plugin().start_count(device.get(), &request, lane), GPUHISTO_OK) << plugin().last_error();
      EXPECT_STREQ(request.counted_by, "per-block");
    }
    for (const std::uint32_t lane : {2u, 0u, 3u, 1u})
      ASSERT_EQ(plugin().finish_count(device.get(), lane), GPUHISTO_OK) << plugin().last_error();
    for (auto& job : jobs) job->expect_counted();
  }
}

TEST(Queue, ALaneIsUsedAgainAndAgainWithStripsOfAllKinds) {
  const Device device;
  for (unsigned round = 0; round < 3; ++round)
    for (unsigned channels = 1; channels <= 4; ++channels)
      for (const char* method : {"auto", "per-grid", "per-thread", "per-block-partial"}) {
        Job job(device, 60000, round);
        job.add(3, 30, 40, 30 * channels);          // gapless
        job.add(20000, 30, 40, 30 * channels + 5);  // with gaps
        job.add(9, 0, 7, 0);
        job.add(1, 1, 1, channels);
        gpuhisto_count request = job.request(channels, method);
        ASSERT_EQ(plugin().start_count(device.get(), &request, 1), GPUHISTO_OK) << plugin().last_error();
        ASSERT_EQ(plugin().finish_count(device.get(), 1), GPUHISTO_OK) << plugin().last_error();
        job.expect_counted();
      }
}

TEST(Queue, SmallImagesShareALaunch) {
  const Device device;
  for (unsigned channels = 1; channels <= 4; ++channels) {
    Job job(device, 100000, channels);
    for (std::size_t i = 0; i < 256; ++i) job.add(i * 64, i % 13, i % 3, i % 13 * channels);
    gpuhisto_count request = job.request(channels);
    ASSERT_EQ(plugin().start_count(device.get(), &request, 0), GPUHISTO_OK) << plugin().last_error();
    ASSERT_EQ(plugin().finish_count(device.get(), 0), GPUHISTO_OK);
    job.expect_counted();
  }
}

TEST(Queue, RefusesWhatItCannotDoAndStaysUsable) {
  const Device device;
  Job job(device, 5000, 1);
  job.add(0, 1000, 1, 1000);
  gpuhisto_count request = job.request(1);
  EXPECT_EQ(plugin().finish_count(device.get(), 0), GPUHISTO_OK) << "an idle lane";
  EXPECT_EQ(plugin().start_count(device.get(), &request, GPUHISTO_LANES), GPUHISTO_BAD_REQUEST);
  EXPECT_EQ(plugin().finish_count(device.get(), GPUHISTO_LANES), GPUHISTO_BAD_REQUEST);
  request.memory = GPUHISTO_ON_DEVICE;
  EXPECT_EQ(plugin().start_count(device.get(), &request, 0), GPUHISTO_BAD_REQUEST);
  request = job.request(1);
  request.key = GPUHISTO_KEY_U32;
  request.bin_rule = GPUHISTO_BIN_MODULO;
  request.bins_count = 256;
  EXPECT_EQ(plugin().start_count(device.get(), &request, 0), GPUHISTO_BAD_REQUEST);
  request = job.request(1, "unsafe-nonatomic");
  EXPECT_EQ(plugin().start_count(device.get(), &request, 0), GPUHISTO_UNSUPPORTED);
  request = job.request(1);
  request.policy = "block=100000";
  EXPECT_EQ(plugin().start_count(device.get(), &request, 0), GPUHISTO_UNSUPPORTED);
  job.strips()[0].mask = job.strips()[0].pixels;
  request = job.request(1);
  EXPECT_EQ(plugin().start_count(device.get(), &request, 0), GPUHISTO_UNSUPPORTED);
  job.strips()[0].mask = nullptr;
  job.expect_untouched();

  request = job.request(1);
  ASSERT_EQ(plugin().start_count(device.get(), &request, 0), GPUHISTO_OK);
  EXPECT_EQ(plugin().start_count(device.get(), &request, 0), GPUHISTO_BAD_REQUEST) << "the lane is at work";
  ASSERT_EQ(plugin().finish_count(device.get(), 0), GPUHISTO_OK);
  job.expect_counted();
}

TEST(Queue, CallsOfOtherKindsMayComeInBetween) {
  const Device device;
  Job background(device, 50000, 1), at_once(device, 50000, 2);
  background.add(0, 30000, 1, 30000);
  at_once.add(7, 20000, 1, 20000);
  gpuhisto_count first = background.request(1), second = at_once.request(1);
  ASSERT_EQ(plugin().start_count(device.get(), &first, 3), GPUHISTO_OK);
  ASSERT_EQ(plugin().count(device.get(), &second), GPUHISTO_OK);
  ASSERT_EQ(plugin().finish_count(device.get(), 3), GPUHISTO_OK);
  background.expect_counted();
  at_once.expect_counted();
}

TEST(Queue, AFailedStartOrFinishAddsNothingAndLeavesTheLaneIdle) {
  if (!emulated()) GTEST_SKIP() << "only the emulated device fails when told to";
  const Device device;
  for (const char* call : {"hipMalloc", "hipHostMalloc", "hipMemcpyAsync", "hipMemsetAsync", "launch"})
    for (int skip = 0; skip < 4; ++skip) {
      const Device fresh;
      Job job(fresh, 5000, 1);
      job.add(0, 1000, 1, 1000);
      job.add(1000, 1000, 1, 1000);
      gpuhisto_count request = job.request(1);
      emulated::plan_failure(call, 999, skip, 1);
      const gpuhisto_status status = plugin().start_count(fresh.get(), &request, 0);
      emulated::plan_failure("", 0, 0, 0);
      if (status == GPUHISTO_OK) {
        ASSERT_EQ(plugin().finish_count(fresh.get(), 0), GPUHISTO_OK);
        job.expect_counted();
        continue;
      }
      job.expect_untouched();
      request = job.request(1);
      ASSERT_EQ(plugin().start_count(fresh.get(), &request, 0), GPUHISTO_OK) << call << plugin().last_error();
      ASSERT_EQ(plugin().finish_count(fresh.get(), 0), GPUHISTO_OK);
      job.expect_counted();
    }
  Job job(device, 5000, 1);
  job.add(0, 1000, 1, 1000);
  gpuhisto_count request = job.request(1);
  ASSERT_EQ(plugin().start_count(device.get(), &request, 0), GPUHISTO_OK);
  emulated::plan_failure("hipEventSynchronize", 999, 0, 1);
  EXPECT_EQ(plugin().finish_count(device.get(), 0), GPUHISTO_DEVICE_FAILED);
  emulated::plan_failure("", 0, 0, 0);
  job.expect_untouched();
  EXPECT_EQ(plugin().finish_count(device.get(), 0), GPUHISTO_OK);
  job.expect_untouched();
}

}  // namespace
}  // namespace gpuhisto::test
