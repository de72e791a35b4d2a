// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <cstring>

#include "methods/keys/key_method.hpp"

namespace gpuhisto::kernels {

const KeyMethod& key_method_of(const Method& method) {
  for (const KeyMethod* keys : {&per_grid_keys(), &per_grid_vec4_keys(), &wave_aggregated_keys(), &per_block_keys(),
                                &per_block_partial_keys(), &vendor_keys(), &unsafe_nonatomic_keys()})
    if (std::strcmp(keys->name, method.name) == 0) return *keys;
  throw DeviceError(Failure::kUnsupported,
                    std::string(method.name) + " counts 8-bit pixels only: its counters hold 256 bins a thread");
}

}  // namespace gpuhisto::kernels
