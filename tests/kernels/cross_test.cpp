// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Every exact method against the oracle, over methods, policies, formats, luma rules, predicates, sizes, alignments,
// pitches, patterns, kinds of memory and, emulated, wave sizes and lane orders. On a GPU (GPUHISTO_TEST_MODULE) whole
// shapes; emulated all pairs and random cells. GPUHISTO_TEST_SEED repeats a run; GPUHISTO_TEST_SECONDS and _WHOLE give
// the two their time; GPUHISTO_TEST_CELLS runs so many cells of each method alone, as under a tool that is slow.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

#include "emulated/config.hpp"
#include "gpuhisto/pattern.hpp"
#include "kernels/cells.hpp"
#include "kernels/device_under_test.hpp"
#include "kernels/oracle.hpp"

namespace gpuhisto::test {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif

struct Size {
  unsigned width, height;
};
constexpr Size kSizes[] = {{0, 0},  {0, 5},   {1, 1},   {2, 1},    {3, 1},    {15, 1},   {16, 1},
                           {17, 1}, {255, 1}, {256, 1}, {257, 1},  {4095, 1}, {4097, 1}, {1, 97},
                           {7, 13}, {33, 40}, {97, 29}, {255, 17}, {513, 11}, {30011, 1}};
constexpr const char* kPolicies[] = {"",
                                     "block=128,lanes=32,bound=1000",
                                     "block=256,lanes=16,blocks=1,replicas=4",
                                     "block=256,replicas=1,overflow=periodic-merge,layout=row",
                                     "block=128,replicas=32,overflow=avoid,layout=interleaved",
                                     "block=256,replicas=16,overflow=periodic-merge,layout=interleaved,bound=77",
                                     "block=128,replicas=2,overflow=check,layout=column",
                                     "block=256,replicas=8,overflow=avoid,layout=byte-per-lane"};
constexpr unsigned kPads[] = {0, 1, 6, 16, 131};  // bytes between rows

enum Dimension {
  kMethod,
  kPolicy,
  kChannelCount,
  kLuma,
  kSkip,
  kMask,
  kSize,
  kOffset,
  kPad,
  kPattern,
  kMemory,
  kWave,
  kOrder
};

/// What a cell means, for messages.
struct Case {
  std::string method, policy;
  unsigned channels, luma, skip, mask;
  Size size;
  unsigned offset, pad;
  const NamedPattern* pattern;
  unsigned memory, wave, order;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.method << " policy '" << c.policy << "' channels " << c.channels << " luma " << c.luma << " skip "
             << c.skip << " mask " << c.mask << ' ' << c.size.width << 'x' << c.size.height << " offset " << c.offset
             << " pad " << c.pad << ' ' << c.pattern->name << (c.memory ? " host" : " device") << " wave-device "
             << c.wave << " order " << c.order;
}

std::vector<std::string> exact_methods() {
  std::vector<std::string> names;
  for (const auto& method : method_names())
    if (method.exact) names.push_back(method.name);
  return names;
}

std::vector<unsigned> sizes_of_cross(std::size_t methods) {
  const unsigned devices = emulated() ? 2 : 1, orders = emulated() ? 3 : 1;
  return {static_cast<unsigned>(methods),
          std::size(kPolicies),
          4,
          6,
          2,
          2,
          std::size(kSizes),
          16,
          std::size(kPads),
          std::size(kPatterns),
          2,
          devices,
          orders};
}

Case case_of(const Cell& cell, const std::vector<std::string>& methods) {
  return {methods[cell[kMethod]],
          kPolicies[cell[kPolicy]],
          cell[kChannelCount] + 1,
          cell[kLuma],
          cell[kSkip],
          cell[kMask],
          kSizes[cell[kSize]],
          cell[kOffset],
          kPads[cell[kPad]],
          &kPatterns[cell[kPattern]],
          cell[kMemory],
          cell[kWave],
          cell[kOrder]};
}

/// The image of a case: poison between its rows.
struct Image {
  std::vector<std::uint8_t> bytes, mask;
  std::size_t row_bytes;
};

Image make_image(const Case& c, std::uint64_t seed) {
  const std::size_t row = std::size_t{c.size.width} * c.channels;
  Image image;
  image.row_bytes = row + c.pad;
  image.bytes.assign(c.size.height ? (c.size.height - 1) * image.row_bytes + row : 0, 0xEE);
  for (unsigned y = 0; y < c.size.height; ++y)
    fill_pattern(image.bytes.data() + y * image.row_bytes, row, c.pattern->spec, seed, y * row);
  std::mt19937 random(static_cast<unsigned>(seed));
  if (c.channels % 2 == 0)  // some transparent pixels, whatever the pattern
    for (unsigned y = 0; y < c.size.height; ++y)
      for (unsigned x = 0; x < c.size.width; ++x)
        if (random() % 3 == 0) image.bytes[y * image.row_bytes + x * c.channels + c.channels - 1] = 0;
  if (c.mask)
    for (std::size_t i = 0; i < std::size_t{c.size.width} * c.size.height; ++i)
      image.mask.push_back(static_cast<std::uint8_t>(random() % 3));
  return image;
}

class Cross : public ::testing::Test {
 protected:
  Device& device(unsigned index) {
    auto& slot = devices_[index];
    if (!slot) slot = std::make_unique<Device>(static_cast<int>(index));
    return *slot;
  }

  /// Runs one cell; false if the device cannot do it and says so.
  bool run(const Case& c, std::uint64_t seed) {
    if (emulated()) configure(c);
    const Image image = make_image(c, seed);
    Bins counted{};
    for (auto& channel : counted) channel.fill(1);  // counts are added to what is there
    const gpuhisto_status status = count(c, image, counted);
    if (status == GPUHISTO_UNSUPPORTED) {
      EXPECT_STRNE(plugin().last_error(), "") << c;
      return false;
    }
    EXPECT_EQ(status, GPUHISTO_OK) << c << ": " << plugin().last_error();
    Bins expected = oracle_count({image.bytes.data(), c.size.width, c.size.height, image.row_bytes, c.channels}, c.luma,
                                 c.skip != 0, c.mask ? &image.mask : nullptr);
    for (auto& channel : expected)
      for (auto& bin : channel) ++bin;
    EXPECT_EQ(counted, expected) << c << " seed " << seed;
    if (emulated()) {
      EXPECT_EQ(emulated::take_faults(), "") << c << " seed " << seed;
    }
    return true;
  }

 private:
  static void configure(const Case& c) {
    emulated::Config& config = emulated::device_config(static_cast<int>(c.wave));
    config.order = static_cast<emulated::LaneOrder>(c.order);
    config.seed = c.offset + 1;
    if (kThreadSanitizer) config.max_block_lanes = 256;
  }

  gpuhisto_status count(const Case& c, const Image& image, Bins& bins) {
    Device& d = device(c.wave);
    std::vector<std::uint8_t> shifted(c.offset + image.bytes.size());
    std::copy(image.bytes.begin(), image.bytes.end(), shifted.begin() + c.offset);
    std::unique_ptr<OnDevice> pixels, mask;
    gpuhisto_strip strip = {
        shifted.data() + c.offset, c.size.width, c.size.height, image.row_bytes, nullptr, c.size.width, bins[0].data()};
    if (c.mask) strip.mask = image.mask.data();
    if (c.memory == GPUHISTO_ON_DEVICE) {
      pixels = std::make_unique<OnDevice>(d, image.bytes, c.offset);
      strip.pixels = pixels->data();
      if (c.mask) {
        mask = std::make_unique<OnDevice>(d, image.mask, c.offset / 2);
        strip.mask = mask->data();
      }
    }
    gpuhisto_count request = {};
    request.size = sizeof request;
    request.channels = c.channels;
    request.luma = c.luma;
    request.skip_transparent = c.skip;
    request.memory = c.memory;
    request.strips_count = 1;
    request.strips = &strip;
    request.method = c.method.c_str();
    request.policy = c.policy.c_str();
    const gpuhisto_status status = plugin().count(d.get(), &request);
    if (status == GPUHISTO_OK) {
      // Masks are for per-block, and the vendor's library leaves no pixel out.
      const bool handed = c.mask || (c.method == "vendor" && c.skip && c.channels % 2 == 0);
      EXPECT_EQ(std::string(request.counted_by), handed && c.size.width * c.size.height > 0 ? "per-block" : c.method)
          << c;
    }
    return status;
  }

  std::map<unsigned, std::unique_ptr<Device>> devices_;
};

TEST_F(Cross, EveryCellEqualsTheOracle) {
  if (std::getenv("GPUHISTO_TEST_CELLS")) GTEST_SKIP() << "GPUHISTO_TEST_CELLS asks for a number of cells";
  const auto methods = exact_methods();
  const auto sizes = sizes_of_cross(methods.size());
  std::mt19937 random(static_cast<unsigned>(seed_of_run()));
  std::size_t done = 0, refused = 0;
  const auto cells = all_pairs(sizes, random);
  for (const Cell& cell : cells) {
    ++(run(case_of(cell, methods), random()) ? done : refused);
    if (HasFailure()) return;
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(number_from("GPUHISTO_TEST_SECONDS", 5));
  while (std::chrono::steady_clock::now() < until && !HasFailure())
    ++(run(case_of(draw_cell(sizes, random), methods), random()) ? done : refused);
  std::printf("%zu cells counted, %zu refused with a reason; %zu of them cover all pairs\n", done, refused,
              cells.size());
  EXPECT_GT(done, cells.size() / 2);
}

/// So many cells of each method, drawn at random, in turn.
TEST_F(Cross, DrawnCellsOfEachMethod) {
  const std::uint64_t wanted = number_from("GPUHISTO_TEST_CELLS", 0);
  if (wanted == 0) GTEST_SKIP() << "GPUHISTO_TEST_CELLS says how many cells";
  const auto methods = exact_methods();
  const auto sizes = sizes_of_cross(methods.size());
  std::mt19937 random(static_cast<unsigned>(seed_of_run()));
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(number_from("GPUHISTO_TEST_SECONDS", 60));
  std::vector<std::size_t> done(methods.size()), refused(methods.size());
  bool in_time = true;
  for (std::uint64_t i = 0; i < wanted && in_time; ++i)
    for (unsigned m = 0; m < methods.size() && !HasFailure(); ++m) {
      Cell cell = draw_cell(sizes, random);
      cell[kMethod] = m;
      ++(run(case_of(cell, methods), random()) ? done : refused)[m];
      in_time = std::chrono::steady_clock::now() < until;
    }
  for (std::size_t m = 0; m < methods.size(); ++m) {
    std::printf("%s: %zu cells counted, %zu refused with a reason, of %llu\n", methods[m].c_str(), done[m], refused[m],
                static_cast<unsigned long long>(wanted));
    EXPECT_GT(done[m] + refused[m], 0u);
  }
}

/// Sizes, offsets, pads and policies in full for each method and format, patterns at random: what only a GPU has time
/// for. Within GPUHISTO_TEST_WHOLE seconds; the methods take turns, so that all get as far.
TEST_F(Cross, WholeShapesOnAGpu) {
  if (emulated()) GTEST_SKIP() << "all pairs and random cells stand for it when emulated";
  if (std::getenv("GPUHISTO_TEST_CELLS")) GTEST_SKIP() << "GPUHISTO_TEST_CELLS asks for a number of cells";
  std::mt19937_64 random(seed_of_run());
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(number_from("GPUHISTO_TEST_WHOLE", 240));
  const auto methods = exact_methods();
  std::vector<Case> cases;
  for (unsigned channels = 1; channels <= 4; ++channels)
    for (const Size size : kSizes)
      for (unsigned offset = 0; offset < 16; ++offset)
        for (const unsigned pad : kPads)
          for (const char* policy : kPolicies)
            for (const unsigned skip : {0u, 1u})
              if (!skip || channels % 2 == 0)
                cases.push_back({"", policy, channels, 0, skip, 0, size, offset, pad, nullptr, 0, 0, 0});
  std::shuffle(cases.begin(), cases.end(), random);
  std::size_t done = 0, refused = 0;
  for (Case c : cases) {
    for (const auto& method : methods) {
      c.method = method;
      c.pattern = &kPatterns[random() % std::size(kPatterns)];
      c.luma = static_cast<unsigned>(random() % 6);
      c.memory = static_cast<unsigned>(random() % 2);
      ++(run(c, random()) ? done : refused);
      if (HasFailure()) return;
    }
    if (std::chrono::steady_clock::now() > until) break;
  }
  std::printf("%zu cells counted, %zu refused with a reason, of %zu\n", done, refused, cases.size() * methods.size());
  EXPECT_GT(done, 0u);
}

}  // namespace
}  // namespace gpuhisto::test
