// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "runtime/check.hpp"

#include <cstring>
#include <string_view>

#include "runtime/error_text.hpp"

namespace gpuhisto::kernels {
namespace {

Failure failure_of(hipError_t error) {
  if (error == hipErrorOutOfMemory) return Failure::kMemory;
  if (error == hipErrorNoDevice || error == hipErrorInsufficientDriver) return Failure::kNoDevice;
  return Failure::kDevice;
}

/// From kernels/ on: where the sources lie on the building machine is nobody's concern.
const char* short_path(const char* file) {
  const char* part = std::strstr(file, "kernels/");
  return part ? part : file;
}

/// hipMalloc(&pointer, bytes) -> hipMalloc; what tells of a launch is called that.
std::string name_of(const char* call) {
  if (std::string_view(call) == "hipGetLastError()") return "a launch";
  const char* end = std::strchr(call, '(');
  return end ? std::string(call, end) : std::string(call);
}

}  // namespace

void check(hipError_t error, const char* call, const char* file, int line) {
  if (error == hipSuccess) return;
  (void)hipGetLastError();  // or the next launch would be blamed for it
  throw DeviceError(failure_of(error), name_of(call) + " failed: " + error_text(error) + " at " + short_path(file) +
                                           ":" + std::to_string(line));
}

}  // namespace gpuhisto::kernels
