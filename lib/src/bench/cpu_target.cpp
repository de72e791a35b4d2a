// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The CPU as something to measure.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "bench/cpu_keys.hpp"
#include "bench/fastest_read.hpp"
#include "bench/host_fill.hpp"
#include "gpuhisto/bench.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/parallel.hpp"

namespace gpuhisto::bench {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::size_t kRow = 4096;  // pixels of one row of a pattern: the counter shares rows among threads

constexpr const char* kUnsafe = "unsafe-nonatomic";

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.find(':') + 2, line.size()));
  return "CPU";
}

/// Bytes of a core's last level. sysconf() may tell those of all of them together.
std::uint64_t last_level() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");  // "32768K"
  if (std::uint64_t kibibytes = 0; file >> kibibytes) return kibibytes << 10;
  return static_cast<std::uint64_t>(std::max(::sysconf(_SC_LEVEL3_CACHE_SIZE), 0L));
}

/// Twice that, within reason: first touch of memory is dear.
std::uint64_t scratch_bytes() {
  static const std::uint64_t bytes = std::clamp<std::uint64_t>(2 * last_level(), 64 * kMiB, 1024 * kMiB);
  return bytes;
}

/// The sum of all whole words, so that nothing but reading is done; each thread reads its share.
std::uint64_t sum_words(const void* data, std::uint64_t bytes, int threads) {
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(threads));
  const auto* words = static_cast<const std::uint64_t*>(data);
  fork_join(static_cast<std::size_t>(bytes / 8), threads, [&](int part, std::size_t begin, std::size_t end) {
    std::uint64_t sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += words[i];
    sums[static_cast<std::size_t>(part)] = sum;
  });
  std::uint64_t total = 0;
  for (const auto sum : sums) total += sum;
  return total;
}

/// The lost update: threads read a bin, add one, and write it back, and nothing makes that one step.
void count_unsafely(const Shape& shape, const std::uint8_t* data, int threads, std::span<std::uint64_t> counts) {
  if (shape.keys != Keys::kPixels || shape.channels != 1 || shape.images != 1)
    throw Error(ErrorKind::kUnsupported, std::string(kUnsafe) + " counts one gray image on the CPU");
  std::fill(counts.begin(), counts.end(), 0);
  fork_join(static_cast<std::size_t>(shape.pixels()), threads, [&](int, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::atomic_ref bin(counts[data[i]]);
      bin.store(bin.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
  });
}

class CpuTarget final : public Target {
 public:
  explicit CpuTarget(int threads) : threads_(threads) {
    const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
    info_ = {"cpu", cpu_name(), "cpu", true, pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)), 0};
  }
  const TargetInfo& info() const override { return info_; }
  std::vector<Method> methods() const override {
    return {{"cpu", "fork/join over rows on the CPU", true},
            {kUnsafe, "threads share bins without atomics: loses counts, for teaching", false}};
  }

  void* allocate(std::uint64_t bytes) override {
    Image memory(static_cast<std::size_t>(bytes), 1, 1);  // in huge pages where there are any
    void* address = memory.view().data;
    std::memset(address, 0, static_cast<std::size_t>(bytes));
    return memory_.emplace(address, std::move(memory)).first->first;
  }
  void release(void* memory) override { memory_.erase(memory); }
  void upload(void* to, const void* from, std::uint64_t bytes) override { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::uint64_t bytes) override { std::memcpy(to, from, bytes); }
  void fill(void* to, std::uint64_t bytes, const Input& input, Keys keys, std::uint64_t seed) override {
    fill_on_host(to, bytes, input, keys, seed, threads_);
  }
  Sample measure(const Launch& launch, const void* data, const Burst& burst, std::span<std::uint64_t> counts) override;
  double read(const void* data, std::uint64_t bytes, const Burst& burst) override;
  double copy(void* to, const void* from, std::uint64_t bytes) override;
  std::optional<double> count_from_host(const Launch&, const void*, std::span<std::uint64_t>) override { return {}; }
  Description describe(const Launch& launch, const void* data) override;
  void evict(const void*, std::uint64_t) override {
    const std::uint64_t bytes = scratch_bytes();
    if (!scratch_) scratch_ = allocate(bytes);
    // Whole on every thread, which may have a last level of its own.
    fork_join(static_cast<std::size_t>(threads_), threads_,
              [&](int, std::size_t, std::size_t) { sink_ = sum_words(scratch_, bytes, 1); });
  }
  /// The threads' own bins of keys, and what evict() reads.
  std::uint64_t working_bytes(const Shape& shape) const override {
    const std::uint64_t parts = shape.keys == Keys::kU32 ? CpuKeyCounter::parts_of(shape, threads_) : 0;
    return parts * shape.bins * sizeof(std::uint64_t) + scratch_bytes();
  }

 private:
  int threads_of(const std::string& policy) const;
  void count(const Launch& launch, const std::uint8_t* data, std::span<std::uint64_t> counts);
  void count_image(const Shape& shape, const std::uint8_t* data, int threads, std::span<std::uint64_t> counts);

  int threads_;
  TargetInfo info_;
  CpuKeyCounter keys_;
  std::map<void*, Image> memory_;
  void* scratch_ = nullptr;
  std::atomic<std::uint64_t> sink_ = 0;  // so that no reading is left out
};

int CpuTarget::threads_of(const std::string& policy) const {
  constexpr std::string_view kKey = "threads=";
  int threads = 0;
  if (policy.empty()) return threads_;
  const char* begin = policy.data() + kKey.size();
  if (!policy.starts_with(kKey) || std::from_chars(begin, policy.data() + policy.size(), threads).ec != std::errc{} ||
      threads < 1)
    throw Error(ErrorKind::kUsage, "policy '" + policy + "' is not for the CPU: it takes threads=N");
  return threads;
}

/// One image, as the program counts it; a pattern's one long row as many.
void CpuTarget::count_image(const Shape& shape, const std::uint8_t* data, int threads,
                            std::span<std::uint64_t> counts) {
  CountSpec spec;
  if (has_color(shape.channels) && !shape.luma) {
    spec.channels = ChannelSet().set(Channel::kRed).set(Channel::kGreen).set(Channel::kBlue);
    if (has_alpha(shape.channels)) spec.channels.set(Channel::kAlpha);
  }
  const auto counter = make_cpu_histogrammer(shape.channels, spec, threads);
  const auto channels = static_cast<std::size_t>(shape.channels);
  const bool flat = shape.height == 1;
  const std::size_t width = flat ? kRow : static_cast<std::size_t>(shape.width);
  const auto rows = static_cast<std::size_t>(flat ? shape.width / kRow : shape.height);
  counter->count({data, width, rows, shape.channels, width * channels}, 0);
  const std::size_t rest = flat ? static_cast<std::size_t>(shape.width) - rows * kRow : 0;
  if (rest > 0) counter->count({data + rows * kRow * channels, rest, 1, shape.channels, rest * channels}, rows);
  const ImageHistogram histogram = counter->finish();
  for (std::size_t c = 0; c < kChannelCount; ++c)
    std::copy(histogram.counts[c].begin(), histogram.counts[c].end(), counts.begin() + static_cast<long>(c * kBins));
}

void CpuTarget::count(const Launch& launch, const std::uint8_t* data, std::span<std::uint64_t> counts) {
  const Shape& shape = launch.shape;
  const int threads = threads_of(launch.policy);
  if (launch.method == kUnsafe) return count_unsafely(shape, data, threads, counts);
  if (shape.keys == Keys::kU32) {
    keys_.count({reinterpret_cast<const std::uint32_t*>(data), static_cast<std::size_t>(shape.pixels())}, shape,
                threads, counts);
    return;
  }
  const auto image = static_cast<std::size_t>(shape.bytes() / std::max<std::uint64_t>(1, shape.images));
  if (shape.images == 1) return count_image(shape, data, threads, counts);
  fork_join(static_cast<std::size_t>(shape.images), threads, [&](int, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      count_image(shape, data + i * image, 1, counts.subspan(i * shape.counts_per_image(), shape.counts_per_image()));
  });
}

Sample CpuTarget::measure(const Launch& launch, const void* data, const Burst& burst, std::span<std::uint64_t> counts) {
  Sample sample;
  for (std::uint32_t round = 0; round < burst.rounds; ++round) {
    const auto begin = Clock::now();
    for (std::uint32_t i = 0; i < burst.launches; ++i)
      count(launch, static_cast<const std::uint8_t*>(data) + i * burst.stride, counts);
    sample.seconds = since(begin) / burst.launches;
  }
  return sample;
}

double CpuTarget::read(const void* data, std::uint64_t bytes, const Burst& burst) {
  const auto pass = [&](int threads) {
    double seconds = 0;
    for (std::uint32_t round = 0; round < burst.rounds; ++round) {
      const auto begin = Clock::now();
      for (std::uint32_t i = 0; i < burst.launches; ++i)
        sink_ = sum_words(static_cast<const std::uint8_t*>(data) + i * burst.stride, bytes, threads);
      seconds = since(begin) / burst.launches;
    }
    return seconds;
  };
  return fastest_read(threads_, pass, [&] {
    if (burst.rounds == 1) evict(nullptr, 0);
  });
}

double CpuTarget::copy(void* to, const void* from, std::uint64_t bytes) {
  const auto begin = Clock::now();
  fork_join(static_cast<std::size_t>(bytes), threads_, [&](int, std::size_t first, std::size_t end) {
    std::memcpy(static_cast<std::uint8_t*>(to) + first, static_cast<const std::uint8_t*>(from) + first, end - first);
  });
  return since(begin);
}

Description CpuTarget::describe(const Launch& launch, const void*) {
  Description description;
  const int threads = threads_of(launch.policy);
  description.kernel = std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  description.policy = "threads=" + std::to_string(threads);
  return description;
}

}  // namespace

std::unique_ptr<Target> make_cpu_target(int threads) { return std::make_unique<CpuTarget>(threads); }

}  // namespace gpuhisto::bench
