// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// From a 32-bit key to its bin. rule.bin(key, bin) sets the bin and tells whether there is one.
#pragma once

#include "runtime/gpu.hpp"

namespace gpuhisto::kernels {

/// What the rules need, made on the host by make_bin_numbers(). Up to 2^32 bins: the last one's number fits.
struct BinNumbers {
  std::uint32_t last = 0;        ///< the last bin
  std::uint32_t multiplier = 0;  ///< of ModuloRule
  std::uint32_t shift = 0;
};

/// Part of the bins: those that a block counts when shared memory does not hold all.
struct BinWindow {
  std::uint32_t first = 0, count = 0;
};

/// key mod a power of two.
class MaskRule {
 public:
  __device__ __forceinline__ MaskRule(const BinNumbers& numbers, const BinWindow&) : mask_(numbers.last) {}
  __device__ __forceinline__ bool bin(std::uint32_t key, std::uint32_t& bin) const {
    bin = key & mask_;
    return true;
  }

 private:
  std::uint32_t mask_;
};

/// key mod any number from 3 on: the quotient by one multiplication, exact for every key (T. Granlund, P. Montgomery,
/// Division by invariant integers using multiplication, PLDI 1994, figure 4.1).
class ModuloRule {
 public:
  __device__ __forceinline__ ModuloRule(const BinNumbers& numbers, const BinWindow&)
      : divisor_(numbers.last + 1), multiplier_(numbers.multiplier), shift_(numbers.shift) {}
  __device__ __forceinline__ bool bin(std::uint32_t key, std::uint32_t& bin) const {
    const auto high = static_cast<std::uint32_t>(std::uint64_t{key} * multiplier_ >> 32);
    const std::uint32_t quotient = (high + ((key - high) >> 1)) >> shift_;
    bin = key - quotient * divisor_;
    return true;
  }

 private:
  std::uint32_t divisor_, multiplier_, shift_;
};

/// The key itself; keys past the last bin have none.
class RangeRule {
 public:
  __device__ __forceinline__ RangeRule(const BinNumbers& numbers, const BinWindow&) : last_(numbers.last) {}
  __device__ __forceinline__ bool bin(std::uint32_t key, std::uint32_t& bin) const {
    bin = key;
    return key <= last_;
  }

 private:
  std::uint32_t last_;
};

/// Another rule's bins, of which only a window exists; they are numbered from its first.
template <typename Rule>
class WindowRule {
 public:
  __device__ __forceinline__ WindowRule(const BinNumbers& numbers, const BinWindow& window)
      : rule_(numbers, window), window_(window) {}
  __device__ __forceinline__ bool bin(std::uint32_t key, std::uint32_t& bin) const {
    const bool has_one = rule_.bin(key, bin);
    bin -= window_.first;
    return has_one && bin < window_.count;
  }

 private:
  Rule rule_;
  BinWindow window_;
};

/// For 1 to 2^32 bins.
inline BinNumbers make_bin_numbers(std::uint64_t bins) {
  BinNumbers numbers;
  numbers.last = static_cast<std::uint32_t>(bins - 1);
  if ((bins & (bins - 1)) == 0) return numbers;
  std::uint32_t bits = 0;
  while (std::uint64_t{1} << bits < bins) ++bits;
  numbers.multiplier = static_cast<std::uint32_t>((((std::uint64_t{1} << bits) - bins) << 32) / bins + 1);
  numbers.shift = bits - 1;
  return numbers;
}

}  // namespace gpuhisto::kernels
