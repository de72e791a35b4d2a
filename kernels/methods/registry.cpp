// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "methods/registry.hpp"

namespace gpuhisto::kernels {
namespace {

const Method* const kMethods[] = {
    &per_grid_method(),          &per_grid_vec4_method(), &wave_aggregated_method(), &per_block_method(),
    &per_block_partial_method(), &per_thread_method(),    &vendor_method(),          &unsafe_nonatomic_method(),
};

}  // namespace

std::span<const Method* const> all_methods() { return kMethods; }

const Method& find_method(const std::string& name) {
  if (name == "auto") return per_block_method();
  std::string known;
  for (const Method* method : kMethods) {
    if (name == method->name) return *method;
    if (!method->hidden) known += std::string(known.empty() ? "" : ", ") + method->name;
  }
  throw DeviceError(Failure::kRequest, "unknown method '" + name + "'; known are " + known);
}

}  // namespace gpuhisto::kernels
