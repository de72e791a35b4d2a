// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "runtime/gpu.hpp"

namespace gpuhisto::kernels {

/// An error's name and, where it says more, the runtime's words for it.
inline std::string error_text(hipError_t error) {
  const std::string name = hipGetErrorName(error), text = hipGetErrorString(error);
  return text == name ? name : name + " (" + text + ")";
}

}  // namespace gpuhisto::kernels
