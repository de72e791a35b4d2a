// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// pattern_data PATTERN PIXELS CHANNELS BINS SEED FILE: writes a test pattern, the values that `gpuhisto bench` makes on
// a device, as raw bytes (CHANNELS 1 or 3), or with CHANNELS 0 as 32-bit keys below BINS. Prints the counts of every
// channel, channel after channel, counted one by one: what every peer's counts are compared with.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include "gpuhisto/key_pattern.hpp"
#include "gpuhisto/pattern.hpp"

namespace {

using gpuhisto::PatternSpec;

struct Request {
  PatternSpec pattern;
  std::uint64_t pixels = 0, channels = 1, bins = 256, seed = 1;
  std::uint64_t values() const { return pixels * (channels == 0 ? 1 : channels); }
};

/// part(begin, end) on all cores, the values shared out evenly.
template <typename Part>
void share_out(std::uint64_t values, const Part& part) {
  const std::uint64_t threads = std::thread::hardware_concurrency() > 0 ? std::thread::hardware_concurrency() : 1;
  std::vector<std::thread> workers;
  for (std::uint64_t t = 0; t < threads; ++t)
    workers.emplace_back([&, t] { part(values * t / threads, values * (t + 1) / threads); });
  for (auto& worker : workers) worker.join();
}

template <typename Value>
bool finish(const std::vector<Value>& values, const Request& request, const char* name) {
  const std::uint64_t rows = request.channels == 0 ? 1 : request.channels;
  std::vector<std::uint64_t> counts(rows * request.bins);
  std::uint64_t channel = 0;
  for (const Value value : values) {
    ++counts[channel * request.bins + value];
    if (++channel == rows) channel = 0;
  }
  for (const std::uint64_t count : counts) std::printf("%llu\n", static_cast<unsigned long long>(count));
  std::FILE* file = std::fopen(name, "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(values.data(), sizeof(Value), values.size(), file) == values.size();
  return (std::fclose(file) == 0) && written;
}

bool make_pixels(const Request& request, const char* name) {
  std::vector<std::uint8_t> values(request.values());
  share_out(values.size(), [&](std::uint64_t begin, std::uint64_t end) {
    gpuhisto::fill_pattern(values.data() + begin, end - begin, request.pattern, request.seed, begin);
  });
  return finish(values, request, name);
}

bool make_keys(const Request& request, const char* name) {
  const gpuhisto::KeySpec spec{request.pattern.pattern, request.bins};
  const auto tables = gpuhisto::make_key_tables(spec.range);
  std::vector<std::uint32_t> keys(request.values());
  share_out(keys.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) keys[i] = gpuhisto::key_value(spec, request.seed, i, tables);
  });
  return finish(keys, request, name);
}

bool parse(char** words, Request& request) {
  std::uint64_t* const numbers[] = {&request.pixels, &request.channels, &request.bins, &request.seed};
  for (int i = 0; i < 4; ++i) {
    char* end = nullptr;
    *numbers[i] = std::strtoull(words[i + 1], &end, 10);
    if (end == words[i + 1] || *end != '\0') return false;
  }
  if (request.pixels == 0) return false;
  for (const auto& named : gpuhisto::kPatterns) {
    if (std::strcmp(words[0], named.name) != 0) continue;
    request.pattern = named.spec;
    const bool keys = request.channels == 0 && request.bins > 0 && gpuhisto::pattern_has_keys(named.spec.pattern);
    return keys || ((request.channels == 1 || request.channels == 3) && request.bins == 256);
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  try {
    if (argc != 7 || !parse(argv + 1, request)) {
      std::fputs("usage: pattern_data PATTERN PIXELS CHANNELS BINS SEED FILE\n", stderr);
      return 2;
    }
    if (request.channels == 0 ? make_keys(request, argv[6]) : make_pixels(request, argv[6])) return 0;
    std::fprintf(stderr, "pattern_data: cannot write %s\n", argv[6]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pattern_data: %s\n", error.what());
  }
  return 1;
}
