// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// CLAHE on the device against the plain definition.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>

#include "emulated/config.hpp"
#include "kernels/device_under_test.hpp"
#include "ops/clahe_grid.hpp"
#include "ops/clahe_oracle.hpp"
#include "transforms/cell.hpp"

namespace gpuhisto::test {
namespace {

gpuhisto_apply request_for(const gpuhisto_apply_strip& strip, unsigned channels, std::uint32_t memory,
                           const ClaheOptions& options) {
  const ops::ClaheGrid grid = ops::clahe_grid(strip.width, strip.height, options);
  gpuhisto_apply request = {};
  request.size = sizeof request;
  request.kind = GPUHISTO_APPLY_TILES;
  request.channels = channels;
  request.memory = memory;
  request.strips_count = 1;
  request.strips = &strip;
  request.tiles_across = static_cast<std::uint32_t>(options.tiles_across);
  request.tiles_down = static_cast<std::uint32_t>(options.tiles_down);
  request.tile_width = grid.tile_width;
  request.tile_height = grid.tile_height;
  request.bin_limit = ops::clahe_bin_limit(grid.tile_area(), options.clip_limit);
  return request;
}

struct Case {
  std::size_t width, height;
  unsigned channels;
  ClaheOptions options;
  std::size_t offset = 0, padding = 0;
  bool in_place = true;
};

std::string name_of(const Case& c) {
  return std::to_string(c.width) + 'x' + std::to_string(c.height) + 'x' + std::to_string(c.channels) + ", tiles " +
         std::to_string(c.options.tiles_across) + 'x' + std::to_string(c.options.tiles_down) + ", clip " +
         std::to_string(c.options.clip_limit) + ", base + " + std::to_string(c.offset) + ", rows + " +
         std::to_string(c.padding) + (c.in_place ? ", in place" : "");
}

/// Noise, lighter to the right and downwards, so that tiles differ.
PaddedImage image_of(const Case& c, std::mt19937& random) {
  PaddedImage image(c.width, c.height, static_cast<int>(c.channels), c.offset, c.padding);
  const auto base = static_cast<int>(random() % 80);
  image.fill(random, base, base + static_cast<int>(random() % 56));
  for (std::size_t y = 0; y < c.height; ++y)
    for (std::size_t x = 0; x < c.width; ++x)
      for (unsigned channel = 0; channel < c.channels; ++channel) {
        std::uint8_t& value = image.pixel(x, y)[channel];
        value = static_cast<std::uint8_t>(value + 50 * x / c.width + 70 * y / c.height);
      }
  return image;
}

/// The image's buffer as it should be afterwards.
std::vector<std::uint8_t> expected_of(const PaddedImage& image, const ClaheOptions& options) {
  PaddedImage expected = image;
  slow_clahe(expected.view, options);
  return expected.buffer;
}

void expect_on_device(const Device& device, const Case& c, std::mt19937& random) {
  const PaddedImage image = image_of(c, random);
  const OnDevice from(device, image.buffer, 0), to(device, image.buffer, 0);
  const gpuhisto_apply_strip strip = {
      from.data() + c.offset, (c.in_place ? from : to).data() + c.offset, c.width, c.height, image.view.row_bytes,
      image.view.row_bytes};
  const gpuhisto_apply request = request_for(strip, c.channels, GPUHISTO_ON_DEVICE, c.options);
  ASSERT_EQ(plugin().apply(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
  ASSERT_TRUE((c.in_place ? from : to).fetch() == expected_of(image, c.options)) << name_of(c);
  ASSERT_TRUE(c.in_place || from.fetch() == image.buffer) << name_of(c);
}

void expect_on_host(const Device& device, const Case& c, std::mt19937& random) {
  const PaddedImage image = image_of(c, random);
  PaddedImage mapped = image;
  const gpuhisto_apply_strip strip = {image.view.data, mapped.view.data,     c.width,
                                      c.height,        image.view.row_bytes, image.view.row_bytes};
  const gpuhisto_apply request = request_for(strip, c.channels, GPUHISTO_ON_HOST, c.options);
  ASSERT_EQ(plugin().apply(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
  ASSERT_TRUE(mapped.buffer == expected_of(image, c.options)) << name_of(c) << ", on the host";
}

constexpr double kClips[] = {2, 0, 1, 4, 40};

/// On each emulated device, one with waves of 64 and one with waves of 32, lanes in any order.
template <class Body>
void on_each_device(Body body) {
  for (int index = 0; index < (emulated() ? emulated::kDevices : 1); ++index) {
    const emulated::Config saved = emulated::device_config(index);
    for (const auto order :
         {emulated::LaneOrder::kForward, emulated::LaneOrder::kReverse, emulated::LaneOrder::kRandom}) {
      emulated::device_config(index).order = order;
      emulated::device_config(index).workers = order == emulated::LaneOrder::kForward ? 1 : 2;
      const Device device(index);
      body(device);
      EXPECT_EQ(emulated::take_faults(), "");
      if (!emulated()) break;
    }
    emulated::device_config(index) = saved;
  }
}

TEST(DeviceClahe, EqualsTheDefinitionAtAnySizeGridAndAlignment) {
  std::mt19937 random(1);
  on_each_device([&](const Device& device) {
    for (int round = 0; round < 60; ++round) {
      const std::size_t most = round % 4 == 0 ? 8 : 70;
      const ClaheOptions options = {kClips[random() % std::size(kClips)], 1 + random() % 6, 1 + random() % 6, 1};
      const Case c = {1 + random() % most,
                      1 + random() % most,
                      1 + static_cast<unsigned>(round) % 4,
                      options,
                      random() % 2 * (random() % 16),
                      random() % 2 * (random() % 9),
                      random() % 2 == 0};
      expect_on_device(device, c, random);
      if (round % 3 == 0) expect_on_host(device, c, random);
    }
  });
}

TEST(DeviceClahe, LargeTilesAndTallCells) {
  std::mt19937 random(2);
  for (int index = 0; index < (emulated() ? emulated::kDevices : 1); ++index) {
    const Device device(index);
    for (const Case& c : {Case{203, 300, 1, {2, 1, 1, 1}}, Case{70, 1103, 1, {2, 2, 2, 1}, 4, 1},
                          Case{333, 517, 1, {2, 2, 2, 1}, 0, 3, false}, Case{64, 512, 3, {3, 1, 2, 1}, 1, 0},
                          Case{130, 2305, 1, {2, 1, 1, 1}}, Case{70, 1210, 1, {2, 3, 4, 1}, 8, 2},
                          Case{1200, 31, 1, {2, 2, 1, 1}}, Case{9, 700, 4, {0, 1, 3, 1}}}) {
      expect_on_device(device, c, random);
      expect_on_host(device, c, random);
    }
    EXPECT_EQ(emulated::take_faults(), "");
  }
}

/// What the kernels weigh by integers is what floats give, or in doubt; and little is.
TEST(DeviceClahe, IntegersGiveTheFloatsByteOrSayThatTheyMayNot) {
  using namespace kernels;
  std::mt19937 random(6);
  const std::uint32_t ends[] = {0, 1, 127, 128, 254, 255};
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  std::uint64_t doubtful = 0, all = 0;
  for (const std::uint32_t size : {1u, 2u, 3u, 7u, 8u, 50u, 157u, 313u, 1250u, 1251u, 4096u, 20000u, 32767u, 32768u}) {
    const Blend blend = blend_of(size);
    CellArguments cells;
    cells.inverse_width = cells.inverse_height = 1.0f / static_cast<float>(size);
    const auto cell_of = [&](std::uint32_t pixel) {
      return static_cast<std::uint32_t>(std::floor(tile_position(pixel, cells.inverse_width)) + 1.0f);
    };
    for (int round = 0; round < 40000; ++round) {
      const std::uint32_t x = below(size * (size < 100 ? 256 : 9)), y = below(size * (size < 100 ? 256 : 9));
      const Cell cell = {cell_of(x), cell_of(y), 0, 0, 0, 0};
      const Weights column = cells.column_weights(cell, x), row = cells.row_weights(cell, y);
      std::uint32_t entries = static_cast<std::uint32_t>(random());
      if (round % 2 == 0)
        for (unsigned k = 0; k < 4; ++k) entries = entries << 8 | ends[random() % std::size(ends)];
      const auto n = static_cast<std::int32_t>(2 * x + size - 2 * size * cell.column);
      const ColumnBlend columns = blend.column(n, column.second);
      const std::uint64_t sum =
          blended(entries, columns.pair, blend.row(row.second), std::uint64_t{(1u << 31) + columns.doubt});
      const bool in_doubt = columns.doubt >= 1u << 31 || static_cast<std::uint32_t>(sum) <= 2 * columns.doubt;
      ASSERT_TRUE(in_doubt || sum >> 32 == (exact(entries, column, row) & 255u))
          << size << ": " << x << ' ' << y << ' ' << entries;
      if (size == 313 || size == 1250) ++all, doubtful += in_doubt;
    }
  }
  EXPECT_LT(doubtful, all / 100);
  EXPECT_GT(doubtful, 0u);
}

TEST(DeviceClahe, RowsColumnsAndMoreTilesThanPixels) {
  std::mt19937 random(3);
  const Device device;
  for (const std::size_t length : {1u, 2u, 7u, 8u, 9u, 31u, 100u})
    for (const ClaheOptions& options : {ClaheOptions{2, 8, 8, 1}, ClaheOptions{2, 1, 13, 1}}) {
      expect_on_device(device, {length, 1, 1, options}, random);
      expect_on_device(device, {1, length, 3, options}, random);
      expect_on_host(device, {length, 1, 2, options}, random);
    }
}

TEST(DeviceClahe, SeveralImagesAndEmptyOnes) {
  std::mt19937 random(4);
  const Device device;
  const ClaheOptions options = {2, 3, 2, 1};
  PaddedImage first(30, 20, 3), second(30, 20, 3, 1, 2);
  first.fill(random, 10, 60);
  second.fill(random, 100, 200);
  const auto expected_first = expected_of(first, options), expected_second = expected_of(second, options);
  const auto strip_of = [](const PaddedImage& image) {
    return gpuhisto_apply_strip{image.view.data, image.view.data, 30, 20, image.view.row_bytes, image.view.row_bytes};
  };
  const gpuhisto_apply_strip strips[] = {strip_of(first), {nullptr, nullptr, 0, 5, 0, 0}, strip_of(second)};
  gpuhisto_apply request = request_for(strips[0], 3, GPUHISTO_ON_HOST, options);
  request.strips_count = 3;
  ASSERT_EQ(plugin().apply(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
  EXPECT_EQ(first.buffer, expected_first);
  EXPECT_EQ(second.buffer, expected_second);
}

TEST(DeviceClahe, MeasuresTheWholeOfIt) {
  std::mt19937 random(5);
  const Device device;
  const Case c = {100, 80, 1, {2, 4, 4, 1}, 0, 0, false};
  const PaddedImage image = image_of(c, random);
  const OnDevice from(device, image.buffer, 0), to(device, image.buffer, 0);
  const gpuhisto_apply_strip strip = {from.data(), to.data(), c.width, c.height, c.width, c.width};
  const gpuhisto_apply apply = request_for(strip, 1, GPUHISTO_ON_DEVICE, c.options);
  float milliseconds[3] = {-1, -1, -1};
  gpuhisto_measure measure = {};
  measure.size = sizeof measure;
  measure.what = GPUHISTO_MEASURE_APPLY;
  measure.rounds = 3;
  measure.apply = &apply;
  measure.milliseconds = milliseconds;
  ASSERT_EQ(plugin().measure(device.get(), &measure), GPUHISTO_OK) << plugin().last_error();
  for (const float time : milliseconds) EXPECT_GE(time, 0);
  EXPECT_EQ(to.fetch(), expected_of(image, c.options));
}

TEST(DeviceClahe, RefusalsNameWhatIsWrong) {
  const Device device;
  std::vector<std::uint8_t> pixels(100, 7);
  const gpuhisto_apply_strip strip = {pixels.data(), pixels.data(), 10, 10, 10, 10};
  const gpuhisto_apply good = request_for(strip, 1, GPUHISTO_ON_HOST, {2, 2, 2, 1});
  const auto refused = [&](const char* words, gpuhisto_status status, auto change) {
    gpuhisto_apply request = good;
    change(request);
    EXPECT_EQ(plugin().apply(device.get(), &request), status) << words;
    EXPECT_NE(std::string(plugin().last_error()).find(words), std::string::npos) << plugin().last_error();
  };
  const auto bad = GPUHISTO_BAD_REQUEST;
  refused("1 to 4 channels", bad, [](gpuhisto_apply& r) { r.channels = 5; });
  refused("whatever its alpha", bad, [](gpuhisto_apply& r) { r.skip_transparent = 1; });
  refused("tiles in each direction", bad, [](gpuhisto_apply& r) { r.tiles_across = 0; });
  refused("tiles in each direction", bad, [](gpuhisto_apply& r) { r.tiles_down = 5000; });
  refused("a side of 0 pixels", bad, [](gpuhisto_apply& r) { r.tile_width = 0; });
  refused("do not cover", bad, [](gpuhisto_apply& r) { r.tile_height = 4; });
  refused("2^32 in all", GPUHISTO_UNSUPPORTED, [](gpuhisto_apply& r) { r.tile_height = r.tile_width = 1 << 20; });
  // The first version's request ends before the tiles.
  refused("tiles in each direction", bad, [](gpuhisto_apply& r) { r.size = offsetof(gpuhisto_apply, tiles_across); });
  refused("smaller", bad, [](gpuhisto_apply& r) { r.size = offsetof(gpuhisto_apply, tables); });
  EXPECT_EQ(pixels, std::vector<std::uint8_t>(100, 7));
}

TEST(DeviceClahe, RequestsOfTheFirstVersionAreServed) {
  const Device device;
  std::vector<std::uint8_t> pixels(100, 7), table(256, 9);
  const gpuhisto_apply_strip strip = {pixels.data(), pixels.data(), 100, 1, 100, 100};
  gpuhisto_apply request = {};
  request.size = offsetof(gpuhisto_apply, tiles_across);
  request.channels = 1;
  request.memory = GPUHISTO_ON_HOST;
  request.strips_count = 1;
  request.strips = &strip;
  request.tables = table.data();
  ASSERT_EQ(plugin().apply(device.get(), &request), GPUHISTO_OK) << plugin().last_error();
  EXPECT_EQ(pixels, std::vector<std::uint8_t>(100, 9));
}

}  // namespace
}  // namespace gpuhisto::test
