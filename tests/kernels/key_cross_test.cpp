// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Every method that counts keys against the oracle, over policies, rules, numbers of bins, sizes, pitches, patterns,
// ranges and kinds of memory, and, emulated, wave sizes and lane orders: all pairs, then random cells for some seconds,
// on the emulated device or a GPU (GPUHISTO_TEST_MODULE). GPUHISTO_TEST_SEED repeats a run.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

#include "emulated/config.hpp"
#include "kernels/cells.hpp"
#include "kernels/key_cases.hpp"

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
constexpr Size kSizes[] = {{0, 0},  {0, 3},  {1, 1},    {2, 1},    {3, 1},    {4, 1},    {5, 1},
                           {63, 1}, {64, 1}, {255, 1},  {257, 1},  {4095, 1}, {4097, 1}, {1, 41},
                           {3, 13}, {17, 9}, {130, 11}, {1023, 5}, {20011, 1}};
constexpr const char* kPolicies[] = {"",
                                     "block=128,lanes=32,bound=1000",
                                     "block=256,lanes=16,blocks=1,replicas=4",
                                     "block=256,replicas=1,loads=1",
                                     "block=128,replicas=32,loads=4,bound=77",
                                     "block=64,grid=7,loads=4",
                                     "block=128,replicas=2,grid=1",
                                     "block=256,replicas=16,loads=2"};
constexpr std::uint64_t kBinCounts[] = {1, 2, 3, 5, 127, 255, 256, 257, 1000, 4096, 4099, 8193, 15000, 70001, 1 << 18};
constexpr std::uint64_t kWhole = std::uint64_t{1} << 32;
constexpr unsigned kPads[] = {0, 1, 3, 4, 29};  // keys between rows

enum Dimension { kMethod, kPolicy, kRule, kBinCount, kSize, kOffset, kPad, kPattern, kRange, kMemory, kWave, kOrder };

struct Case {
  std::string method, policy;
  std::uint32_t rule;
  std::uint64_t bins;
  Size size;
  unsigned offset, pad;
  const NamedPattern* pattern;
  std::uint64_t range;
  unsigned memory, wave, order;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.method << " policy '" << c.policy << (c.rule == GPUHISTO_BIN_MODULO ? "' modulo " : "' range ")
             << c.bins << " bins, " << c.size.width << 'x' << c.size.height << " offset " << c.offset << " pad "
             << c.pad << ' ' << c.pattern->name << " below " << c.range << (c.memory ? " host" : " device")
             << " wave-device " << c.wave << " order " << c.order;
}

std::vector<const NamedPattern*> key_patterns() {
  std::vector<const NamedPattern*> patterns;
  for (const auto& named : kPatterns)
    if (pattern_has_keys(named.spec.pattern)) patterns.push_back(&named);
  return patterns;
}

/// As wide as the bins, twice as wide, or any key.
std::uint64_t range_of(unsigned which, std::uint64_t bins) { return which == 2 ? kWhole : bins * (which + 1); }

KeyImage make_keys(const Case& c, std::uint64_t seed) {
  KeyImage image;
  image.width = c.size.width;
  image.height = c.size.height;
  image.row_keys = image.width + c.pad;
  image.keys.assign(image.height ? (image.height - 1) * image.row_keys + image.width : 0, 0xEEEEEEEE);
  std::vector<std::uint32_t> keys(image.width * image.height);
  fill_keys(keys.data(), keys.size(), {c.pattern->spec.pattern, c.range}, seed);
  for (std::size_t y = 0; y < image.height; ++y)
    std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(y * image.width), image.width,
                image.keys.begin() + static_cast<std::ptrdiff_t>(y * image.row_keys));
  return image;
}

class KeyCross : public ::testing::Test {
 protected:
  KeyCross() : patterns_(key_patterns()) {
    for (const auto& method : method_names())
      if (method.exact) methods_.push_back(method.name);
  }

  std::vector<unsigned> sizes() const {
    const unsigned devices = emulated() ? 2 : 1, orders = emulated() ? 3 : 1;
    return {static_cast<unsigned>(methods_.size()),
            std::size(kPolicies),
            2,
            std::size(kBinCounts),
            std::size(kSizes),
            4,
            std::size(kPads),
            static_cast<unsigned>(patterns_.size()),
            3,
            2,
            devices,
            orders};
  }
  Case case_of(const Cell& cell) const {
    const std::uint64_t bins = kBinCounts[cell[kBinCount]];
    return {methods_[cell[kMethod]],
            kPolicies[cell[kPolicy]],
            cell[kRule] ? GPUHISTO_BIN_RANGE : GPUHISTO_BIN_MODULO,
            bins,
            kSizes[cell[kSize]],
            cell[kOffset],
            kPads[cell[kPad]],
            patterns_[cell[kPattern]],
            range_of(cell[kRange], bins),
            cell[kMemory],
            cell[kWave],
            cell[kOrder]};
  }

  /// Runs one cell; false if the device cannot do it and says so.
  bool run(const Case& c, std::uint64_t seed) {
    if (emulated()) configure(c);
    const KeyImage image = make_keys(c, seed);
    KeyBins counted(static_cast<std::size_t>(c.bins), 1);  // counts are added to what is there
    const gpuhisto_status status = count(c, image, counted);
    if (status == GPUHISTO_UNSUPPORTED) {
      EXPECT_STRNE(plugin().last_error(), "") << c;
      return false;
    }
    EXPECT_EQ(status, GPUHISTO_OK) << c << ": " << plugin().last_error();
    KeyBins expected = oracle_keys(image, c.rule, c.bins);
    for (auto& bin : expected) ++bin;
    EXPECT_TRUE(counted == expected) << c << " seed " << seed;
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

  gpuhisto_status count(const Case& c, const KeyImage& image, KeyBins& bins) {
    auto& device = devices_[c.wave];
    if (!device) device = std::make_unique<Device>(static_cast<int>(c.wave));
    const OnDevice memory(*device, image.bytes(), 4 * c.offset);
    std::vector<std::uint32_t> shifted(c.offset);
    shifted.insert(shifted.end(), image.keys.begin(), image.keys.end());
    const void* data = memory.data();
    if (c.memory == GPUHISTO_ON_HOST) data = shifted.data() + c.offset;
    KeyRequest request(data, image, c.rule, c.bins);
    request.strip.bins = bins.data();
    request.count.memory = c.memory;
    request.count.method = c.method.c_str();
    request.count.policy = c.policy.c_str();
    const gpuhisto_status status = plugin().count(device->get(), &request.count);
    if (status == GPUHISTO_OK) {
      EXPECT_EQ(std::string(request.count.counted_by), c.method);
    }
    return status;
  }

  std::vector<std::string> methods_;
  std::vector<const NamedPattern*> patterns_;
  std::map<unsigned, std::unique_ptr<Device>> devices_;
};

TEST_F(KeyCross, EveryCellEqualsTheOracle) {
  std::mt19937 random(static_cast<unsigned>(seed_of_run()));
  std::size_t done = 0, refused = 0;
  const auto cells = all_pairs(sizes(), random);
  for (const Cell& cell : cells) {
    ++(run(case_of(cell), random()) ? done : refused);
    if (HasFailure()) return;
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(number_from("GPUHISTO_TEST_SECONDS", 3));
  while (std::chrono::steady_clock::now() < until && !HasFailure())
    ++(run(case_of(draw_cell(sizes(), random)), random()) ? done : refused);
  std::printf("%zu cells counted, %zu refused with a reason; %zu of them cover all pairs\n", done, refused,
              cells.size());
  EXPECT_GT(done, cells.size() / 3);
}

}  // namespace
}  // namespace gpuhisto::test
