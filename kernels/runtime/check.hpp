// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <stdexcept>
#include <string>

#include "runtime/gpu.hpp"

namespace gpuhisto::kernels {

/// What a failure means to the caller; the C ABI's status codes are these.
enum class Failure {
  kRequest = 1,      ///< the request makes no sense
  kUnsupported = 2,  ///< the device, the method or the policy cannot do it; the text names the limit
  kMemory = 3,       ///< out of device or pinned memory
  kNoDevice = 4,     ///< no such device, no driver
  kDevice = 5,       ///< the device failed; nothing it holds can be trusted
};

class DeviceError : public std::runtime_error {
 public:
  DeviceError(Failure failure, const std::string& text) : std::runtime_error(text), failure_(failure) {}
  Failure failure() const noexcept { return failure_; }

 private:
  Failure failure_;
};

/// Throws when `error` is one: the text holds the call, the error's name and meaning, file and line.
void check(hipError_t error, const char* call, const char* file, int line);

}  // namespace gpuhisto::kernels

#define GPUHISTO_CHECK(call) (::gpuhisto::kernels::check((call), #call, __FILE__, __LINE__))
