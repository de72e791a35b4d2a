// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "methods/registry.hpp"

namespace gpuhisto::kernels {
namespace {

#define GPUHISTO_METHOD(function, name, summary) &function##_method(),
#define GPUHISTO_INEXACT_METHOD GPUHISTO_METHOD
const Method* const kMethods[] = {
#include "methods/methods.def"
};
#undef GPUHISTO_METHOD
#undef GPUHISTO_INEXACT_METHOD

}  // namespace

std::span<const Method* const> all_methods() { return kMethods; }

const Method& find_method(const std::string& name) {
  if (name == "auto") return per_block_method();
  std::string known;
  for (const Method* method : kMethods) {
    if (name == method->name) return *method;
    if (method->exact) known += std::string(known.empty() ? "" : ", ") + method->name;
  }
  throw DeviceError(Failure::kRequest, "unknown method '" + name + "'; known are " + known);
}

}  // namespace gpuhisto::kernels
