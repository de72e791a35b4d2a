// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The way of images to a device: pieces, lanes, companies of small images, and devices that fail on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "device/device_queue.hpp"
#include "gpuhisto/backend.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

Image random_image(std::size_t width, std::size_t height, int channels) {
  Image image(width, height, channels);
  std::mt19937 random(static_cast<unsigned>(width * 31 + height * 7) + static_cast<unsigned>(channels));
  for (std::size_t i = 0; i < image.bytes(); ++i) image.view().data[i] = static_cast<std::uint8_t>(random());
  return image;
}

void expect_equal(const ImageHistogram& got, const ImageHistogram& expected) {
  EXPECT_EQ(got.pixels, expected.pixels);
  EXPECT_TRUE(got.channels == expected.channels);
  EXPECT_EQ(got.counts, expected.counts);
}

/// Counts by the CPU when a lane is finished, from the memory as it is then; fails when told to.
class LaneDevice final : public Device {
 public:
  ~LaneDevice() override { close_queue(); }
  const DeviceInfo& info() const override { return info_; }
  void count(const CountRequest& request, ChannelSet channels, LumaRule luma, ImageHistogram& histogram) override {
    step();
    ++at_once;
    histogram.add(count_image(request.image, {channels, luma, {request.skip_transparent, {}, {}}}, 1));
  }
  unsigned lanes() const override { return 4; }
  std::uint8_t* allocate_pinned(std::size_t bytes) override {
    if (pieces == most_pieces) return nullptr;
    ++pieces;
    return new std::uint8_t[bytes];
  }
  void release_pinned(std::uint8_t* memory) override {
    --pieces;
    delete[] memory;
  }
  bool start(unsigned lane, const CountFormat& format, std::span<const Pixels> images) override {
    step();
    EXPECT_TRUE(lanes_[lane].images.empty()) << "lane " << lane << " is at work";
    EXPECT_LE(images.size(), kMostImages);
    if (memory_is_short) return false;
    lanes_[lane] = {format, {images.begin(), images.end()}};
    most_images = std::max(most_images, images.size());
    return true;
  }
  void finish(unsigned lane) override {
    EXPECT_FALSE(lanes_[lane].images.empty()) << "lane " << lane << " is idle";
    try {
      step();
    } catch (...) {
      lanes_[lane] = {};
      throw;
    }
  }
  void collect(unsigned lane) override {
    const Lane done = std::exchange(lanes_[lane], {});
    if (wants_memory) step();
    for (const Pixels& pixels : done.images) {
      const auto channels = done.format.image_channels;
      const auto width = static_cast<std::size_t>(pixels.count);
      const ImageView view = {pixels.data, width, 1, channels, width * static_cast<std::size_t>(channels)};
      pixels.histogram->add(
          count_image(view, {done.format.channels, done.format.luma, {done.format.skip_transparent, {}, {}}}, 1));
    }
  }
  void map(const MapRequest&) override {}

  int fails_at = -1;          ///< which call to the device
  bool wants_memory = false;  ///< it is that one call alone, for want of host memory
  std::atomic<int> calls = 0;
  int pieces = 0, most_pieces = 1000;
  int at_once = 0;
  bool memory_is_short = false;
  std::size_t most_images = 0;

 private:
  void step() {
    if (fails_at < 0) return;
    const int call = calls++;
    if (wants_memory && call == fails_at) throw std::bad_alloc();
    if (!wants_memory && call >= fails_at) throw Error(ErrorKind::kDevice, "the device fell off the bus");
  }
  struct Lane {
    CountFormat format;
    std::vector<Pixels> images;
  };
  DeviceInfo info_;
  std::array<Lane, 4> lanes_;
};

/// Images of all formats, some small, some of a piece and more, some whole pieces to the byte.
std::vector<Image> many_images() {
  std::vector<Image> images;
  for (int channels = 1; channels <= 4; ++channels) {
    for (const std::size_t width : {1u, 7u, 128u, 200u}) images.push_back(random_image(width, 3 * width, channels));
    images.push_back(random_image(700, 450, channels));
  }
  images.push_back(random_image(2048, 2048, 1));
  images.push_back(random_image(2048, 2049, 1));
  images.push_back(random_image(1200, 1200, 3));
  return images;
}

std::function<ImageHistogram()> count_later(const std::shared_ptr<Device>& device, const Image& image,
                                            OnDeviceFailure on_failure, std::atomic<int>* lost = nullptr) {
  const auto counter = make_device_histogrammer(image.channels(), CountSpec{},
                                                {device, "auto", "", on_failure, [lost](const std::string& why) {
                                                   EXPECT_EQ(why, "the device fell off the bus");
                                                   if (lost) ++*lost;
                                                 }});
  const std::size_t rows = std::max<std::size_t>(1, image.view().height / 3);
  for (std::size_t y = 0; y < image.view().height; y += rows)
    counter->count(image.view().rows(y, std::min(rows, image.view().height - y)), y);
  return counter->finish_later();
}

using Later = std::vector<std::function<ImageHistogram()>>;

/// count_later() of each, by some threads.
Later count_by_threads(const std::shared_ptr<Device>& device, const std::vector<Image>& images, int threads,
                       OnDeviceFailure on_failure) {
  Later later(images.size());
  std::vector<std::thread> crew;
  std::atomic<std::size_t> next = 0;
  for (int i = 0; i < threads; ++i)
    crew.emplace_back([&] {
      for (std::size_t at = next++; at < images.size(); at = next++)
        later[at] = count_later(device, images[at], on_failure);
    });
  for (auto& thread : crew) thread.join();
  return later;
}

TEST(DeviceQueue, CountsImagesOfAllSizesSideBySide) {
  const auto images = many_images();
  for (const int threads : {1, 3}) {
    const auto device = std::make_shared<LaneDevice>();
    const Later later = count_by_threads(device, images, threads, OnDeviceFailure::kThrow);
    for (std::size_t i = 0; i < images.size(); ++i)
      expect_equal(later[i](), count_image(images[i].view(), CountSpec{}, 1));
    EXPECT_EQ(device->at_once, 0);
    EXPECT_LE(device->pieces, 4 + 4 + threads) << "lanes, formats, callers";
  }
}

TEST(DeviceQueue, SmallImagesShareAPiece) {
  const auto device = std::make_shared<LaneDevice>();
  std::vector<Image> images;
  for (std::size_t i = 0; i < 300; ++i) images.push_back(random_image(20 + i % 5, 10, 1));
  std::vector<std::function<ImageHistogram()>> later;
  for (const auto& image : images) later.push_back(count_later(device, image, OnDeviceFailure::kThrow));
  EXPECT_EQ(device->most_images, Device::kMostImages) << "a full company goes without being waited for";
  for (std::size_t i = 0; i < images.size(); ++i)
    expect_equal(later[i](), count_image(images[i].view(), CountSpec{}, 1));
}

TEST(DeviceQueue, StripsAreDecodedIntoPieces) {
  const Image image = random_image(1000, 3000, 3);
  const std::size_t row = 3000;
  for (const std::size_t rows : {1u, 50u, 170u}) {
    const auto device = std::make_shared<LaneDevice>();
    const auto counter = make_device_histogrammer(3, CountSpec{}, {device, "auto", "", {}, {}});
    for (std::size_t y = 0; y < 3000; y += rows) {
      std::uint8_t* memory = counter->strip_memory(rows * row);
      ASSERT_TRUE(memory);
      const std::size_t now = std::min(rows, 3000 - y);
      std::copy_n(image.view().row(y), now * row, memory);
      counter->count({memory, 1000, now, 3, row}, y);
    }
    expect_equal(counter->finish(), count_image(image.view(), CountSpec{}, 1));
    EXPECT_EQ(device->at_once, 0);
  }
}

TEST(DeviceQueue, OfferedMemoryNeedNotBeUsed) {
  const auto device = std::make_shared<LaneDevice>();
  const auto counter = make_device_histogrammer(1, CountSpec{}, {device, "auto", "", {}, {}});
  const Image image = random_image(100, 100, 1);
  ASSERT_TRUE(counter->strip_memory(5000));
  counter->count(image.view(), 0);
  expect_equal(counter->finish(), count_image(image.view(), CountSpec{}, 1));
  EXPECT_EQ(counter->finish().pixels, 0u);
}

TEST(DeviceQueue, WithoutPinnedOrDeviceMemoryPiecesAreCountedAtOnce) {
  const auto images = many_images();
  for (const bool pinned : {true, false}) {
    const auto device = std::make_shared<LaneDevice>();
    device->memory_is_short = pinned;
    if (!pinned) device->most_pieces = 1;
    std::vector<std::function<ImageHistogram()>> later;
    for (const auto& image : images) later.push_back(count_later(device, image, OnDeviceFailure::kThrow));
    for (std::size_t i = 0; i < images.size(); ++i)
      expect_equal(later[i](), count_image(images[i].view(), CountSpec{}, 1));
    EXPECT_GT(device->at_once, 0);
  }
}

TEST(DeviceQueue, TheCpuFinishesWhatALostDeviceLeaves) {
  const auto images = many_images();
  for (int fails_at = 0; fails_at < 40; ++fails_at) {
    const auto device = std::make_shared<LaneDevice>();
    device->fails_at = fails_at;
    device->memory_is_short = fails_at % 3 == 2;
    std::atomic<int> lost = 0;
    std::vector<std::function<ImageHistogram()>> later;
    for (const auto& image : images) later.push_back(count_later(device, image, OnDeviceFailure::kUseCpu, &lost));
    for (std::size_t i = 0; i < images.size(); ++i)
      expect_equal(later[i](), count_image(images[i].view(), CountSpec{}, 1));
    EXPECT_EQ(lost > 0, device->calls > fails_at) << fails_at;
  }
}

TEST(DeviceQueue, ALostDeviceIsAnErrorWhereItWasAskedFor) {
  const auto images = many_images();
  const auto device = std::make_shared<LaneDevice>();
  device->fails_at = 3;
  std::vector<std::function<ImageHistogram()>> later;
  for (const auto& image : images) later.push_back(count_later(device, image, OnDeviceFailure::kThrow));
  int failed = 0;
  for (std::size_t i = 0; i < images.size(); ++i) try {
      expect_equal(later[i](), count_image(images[i].view(), CountSpec{}, 1));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kDevice);
      ++failed;
    }
  EXPECT_GT(failed, 0);
}

TEST(DeviceQueue, AShortageOfHostMemoryFailsTheImagesThatItMeetsAndNoOthers) {
  const auto images = many_images();
  for (int fails_at = 0; fails_at < 20; ++fails_at) {
    const auto device = std::make_shared<LaneDevice>();
    device->fails_at = fails_at;
    device->wants_memory = true;
    device->memory_is_short = fails_at % 4 == 3;
    const auto on_failure = fails_at % 2 == 0 ? OnDeviceFailure::kThrow : OnDeviceFailure::kUseCpu;
    const Later later = count_by_threads(device, images, 3, on_failure);
    std::size_t failed = 0;
    for (std::size_t i = 0; i < images.size(); ++i) try {
        expect_equal(later[i](), count_image(images[i].view(), CountSpec{}, 1));
      } catch (const std::bad_alloc&) {
        ++failed;
      }
    EXPECT_EQ(failed > 0, device->calls > fails_at) << fails_at;
    EXPECT_LE(failed, 5u) << "of one format, at most";
    // All lanes and pieces are at hand again.
    const int pieces = device->pieces;
    const Later again = count_by_threads(device, images, 3, on_failure);
    for (std::size_t i = 0; i < images.size(); ++i)
      expect_equal(again[i](), count_image(images[i].view(), CountSpec{}, 1));
    EXPECT_LE(device->pieces, std::max(pieces, 4 + 4 + 3));
  }
}

TEST(DeviceQueue, AnImageThatIsGivenUpLeavesNothingBehind) {
  const auto device = std::make_shared<LaneDevice>();
  const Image image = random_image(2048, 2500, 1);
  for (int i = 0; i < 20; ++i) {
    const auto counter = make_device_histogrammer(1, CountSpec{}, {device, "auto", "", {}, {}});
    counter->count(image.view(), 0);  // and its file turns out to be damaged
  }
  EXPECT_LE(device->pieces, 6);
  const auto counter = make_device_histogrammer(1, CountSpec{}, {device, "auto", "", {}, {}});
  counter->count(image.view(), 0);
  expect_equal(counter->finish(), count_image(image.view(), CountSpec{}, 1));
}

}  // namespace
}  // namespace gpuhisto
