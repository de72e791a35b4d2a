// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "runtime/check.hpp"

namespace gpuhisto::kernels {

/// What launchers must know about a device.
struct DeviceTraits {
  int index = 0;
  std::string name;
  unsigned multiprocessors = 1;
  unsigned wave_size = 32;
  unsigned max_block_threads = 1024;
  unsigned threads_per_multiprocessor = 2048;
  std::size_t shared_per_block = 0;           ///< bytes a block may ask for
  std::size_t shared_per_multiprocessor = 0;  ///< bytes its blocks share
  std::size_t memory_bytes = 0;
};

/// "hip", "cuda" or "emulated": what this module was built for.
const char* platform_name();
/// Number of devices. Throws DeviceError with the reason: kNoDevice when there is none, kDevice when the driver fails.
int device_count();
/// Makes no context on the device: whoever looks for another one need not wait for that.
DeviceTraits device_traits(int index);

/// A kernel's address as the runtime's attribute calls take it.
template <typename Kernel>
const void* address_of(Kernel* kernel) {
  return reinterpret_cast<const void*>(kernel);
}

struct LaunchShape {
  unsigned blocks = 1;
  unsigned threads = 1;
  std::size_t shared_bytes = 0;
};

/// More than this needs to be asked for, kernel by kernel.
inline constexpr std::size_t kSharedWithoutAsking = std::size_t{48} << 10;

/// Asks for that much, once: the call takes about as long as a launch.
void allow_shared_bytes(const void* kernel, std::size_t bytes);

/// Launches a kernel; a launch that the device refuses throws at once.
template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), const LaunchShape& shape, hipStream_t stream, Arguments... arguments) {
  if (shape.shared_bytes > kSharedWithoutAsking) allow_shared_bytes(address_of(kernel), shape.shared_bytes);
  const dim3 grid{shape.blocks, 1, 1};
  const dim3 block{shape.threads, 1, 1};
  hipLaunchKernelGGL(kernel, grid, block, shape.shared_bytes, stream, arguments...);
  GPUHISTO_CHECK(hipGetLastError());
}

}  // namespace gpuhisto::kernels
