// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What a counting method is for 32-bit keys. A method has the same name as for images; to add one, add a line to
// registry.cpp here and the file to CMakeLists.txt.
#pragma once

#include "device/key_rules.hpp"
#include "methods/method.hpp"

namespace gpuhisto::kernels {

/// What to count in one launch: a view whose pixels are keys of 4 bytes, on multiples of 4 bytes.
struct KeyTask {
  PixelView view;
  gpuhisto_bin_rule rule = GPUHISTO_BIN_MODULO;  ///< or RANGE
  std::uint64_t bins = 256;                      ///< 1 to 2^32

  std::uint64_t keys() const { return std::uint64_t{view.width} * view.rows; }
};

/// As Method. With up to kMostRingBins bins a launch's context is as for images, its bins and next of kMostRingBins
/// words; with more, `bins` holds anything and there is no `next`.
struct KeyMethod {
  const char* name;
  std::string (*refusal)(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device);
  void (*tune)(const KeyTask& task, const DeviceTraits& device, KernelPolicy& policy);
  LaunchInfo (*describe)(const KeyTask& task, const KernelPolicy& policy, const DeviceTraits& device);
  void (*run)(const KeyTask& task, const KernelPolicy& policy, LaunchContext& context);
  bool two_kernels = false;
};

/// The form for keys of a method by its name. Throws DeviceError(kUnsupported) for a method that counts images alone.
const KeyMethod& key_method_of(const Method& method);

const KeyMethod& per_grid_keys();
const KeyMethod& per_grid_vec4_keys();
const KeyMethod& wave_aggregated_keys();
const KeyMethod& per_block_keys();
const KeyMethod& per_block_partial_keys();
const KeyMethod& vendor_keys();
const KeyMethod& unsafe_nonatomic_keys();

}  // namespace gpuhisto::kernels
