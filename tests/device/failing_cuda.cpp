// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The module for NVIDIA GPUs with failures that are planned by GPUHISTO_TEST_FAULT="CALL ERROR SKIP TIMES", as
// faulty_module.cpp has them for the emulated device. The linker puts these functions before those of the CUDA runtime
// (--wrap); CALL is named as in HIP.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <mutex>
#include <sstream>
#include <string>

namespace {

class Plan {
 public:
  Plan() {
    const char* text = std::getenv("GPUHISTO_TEST_FAULT");
    std::istringstream words(text ? text : "");
    words >> call_ >> error_ >> skip_ >> times_;
  }
  /// The error that this call is to give; cudaSuccess for none.
  cudaError_t failure(const char* call) {
    const std::lock_guard lock(mutex_);
    if (times_ == 0 || call_ != call) return cudaSuccess;
    if (skip_ > 0) {
      --skip_;
      return cudaSuccess;
    }
    --times_;
    return static_cast<cudaError_t>(error_);
  }

 private:
  std::mutex mutex_;
  std::string call_;
  int error_ = 0, skip_ = 0, times_ = 0;
};

cudaError_t failure(const char* call) {
  static Plan plan;
  return plan.failure(call);
}

thread_local cudaError_t failed_launch = cudaSuccess;

}  // namespace

// WRAP(HIP, CUDA, PARAMETERS, ARGUMENTS)
#define WRAP(hip, cuda, parameters, arguments)                     \
  cudaError_t __real_##cuda parameters;                            \
  cudaError_t __wrap_##cuda parameters {                           \
    const cudaError_t error = failure(hip);                        \
    return error != cudaSuccess ? error : __real_##cuda arguments; \
  }

extern "C" {
WRAP("hipMalloc", cudaMalloc, (void** memory, size_t bytes), (memory, bytes))
WRAP("hipHostMalloc", cudaHostAlloc, (void** memory, size_t bytes, unsigned flags), (memory, bytes, flags))
WRAP("hipMemcpyAsync", cudaMemcpyAsync,
     (void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, bytes, kind, stream))
WRAP("hipMemsetAsync", cudaMemsetAsync, (void* to, int value, size_t bytes, cudaStream_t stream),
     (to, value, bytes, stream))
WRAP("hipStreamSynchronize", cudaStreamSynchronize, (cudaStream_t stream), (stream))
WRAP("hipStreamCreateWithFlags", cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags))
WRAP("hipEventCreateWithFlags", cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags))
WRAP("hipEventRecord", cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
WRAP("hipEventSynchronize", cudaEventSynchronize, (cudaEvent_t event), (event))

// A launch returns nothing: what went wrong is the last error.
cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                      cudaStream_t stream);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                                      cudaStream_t stream) {
  failed_launch = failure("launch");
  if (failed_launch != cudaSuccess) return failed_launch;
  return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
cudaError_t __real_cudaGetLastError();
cudaError_t __wrap_cudaGetLastError() {
  if (failed_launch == cudaSuccess) return __real_cudaGetLastError();
  const cudaError_t error = failed_launch;
  failed_launch = cudaSuccess;
  return error;
}
}
