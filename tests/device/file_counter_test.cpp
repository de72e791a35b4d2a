// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Who counts an image while a device is being started.
#include "pipeline/file_counter.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/module.hpp"

namespace gpuhisto {
namespace {

class FileCounterTest : public ::testing::Test {
 protected:
  FileCounterTest() : image_(300, 200, 3) {
    set_module_path({GPUHISTO_MODULE_FOLDER});
    std::mt19937 random(1);
    for (std::size_t i = 0; i < image_.bytes(); ++i) image_.view().data[i] = static_cast<std::uint8_t>(random());
    options_.on_device_failure = OnDeviceFailure::kUseCpu;
  }
  void wait() const {
    while (!options_.device_start->ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void expect_counted(FileCounter& counter, const std::string& device, const std::string& method) {
    FileResult result;
    counter.finish(result);
    const ImageHistogram expected = count_image(image_.view(), options_.spec, 1);
    EXPECT_EQ(result.histogram.counts, expected.counts);
    EXPECT_EQ(result.histogram.pixels, expected.pixels);
    EXPECT_TRUE(result.histogram.channels == expected.channels);
    EXPECT_EQ(result.device, device);
    EXPECT_EQ(result.method, method);
  }

  Image image_;
  CountOptions options_;
};

TEST_F(FileCounterTest, TheCpuCountsUntilThereIsADevice) {
  options_.device_start = std::make_shared<DeviceStart>("emulated");
  FileCounter counter(options_, 3, options_.spec, 1);
  const bool ended_before = options_.device_start->ended();
  counter.histogrammer().count(image_.view().rows(0, 70), 0);
  wait();
  counter.histogrammer().count(image_.view().rows(70, 80), 70);
  counter.histogrammer().count(image_.view().rows(150, 50), 150);
  EXPECT_EQ(options_.device_start->why_not(), "");
  EXPECT_FALSE(ended_before) << "an emulated device takes milliseconds to start";
  expect_counted(counter, "emulated", "per-block");
}

TEST_F(FileCounterTest, TheCpuFinishesWhatItBeganWhenThereIsNothingLeft) {
  options_.device_start = std::make_shared<DeviceStart>("gpu:77");
  FileCounter counter(options_, 3, options_.spec, 1);
  counter.histogrammer().count(image_.view(), 0);
  wait();
  expect_counted(counter, "cpu", "cpu");
  EXPECT_NE(options_.device_start->why_not(), "");
  EXPECT_FALSE(options_.device_start->device());
}

TEST_F(FileCounterTest, TheDeviceCountsOnceItIsReadyUnlessItIsLost) {
  options_.device_start = std::make_shared<DeviceStart>("emulated");
  options_.device_lost = std::make_shared<std::atomic<bool>>(false);
  wait();
  FileCounter counter(options_, 3, options_.spec, 1);
  counter.histogrammer().count(image_.view(), 0);
  expect_counted(counter, "emulated", "per-block");
  *options_.device_lost = true;
  FileCounter after(options_, 3, options_.spec, 1);
  after.histogrammer().count(image_.view(), 0);
  expect_counted(after, "cpu", "cpu");
}

TEST(CountingMethod, IsPerBlockWhereTheOneAskedForCannotLeavePixelsOut) {
  PixelPredicate all, sieved, masked;
  sieved.skip_transparent = true;
  masked.mask = ImageView{};
  for (const std::string method : {"auto", "vendor", "per-thread"}) {
    EXPECT_EQ(counting_method(method, all, 4), method);
    EXPECT_EQ(counting_method(method, sieved, 3), method);
    EXPECT_EQ(counting_method(method, sieved, 4), method == "vendor" ? "per-block" : method);
    EXPECT_EQ(counting_method(method, masked, 3), "per-block");
  }
}

}  // namespace
}  // namespace gpuhisto
