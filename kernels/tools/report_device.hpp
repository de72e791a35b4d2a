// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A module's first device for the report: memory, patterns, timed and verified runs.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plugin.h"

namespace gpuhisto::report {

using Bins = std::vector<std::uint64_t>;  // GPUHISTO_CHANNELS x GPUHISTO_BINS

struct Shape {
  unsigned channels = 1;
  std::uint64_t width = 0, height = 1, row_bytes = 0;
  std::size_t offset = 0;  ///< of the first pixel from an aligned address
  gpuhisto_luma luma = GPUHISTO_LUMA_NONE;

  std::uint64_t pixels() const { return width * height; }
  std::uint64_t bytes() const { return pixels() * channels; }
  std::uint64_t span() const { return (height - 1) * row_bytes + width * channels; }
};
/// Pixels in one row.
Shape flat(unsigned channels, std::uint64_t pixels, gpuhisto_luma luma = GPUHISTO_LUMA_NONE, std::size_t offset = 0);

/// Parts of [0, n), one for each of the machine's cores: work(part, begin, end).
void in_parallel(std::uint64_t n, const std::function<void(unsigned, std::uint64_t, std::uint64_t)>& work);
unsigned parallel_parts();
/// Seconds; sorts.
double median(std::vector<float>& milliseconds);
[[noreturn]] void stop(const std::string& why);

inline constexpr unsigned kRounds = 11;

struct Timing {
  double seconds = 0;  ///< median
  bool exact = false;
  std::string note;  ///< why there is none
  float second_kernel = 0;
};

/// A request to map one strip on the device.
gpuhisto_apply apply_request(const gpuhisto_apply_strip& strip, unsigned channels);

class ReportDevice {
 public:
  explicit ReportDevice(const char* module_path);
  ~ReportDevice();
  ReportDevice(const ReportDevice&) = delete;
  ReportDevice& operator=(const ReportDevice&) = delete;

  std::string title() const;
  std::vector<gpuhisto_method_info> methods() const;
  /// Fills the image memory with a pattern, and keeps a host copy for the oracle.
  void fill(const char* pattern);
  /// Median of the rounds, with the counts of the last launch compared with a scalar count of the same bytes.
  Timing time(const Shape& shape, const char* method, const char* policy, unsigned burst = 1);
  double time_read(const Shape& shape, unsigned burst = 1);
  /// Copies or maps `bytes` bytes; of mapping, the result is compared with a scalar one.
  Timing time_apply(const Shape& shape, gpuhisto_apply_kind kind);
  double time_copy(std::uint64_t bytes);
  /// Median of the rounds; a note where the device cannot do what is asked. Whatever else fails ends the report: what
  /// came after it could not be trusted, and a report without it would pass for whole.
  Timing measure(gpuhisto_measure request, unsigned rounds = kRounds);
  /// Of what every device can do.
  double seconds_of(const gpuhisto_measure& request);
  /// How many methods and maps have been timed.
  unsigned timed() const { return timed_; }
  std::string description(const Shape& shape, const char* method, const char* policy) const;
  /// What would be launched; block_threads is 0 where the method refuses.
  gpuhisto_description describe(const Shape& shape, const char* method, const char* policy) const;

  static constexpr std::uint64_t kBytes = std::uint64_t{3} << 29;

  const gpuhisto_plugin_table& table() const { return *table_; }
  gpuhisto_device* handle() const { return device_; }
  void* image() {
    reserve();
    return image_;
  }
  void* mapped() { return mapped_; }
  /// The host's copy, as fill() left it.
  const std::vector<std::uint8_t>& host() const { return host_; }

 private:
  void reserve();
  const Bins& oracle(const Shape& shape);
  gpuhisto_strip strip(const Shape& shape) const;
  gpuhisto_count request(const Shape& shape, const gpuhisto_strip& strip, const char* method, const char* policy) const;

  const gpuhisto_plugin_table* table_ = nullptr;
  gpuhisto_device* device_ = nullptr;
  void* image_ = nullptr;
  void* mapped_ = nullptr;
  unsigned timed_ = 0;
  std::vector<std::uint8_t> host_;
  struct Known {
    std::string key;
    Bins bins;
  };
  std::vector<Known> known_;  ///< oracle counts of the present pattern
};

}  // namespace gpuhisto::report
