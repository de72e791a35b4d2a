// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Devices through their modules: the emulated one counts and equalises like the CPU, and what is missing says why.
#include "gpuhisto/backend.hpp"

#include <gtest/gtest.h>

#include <random>

#include "gpuhisto/equalize.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/match.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/module.hpp"
#include "gpuhisto/stretch.hpp"

namespace gpuhisto {
namespace {

class Backend : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { set_module_path({GPUHISTO_MODULE_FOLDER}); }
};

Image random_image(std::size_t width, std::size_t height, int channels) {
  Image image(width, height, channels);
  std::mt19937 random(static_cast<unsigned>(width * 31 + height * 7) + static_cast<unsigned>(channels));
  std::uint8_t* bytes = image.view().data;
  for (std::size_t i = 0; i < image.bytes(); ++i) bytes[i] = static_cast<std::uint8_t>(random() % 5 ? random() : 0);
  return image;
}

void expect_equal(const ImageHistogram& a, const ImageHistogram& b) {
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.pixels, b.pixels);
  for (const Channel channel : kChannels) EXPECT_EQ(a[channel], b[channel]) << channel_name(channel);
}

TEST_F(Backend, ListsTheEmulatedDeviceAndWhyOthersAreMissing) {
  const DeviceList list = list_devices();
  bool emulated = false;
  for (const auto& device : list.devices) emulated = emulated || device.id == "emulated";
  EXPECT_TRUE(emulated);
  for (const auto& missing : list.missing) EXPECT_FALSE(missing.reason.empty()) << missing.module;
  EXPECT_GE(list.devices.size() + list.missing.size(), 3u);
}

TEST_F(Backend, CountsLikeTheCpuForEveryFormatAndPredicate) {
  const auto device = open_device("emulated");
  for (int channels = 1; channels <= 4; ++channels) {
    const Image image = random_image(83, 61, channels), mask = random_image(83, 61, 1);
    for (int variant = 0; variant < 6; ++variant) {
      CountSpec spec;
      spec.luma = variant % 2 ? LumaRule::kBt709 : LumaRule::kBt601;
      spec.predicate.skip_transparent = variant == 1;
      if (variant == 2 || variant == 4) spec.predicate.rectangle = Rectangle{5, 7, 40, 1000};
      if (variant >= 3) spec.predicate.mask = mask.view();
      if (variant == 5) spec.channels = ChannelSet().set(Channel::kLuma);
      const auto counter = make_device_histogrammer(channels, spec, {device, "auto", "", OnDeviceFailure::kThrow, {}});
      for (std::size_t y = 0; y < 61; y += 13)
        counter->count(image.view().rows(y, std::min<std::size_t>(13, 61 - y)), y);
      expect_equal(counter->finish(), count_image(image.view(), spec, 1));
    }
  }
}

TEST_F(Backend, MasksAndRectanglesOfOddSizesCountLikeOnTheCpu) {
  const auto device = open_device("emulated");
  for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{1, 1}, {3, 17}, {65, 3}, {127, 31}}) {
    for (int channels = 1; channels <= 4; ++channels) {
      const Image image = random_image(width, height, channels), mask = random_image(width, height, 1);
      for (const Rectangle& roi : {Rectangle{0, 0, width, height}, Rectangle{width - 1, height - 1, 1, 1},
                                   Rectangle{width / 3, height / 2, 1, 1}})
        for (const bool masked : {false, true}) {
          CountSpec spec;
          spec.predicate.skip_transparent = masked;
          spec.predicate.rectangle = roi;
          if (masked) spec.predicate.mask = mask.view();
          const auto counter =
              make_device_histogrammer(channels, spec, {device, "auto", "", OnDeviceFailure::kThrow, {}});
          for (std::size_t y = 0; y < height; y += 5)
            counter->count(image.view().rows(y, std::min<std::size_t>(5, height - y)), y);
          expect_equal(counter->finish(), count_image(image.view(), spec, 1));
        }
    }
  }
}

TEST_F(Backend, EveryMethodCountsLikeTheCpu) {
  const auto device = open_device("emulated");
  const Image image = random_image(64, 33, 3);
  const CountSpec spec;
  for (const auto& method : methods()) {
    if (!method.needs_gpu || method.name == "vendor") continue;
    const auto counter =
        make_device_histogrammer(3, spec, {device, std::string(method.name), "", OnDeviceFailure::kThrow, {}});
    counter->count(image.view(), 0);
    expect_equal(counter->finish(), count_image(image.view(), spec, 1));
  }
}

TEST_F(Backend, HistogrammerIsEmptyAfterFinish) {
  const auto counter = make_device_histogrammer(1, CountSpec{}, {open_device("emulated"), "per-block", "", {}, {}});
  const Image image = random_image(10, 10, 1);
  counter->count(image.view(), 0);
  EXPECT_EQ(counter->finish().pixels, 100u);
  EXPECT_EQ(counter->finish().pixels, 0u);
}

/// apply_operation(), counted and mapped by the device.
ImageHistogram apply_on_device(const std::shared_ptr<Device>& device, const MutableImageView& image,
                               const ToneOperation& operation, const PixelPredicate& predicate) {
  CountSpec spec = operation.spec(image.channels);
  spec.predicate = predicate;
  const auto counter = make_device_histogrammer(image.channels, spec, {device, "auto", "", {}, {}});
  counter->count(image, 0);
  ImageHistogram counts = counter->finish();
  apply_tone_map_on_device(*device, image, operation.map(counts, image.channels), predicate, 1);
  return counts;
}

void expect_same_on_device(const std::shared_ptr<Device>& device, const ToneOperation& operation) {
  for (int channels = 1; channels <= 4; ++channels)
    for (int variant = 0; variant < 3; ++variant) {
      PixelPredicate predicate;
      predicate.skip_transparent = variant == 1;
      if (variant == 2) predicate.rectangle = Rectangle{3, 3, 20, 20};
      Image on_cpu = random_image(57, 43, channels), on_device = random_image(57, 43, channels);
      expect_equal(apply_on_device(device, on_device.view(), operation, predicate),
                   apply_operation(on_cpu.view(), operation, predicate, 1));
      EXPECT_TRUE(std::equal(on_cpu.view().data, on_cpu.view().data + on_cpu.bytes(), on_device.view().data))
          << channels << " channels, variant " << variant;
    }
}

TEST_F(Backend, MapsLikeTheCpu) {
  const auto device = open_device("emulated");
  const Image reference = random_image(31, 17, 3);
  for (const ToneMode mode : {ToneMode::kLuma, ToneMode::kEach, ToneMode::kJoint}) {
    SCOPED_TRACE(static_cast<int>(mode));
    expect_same_on_device(device, Equalization(mode));
    StretchOptions stretch;
    stretch.mode = mode;
    stretch.low = stretch.high = parse_percentiles("12.5").front();
    stretch.auto_gamma = true;
    expect_same_on_device(device, Stretch(stretch));
    expect_same_on_device(device, Matching(mode, count_image(reference.view(), Matching::counts_wanted(), 1)));
  }
}

TEST_F(Backend, ConstantColourImageIsLeftAlone) {
  const auto device = open_device("emulated");
  Image image(9, 9, 3);
  std::fill_n(image.view().data, image.bytes(), std::uint8_t{17});
  (void)apply_on_device(device, image.view(), Equalization(), {});
  for (std::size_t i = 0; i < image.bytes(); ++i) EXPECT_EQ(image.view().data[i], 17);
}

TEST_F(Backend, UnknownPolicyIsAUsageErrorAndOneBeyondTheLimitsIsUnsupported) {
  const auto device = open_device("emulated");
  const Image image = random_image(10, 10, 1);
  const auto kind_of = [&](const std::string& policy) {
    const auto counter =
        make_device_histogrammer(1, CountSpec{}, {device, "per-block", policy, OnDeviceFailure::kThrow, {}});
    try {
      counter->count(image.view(), 0);
      (void)counter->finish();
    } catch (const Error& error) {
      EXPECT_STRNE(error.what(), "");
      return error.kind();
    }
    ADD_FAILURE() << policy << " was accepted";
    return ErrorKind::kIo;
  };
  EXPECT_EQ(kind_of("replica=2"), ErrorKind::kUsage);
  EXPECT_EQ(kind_of("block=100000"), ErrorKind::kUnsupported);
}

/// A device that is lost at its second call.
class FailingDevice final : public Device {
 public:
  explicit FailingDevice(std::shared_ptr<Device> real) : real_(std::move(real)) {}
  const DeviceInfo& info() const override { return real_->info(); }
  void count(const CountRequest& request, ChannelSet channels, LumaRule luma, ImageHistogram& histogram) override {
    if (++calls_ >= 2) throw Error(ErrorKind::kDevice, "the device fell off the bus");
    real_->count(request, channels, luma, histogram);
  }
  void map(const MapRequest&) override {}

 private:
  std::shared_ptr<Device> real_;
  int calls_ = 0;
};

TEST_F(Backend, CpuFinishesWhatALostDeviceLeaves) {
  const Image image = random_image(2000, 1500, 3);  // pieces: 2 and more
  const auto failing = std::make_shared<FailingDevice>(open_device("emulated"));
  std::string why;
  const auto counter = make_device_histogrammer(
      3, CountSpec{}, {failing, "auto", "", OnDeviceFailure::kUseCpu, [&](const std::string& text) { why = text; }});
  counter->count(image.view(), 0);
  expect_equal(counter->finish(), count_image(image.view(), CountSpec{}, 1));
  EXPECT_EQ(why, "the device fell off the bus");
}

TEST_F(Backend, LostDeviceIsAnErrorWhenItWasAskedFor) {
  const Image image = random_image(2000, 1500, 3);
  const auto failing = std::make_shared<FailingDevice>(open_device("emulated"));
  const auto counter = make_device_histogrammer(3, CountSpec{}, {failing, "auto", "", OnDeviceFailure::kThrow, {}});
  counter->count(image.view(), 0);
  EXPECT_THROW((void)counter->finish(), Error);
}

/// Counts with a mask by the CPU, and keeps how large the pieces were.
class PieceDevice final : public Device {
 public:
  const DeviceInfo& info() const override { return info_; }
  void count(const CountRequest& request, ChannelSet channels, LumaRule luma, ImageHistogram& histogram) override {
    const ImageView& image = request.image;
    largest = std::max(largest, image.width * image.height * (static_cast<std::size_t>(image.channels) + 1));
    ++pieces;
    CountSpec spec{channels, luma, {}};
    spec.predicate.mask = ImageView{request.mask, image.width, image.height, 1, image.width};
    histogram.add(count_image(image, spec, 1));
  }
  void map(const MapRequest&) override {}
  bool clahe(const ImageView&, const MutableImageView&, const ClaheOptions&) override {
    throw Error(ErrorKind::kUnsupported, "the tiles are too large");
  }

  std::size_t largest = 0, pieces = 0;

 private:
  DeviceInfo info_;
};

TEST_F(Backend, MaskedImagesAreCountedInPiecesOf4MebibytesMaskIncluded) {
  for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{2000, 1500}, {3000000, 2}, {1, 3}}) {
    const Image image = random_image(width, height, 3), mask = random_image(width, height, 1);
    for (const bool cut : {false, true}) {
      CountSpec spec;
      spec.predicate.mask = mask.view();
      if (cut) spec.predicate.rectangle = Rectangle{width / 3, 1, width, height};
      const auto device = std::make_shared<PieceDevice>();
      const auto counter = make_device_histogrammer(3, spec, {device, "auto", "", OnDeviceFailure::kThrow, {}});
      counter->count(image.view(), 0);
      expect_equal(counter->finish(), count_image(image.view(), spec, 1));
      EXPECT_LE(device->largest, std::size_t{4} << 20);
      EXPECT_GE(device->pieces, width > 1 ? 2u : 1u);
    }
  }
}

TEST_F(Backend, ClaheBeyondADeviceIsTheCpusWorkOrSaysWhy) {
  PieceDevice device;
  Image image = random_image(60, 50, 3), expected = random_image(60, 50, 3);
  try {
    clahe_on_device(device, image, {});
    FAIL() << "it was done";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDevice);
    EXPECT_STREQ(error.what(), "the tiles are too large");
  }
  clahe_on_device(device, image, {}, [](const std::string& why) { ADD_FAILURE() << why; });
  clahe(expected.view(), {});
  EXPECT_TRUE(std::equal(expected.view().data, expected.view().data + expected.bytes(), image.view().data));
}

TEST_F(Backend, MissingDeviceIsADeviceErrorThatSaysWhy) {
  try {
    open_device("gpu:77");
    FAIL() << "there is a gpu:77";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kDevice);
    EXPECT_GT(std::string(error.what()).size(), 10u);
  }
}

}  // namespace
}  // namespace gpuhisto
