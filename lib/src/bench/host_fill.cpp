// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "bench/host_fill.hpp"

#include "gpuhisto/key_pattern.hpp"
#include "gpuhisto/parallel.hpp"

namespace gpuhisto::bench {
namespace {

void fill_keys_on_host(void* to, std::uint64_t bytes, const Input& input, std::uint64_t seed, int threads) {
  const KeySpec spec{input.pattern.pattern, input.key_range};
  const KeyTables tables = spec.pattern == Pattern::kZipf ? make_key_tables(spec.range) : KeyTables{};
  auto* keys = static_cast<std::uint32_t*>(to);
  fork_join(static_cast<std::size_t>(bytes / 4), threads, [&](int, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) keys[i] = key_value(spec, seed, i, tables);
  });
}

}  // namespace

void fill_on_host(void* to, std::uint64_t bytes, const Input& input, Keys keys, std::uint64_t seed, int threads) {
  if (keys == Keys::kU32) return fill_keys_on_host(to, bytes, input, seed, threads);
  auto* values = static_cast<std::uint8_t*>(to);
  fork_join(static_cast<std::size_t>(bytes), threads, [&](int, std::size_t begin, std::size_t end) {
    fill_pattern(values + begin, end - begin, input.pattern, seed, begin);
  });
}

}  // namespace gpuhisto::bench
