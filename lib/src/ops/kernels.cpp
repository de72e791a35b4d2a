// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "ops/kernels.hpp"

#include <vector>

namespace gpuhisto::ops {
namespace {

std::vector<Kernels> find_kernels() {
  std::vector<Kernels> found = {kPortableKernels};
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2")) return found;
  found.push_back(kAvx2Kernels);
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi")) found.push_back(kAvx512Kernels);
#endif
  return found;
}

}  // namespace

std::span<const Kernels> kernels() {
  static const std::vector<Kernels> found = find_kernels();
  return found;
}

}  // namespace gpuhisto::ops
