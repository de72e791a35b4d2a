// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The emulated device itself, and the engine's answers to its errors.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "emulated/config.hpp"
#include "emulated/hip_names.hpp"
#include "kernels/device_under_test.hpp"
#include "kernels/gray_request.hpp"
#include "kernels/oracle.hpp"

namespace gpuhisto::test {
namespace {

class EmulatedDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!emulated()) GTEST_SKIP() << "these tests configure the emulation";
    saved_ = emulated::device_config(0);
    pixels_.resize(70001);
    for (std::size_t i = 0; i < pixels_.size(); ++i) pixels_[i] = static_cast<std::uint8_t>(i * i >> 3);
  }
  void TearDown() override {
    if (emulated()) emulated::device_config(0) = saved_;
  }
  gpuhisto_strip strip() { return {pixels_.data(), pixels_.size(), 1, pixels_.size(), nullptr, 0, bins_[0].data()}; }
  Bins oracle() const {
    return oracle_count({pixels_.data(), pixels_.size(), 1, pixels_.size(), 1}, GPUHISTO_LUMA_NONE, false);
  }

  emulated::Config saved_;
  std::vector<std::uint8_t> pixels_;
  Bins bins_{};
};

TEST_F(EmulatedDevice, ListsBothDevicesWithTheirLimits) {
  gpuhisto_device_info infos[2] = {};
  infos[0].size = infos[1].size = sizeof infos[0];
  std::uint32_t count = 0;
  ASSERT_EQ(plugin().list_devices(infos, 2, &count), GPUHISTO_OK);
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(infos[0].wave_size, 64u);
  EXPECT_EQ(infos[0].shared_bytes, 64u << 10);
  EXPECT_EQ(infos[1].wave_size, 32u);
  EXPECT_EQ(infos[1].shared_bytes, 227u << 10);
}

TEST_F(EmulatedDevice, FailedCallIsNamedWithErrorFileAndLine) {
  const Device device;
  emulated::plan_failure("hipMemcpyAsync", hipErrorUnknown);
  const gpuhisto_strip s = strip();
  gpuhisto_count request = gray_request(s, "per-block", "");
  EXPECT_EQ(plugin().count(device.get(), &request), GPUHISTO_DEVICE_FAILED);
  const std::string text = plugin().last_error();
  EXPECT_NE(text.find("hipMemcpyAsync failed: hipErrorUnknown"), std::string::npos) << text;
  EXPECT_NE(text.find("at kernels/engine/stage.hpp:"), std::string::npos) << text;
}

TEST_F(EmulatedDevice, RefusedLaunchIsReportedAtOnce) {
  const Device device;
  emulated::plan_failure("launch", hipErrorLaunchFailure);
  const gpuhisto_strip s = strip();
  gpuhisto_count request = gray_request(s, "per-block", "");
  EXPECT_EQ(plugin().count(device.get(), &request), GPUHISTO_DEVICE_FAILED);
  EXPECT_NE(std::string(plugin().last_error()).find("hipErrorLaunchFailure"), std::string::npos);
}

TEST_F(EmulatedDevice, NoDeviceSaysWhy) {
  emulated::plan_failure("hipGetDeviceCount", hipErrorNoDevice);
  std::uint32_t count = 9;
  EXPECT_EQ(plugin().list_devices(nullptr, 0, &count), GPUHISTO_NO_DEVICE);
  EXPECT_EQ(count, 0u);
  EXPECT_NE(std::string(plugin().last_error()).find("hipErrorNoDevice"), std::string::npos);
}

TEST_F(EmulatedDevice, ShortMemoryIsMetWithSmallerPieces) {
  pixels_.resize(9 << 20, 7);
  const Device device;
  emulated::device_config(0).memory_bytes = 4 << 20;
  emulated::device_config(0).max_block_lanes = 256;
  const gpuhisto_strip s = strip();
  gpuhisto_count request = gray_request(s, "per-block", "block=256,blocks=1");
  const gpuhisto_status status = plugin().count(device.get(), &request);
  ASSERT_EQ(status, GPUHISTO_OK) << plugin().last_error();
  EXPECT_EQ(bins_, oracle());
}

TEST_F(EmulatedDevice, MemoryThatIsReallyOutIsAnError) {
  const Device device;
  emulated::device_config(0).memory_bytes = 8 << 10;
  const gpuhisto_strip s = strip();
  gpuhisto_count request = gray_request(s, "per-block", "");
  EXPECT_EQ(plugin().count(device.get(), &request), GPUHISTO_OUT_OF_MEMORY);
}

/// Each call that can fail, failing once at its first, second, … time: the counts are right, or there is an error that
/// names the call, the error, file and line, and no count was added; a device opened after that works.
TEST_F(EmulatedDevice, EveryFailureIsAnErrorOrIsMadeUpFor) {
  constexpr const char* kCalls[] = {"hipMalloc",           "hipHostMalloc",  "hipMemcpyAsync",
                                    "hipMemsetAsync",      "hipEventCreate", "hipStreamCreateWithFlags",
                                    "hipEventRecord",      "hipSetDevice",   "hipStreamSynchronize",
                                    "hipEventSynchronize", "launch"};
  pixels_.resize(100001, 9);
  unsigned failed = 0, made_up_for = 0;
  for (const char* call : kCalls)
    for (const int error : {hipErrorOutOfMemory, hipErrorUnknown})
      for (int skip = 0; skip < 12; ++skip) {
        emulated::plan_failure(call, error, skip);
        gpuhisto_device* device = nullptr;
        bins_ = {};
        const gpuhisto_strip s = strip();
        gpuhisto_count request = gray_request(s, "per-block-partial", "block=128,replicas=1,bound=20000");
        gpuhisto_status status = plugin().open_device(0, &device);
        if (status == GPUHISTO_OK) status = plugin().count(device, &request);
        const std::string text = plugin().last_error();
        emulated::plan_failure("", 0, 0, 0);
        if (status == GPUHISTO_OK) {
          EXPECT_EQ(bins_, oracle()) << call << ' ' << error << ' ' << skip;
          ++made_up_for;
        } else {
          EXPECT_EQ(status, error == hipErrorOutOfMemory ? GPUHISTO_OUT_OF_MEMORY : GPUHISTO_DEVICE_FAILED) << text;
          EXPECT_NE(text.find(" failed: hipError"), std::string::npos) << text;
          EXPECT_NE(text.find(" at kernels/"), std::string::npos) << text;
          EXPECT_EQ(bins_, Bins{}) << call << ' ' << error << ' ' << skip;
          ++failed;
        }
        plugin().close_device(device);
      }
  EXPECT_GT(failed, 30u);
  EXPECT_GT(made_up_for, 10u);
}

TEST_F(EmulatedDevice, FullCopiesOfTheBinsMeetNoBankTwice) {
  const Device device(1);  // waves of 32
  emulated::Config& config = emulated::device_config(1);
  config.count_accesses = true;
  const auto passes = [&](const char* policy) {
    emulated::reset_access_counts();
    const gpuhisto_strip s = strip();
    gpuhisto_count request = gray_request(s, "per-block", policy);
    EXPECT_EQ(plugin().count(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
    return emulated::access_counts();
  };
  const auto private_banks = passes("block=128,blocks=1,replicas=32");
  const auto shared_bins = passes("block=128,blocks=1,replicas=1");
  config.count_accesses = false;
  EXPECT_EQ(private_banks.shared_atomics, pixels_.size());
  EXPECT_EQ(private_banks.shared_passes, private_banks.shared_instructions);
  EXPECT_EQ(private_banks.same_address, 0u);
  EXPECT_GT(shared_bins.shared_passes, 2 * shared_bins.shared_instructions);
  EXPECT_GT(shared_bins.same_address, 0u);
}

TEST_F(EmulatedDevice, PerGridNeedsOneGlobalAtomicAPixel) {
  const Device device(1);
  emulated::Config& config = emulated::device_config(1);
  config.count_accesses = true;
  emulated::reset_access_counts();
  const gpuhisto_strip s = strip();
  gpuhisto_count request = gray_request(s, "per-grid", "block=128,blocks=1");
  EXPECT_EQ(plugin().count(device.get(), &request), GPUHISTO_OK);
  config.count_accesses = false;
  EXPECT_EQ(emulated::access_counts().global_atomics, pixels_.size());
}

TEST_F(EmulatedDevice, SeveralWorkersCountTheSame) {
  const Device device;
  emulated::device_config(0).workers = 2;
  emulated::device_config(0).max_block_lanes = 256;
  const gpuhisto_strip s = strip();
  gpuhisto_count request = gray_request(s, "per-block", "block=256,replicas=4");
  ASSERT_EQ(plugin().count(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
  EXPECT_EQ(bins_, oracle());
}

}  // namespace
}  // namespace gpuhisto::test
