// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "tools/report_keys.hpp"

#include <cstdio>
#include <cstring>
#include <random>

#include "gpuhisto/key_pattern.hpp"

namespace gpuhisto::report {
namespace {

constexpr unsigned kSlowRounds = 3;

/// Keys of a pattern in the device's image memory, with their counts modulo the number of bins.
class Keys {
 public:
  Keys(ReportDevice& device, std::uint64_t keys, std::uint64_t bins) : device_(device), keys_(keys), bins_(bins) {
    strip_ = {device.image(), keys, 1, keys * 4, nullptr, 0, nullptr};
    count_.size = sizeof count_;
    count_.key = GPUHISTO_KEY_U32;
    count_.channels = 1;
    count_.strips_count = 1;
    count_.strips = &strip_;
    count_.bins_count = bins;
  }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  void fill(Pattern pattern) {
    gpuhisto_fill fill = {};
    fill.size = sizeof fill;
    fill.pattern = static_cast<std::uint32_t>(pattern);
    fill.key = GPUHISTO_KEY_U32;
    fill.seed = std::random_device{}();
    fill.target = device_.image();
    fill.bytes = keys_ * 4;
    fill.range = bins_;
    std::vector<std::uint32_t> host(keys_);
    if (device_.table().fill(device_.handle(), &fill) != GPUHISTO_OK ||
        device_.table().download(device_.handle(), host.data(), device_.image(), fill.bytes) != GPUHISTO_OK)
      stop(device_.table().last_error());
    expected_.assign(bins_, 0);
    std::vector<std::vector<std::uint32_t>> parts(bins_ > 1u << 20 ? 1 : parallel_parts());
    const auto count = [&](unsigned part, std::uint64_t begin, std::uint64_t end) {
      std::vector<std::uint32_t> own(bins_);
      for (std::uint64_t i = begin; i < end; ++i) ++own[host[i] % bins_];
      parts[part] = std::move(own);
    };
    if (parts.size() == 1)  // more bins than are worth having once for each core
      count(0, 0, keys_);
    else
      in_parallel(keys_, count);
    for (const auto& part : parts)
      for (std::size_t i = 0; i < part.size(); ++i) expected_[i] += part[i];
  }

  double time_read() {
    count_.method = "per-block";
    count_.policy = "";
    count_.bin_rule = GPUHISTO_BIN_MODULO;
    const Timing timing = measure(GPUHISTO_MEASURE_READ, kRounds);
    if (!timing.note.empty()) stop(timing.note);
    return timing.seconds;
  }
  Timing time(const char* method, const char* policy, unsigned rounds) {
    count_.method = method;
    count_.policy = policy;
    count_.bin_rule = std::strcmp(method, "vendor") == 0 ? GPUHISTO_BIN_RANGE : GPUHISTO_BIN_MODULO;
    return measure(GPUHISTO_MEASURE_METHOD, rounds);
  }
  std::string description() {
    count_.method = "per-block";
    count_.policy = "";
    count_.bin_rule = GPUHISTO_BIN_MODULO;
    gpuhisto_description d = {};
    d.size = sizeof d;
    if (device_.table().describe(device_.handle(), &count_, &d) != GPUHISTO_OK) return device_.table().last_error();
    char text[400];
    std::snprintf(text, sizeof text, "%s<<<%u,%u,%u>>> %u registers, %u bytes spilled, %u blocks resident, %u passes",
                  d.kernel, d.blocks, d.block_threads, d.shared_bytes, d.registers, d.spilled_bytes, d.resident_blocks,
                  d.passes);
    return text;
  }

 private:
  Timing measure(gpuhisto_measured what, unsigned rounds) {
    std::vector<std::uint64_t> bins(bins_, 0xABABABAB);
    gpuhisto_measure measured = {};
    measured.what = what;
    measured.count = &count_;
    measured.bins = bins.data();
    Timing timing = device_.measure(measured, rounds);
    timing.exact = bins == expected_;
    return timing;
  }

  ReportDevice& device_;
  std::uint64_t keys_, bins_;
  gpuhisto_strip strip_ = {};
  gpuhisto_count count_ = {};
  std::vector<std::uint64_t> expected_;
};

bool line(const std::string& what, const Timing& timing, double read) {
  if (!timing.note.empty()) {
    std::printf("  %-52s %s\n", what.c_str(), timing.note.c_str());
    return true;
  }
  std::printf("  %-52s %9.4f ms %6.1f %%%s", what.c_str(), timing.seconds * 1e3, 100 * read / timing.seconds,
              timing.exact ? "" : " WRONG");
  if (timing.second_kernel > 0)
    std::printf(" (second kernel %.1f %%)", 100 * static_cast<double>(timing.second_kernel));
  std::printf("\n");
  return timing.exact;
}

constexpr struct {
  const char* name;
  Pattern pattern;
} kKeyPatterns[] = {{"uniform", Pattern::kUniform},
                    {"every-4th-fixed", Pattern::kEveryFourth},
                    {"zipf", Pattern::kZipf},
                    {"constant", Pattern::kConstant}};

bool keys_in_bins(ReportDevice& device, std::uint64_t bins) {
  Keys keys(device, std::uint64_t{1} << 26, bins);
  bool right = true;
  std::printf("2^26 keys, %llu bins\n  %s\n", static_cast<unsigned long long>(bins), keys.description().c_str());
  for (const auto& [name, pattern] : kKeyPatterns) {
    keys.fill(pattern);
    const double read = keys.time_read();
    std::printf(" %s\n  %-52s %9.4f ms\n", name, "read", read * 1e3);
    const auto show = [&](const char* method, const char* policy, unsigned rounds) {
      right &= line(*policy ? std::string("tried: ") + policy : method, keys.time(method, policy, rounds), read);
    };
    show("per-block", "", kRounds);
    show("per-block-partial", "", kRounds);
    show("vendor", "", kRounds);
    for (const char* method : {"per-grid", "per-grid-vec4", "wave-aggregated"}) show(method, "", kSlowRounds);
    if (pattern == Pattern::kConstant) continue;
    const bool many = bins > 1024;  // copies of these do not fit 32 times
    for (const char* policy : {"block=1024,blocks=2,replicas=4,loads=4", "block=512,blocks=4,replicas=2,loads=2",
                               "block=1024,blocks=1,replicas=8,loads=4", "block=1024,blocks=2,replicas=4,loads=1"})
      if (many) show("per-block", policy, kRounds);
    for (const char* policy : {"block=1024,blocks=2,replicas=32,loads=1", "block=1024,blocks=2,replicas=32,loads=4",
                               "block=512,blocks=4,replicas=32,loads=2", "block=1024,blocks=2,replicas=8,loads=2"})
      if (!many) show("per-block", policy, kRounds);
  }
  return right;
}

/// Bins that are no power of two, and more than shared memory holds.
bool keys_in_odd_bins(ReportDevice& device) {
  bool right = true;
  for (const std::uint64_t bins : {std::uint64_t{1000}, std::uint64_t{50000}, std::uint64_t{200000}}) {
    Keys keys(device, std::uint64_t{1} << 26, bins);
    keys.fill(Pattern::kUniform);
    const double read = keys.time_read();
    std::printf("2^26 keys, uniform, %llu bins\n  %s\n", static_cast<unsigned long long>(bins),
                keys.description().c_str());
    const std::string prefix = std::to_string(bins) + " bins, ";
    right &= line(prefix + "per-block", keys.time("per-block", "", kRounds), read);
    right &= line(prefix + "per-grid", keys.time("per-grid", "", kSlowRounds), read);
  }
  return right;
}

bool keys_in_as_many_bins(ReportDevice& device) {
  constexpr std::uint64_t kKeys = std::uint64_t{1} << 24;
  Keys keys(device, kKeys, kKeys);
  bool right = true;
  for (const Pattern pattern : {Pattern::kUniform, Pattern::kZipf}) {
    keys.fill(pattern);
    const double read = keys.time_read();
    std::printf("2^24 keys, 2^24 bins, %s\n", pattern == Pattern::kUniform ? "uniform" : "zipf");
    for (const char* method : {"per-block", "per-grid", "per-grid-vec4"})
      right &= line(std::string("2^24 bins, ") + method,
                    keys.time(method, "", pattern == Pattern::kUniform ? kRounds : kSlowRounds), read);
  }
  return right;
}

constexpr std::uint64_t kSide = 256, kImages = 4096;

/// One image after the other in the image memory.
std::vector<gpuhisto_strip> batch_strips(ReportDevice& device) {
  std::vector<gpuhisto_strip> strips;
  for (std::uint64_t i = 0; i < kImages; ++i)
    strips.push_back(
        {static_cast<std::uint8_t*>(device.image()) + i * kSide * kSide, kSide, kSide, kSide, nullptr, 0, nullptr});
  return strips;
}

bool batch_is_right(const ReportDevice& device, const Bins& bins) {
  std::vector<int> wrong(parallel_parts());
  in_parallel(kImages, [&](unsigned part, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      std::uint64_t own[GPUHISTO_CHANNELS * GPUHISTO_BINS] = {};
      for (std::uint64_t k = 0; k < kSide * kSide; ++k) ++own[device.host()[i * kSide * kSide + k]];
      if (std::memcmp(own, bins.data() + i * std::size(own), sizeof own) != 0) wrong[part] = 1;
    }
  });
  for (const int w : wrong)
    if (w) return false;
  return true;
}

Timing time_batch(ReportDevice& device, const std::vector<gpuhisto_strip>& strips, gpuhisto_measured what,
                  const char* policy) {
  gpuhisto_count count = {};
  count.size = sizeof count;
  count.channels = 1;
  count.strips_count = static_cast<std::uint32_t>(strips.size());
  count.strips = strips.data();
  count.method = "per-block";
  count.policy = policy;
  Bins bins(kImages * GPUHISTO_CHANNELS * GPUHISTO_BINS, 0xABABABAB);
  gpuhisto_measure measured = {};
  measured.what = what;
  measured.count = &count;
  measured.bins = bins.data();
  Timing timing = device.measure(measured);
  timing.exact = what == GPUHISTO_MEASURE_READ || batch_is_right(device, bins);
  return timing;
}

}  // namespace

bool report_keys(ReportDevice& device) {
  bool right = keys_in_bins(device, 256);
  right &= keys_in_bins(device, 4096);
  right &= keys_in_odd_bins(device);
  right &= keys_in_as_many_bins(device);
  return right;
}

bool report_batch(ReportDevice& device) {
  const auto strips = batch_strips(device);
  bool right = true;
  for (const char* pattern : {"uniform", "constant", "photo"}) {
    device.fill(pattern);
    const Timing read = time_batch(device, strips, GPUHISTO_MEASURE_READ, "");
    if (!read.note.empty()) stop(read.note);
    std::printf("4096 gray images of 256x256 in one launch, %s\n", pattern);
    right &= line("read", read, read.seconds);
    for (const char* policy : {"", "block=512,blocks=4", "block=256,blocks=6", "block=384,blocks=4",
                               "block=512,blocks=8", "block=512,grid=683", "replicas=16"})
      right &= line(*policy ? std::string("tried: ") + policy : "per-block",
                    time_batch(device, strips, GPUHISTO_MEASURE_METHOD, policy), read.seconds);
  }
  return right;
}

}  // namespace gpuhisto::report
