// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <vector>

#include "engine/engine.hpp"
#include "methods/per_block/batch.hpp"

namespace gpuhisto::kernels {

/// How several images on the device are counted in one launch.
struct BatchPlan {
  std::vector<per_block::BatchItem> items;
  KernelPolicy policy;
};
/// Throws DeviceError(kUnsupported) with the limit named.
BatchPlan plan_batch(const gpuhisto_count& request, const DeviceTraits& device);

}  // namespace gpuhisto::kernels
