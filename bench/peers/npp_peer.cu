// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// npp_peer: counts with NVIDIA's NPP what gpu_peers.py asks for on standard input (the protocol is there), on the GPU's
// memory, timed by events. Built by gpu.py where nvcc and NPP are.
#include <cuda_runtime.h>
#include <nppcore.h>
#include <nppi_statistics_functions.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int kBins = 256, kLevels = kBins + 1;

[[noreturn]] void fail(const std::string& fact) {
  std::cout << "{\"error\": \"" << fact << "\"}" << std::endl;
  std::exit(1);
}
void check(cudaError_t error) {
  if (error != cudaSuccess) fail(cudaGetErrorString(error));
}
void check(NppStatus status) {
  if (status != NPP_SUCCESS) fail("NppStatus " + std::to_string(status));
}

/// The size that NPP asks for is an int in some releases and a size_t in others.
template <typename Levels, typename Size>
std::size_t scratch_bytes(NppStatus (*ask)(NppiSize, Levels, Size*, NppStreamContext), NppiSize size, Levels levels,
                          const NppStreamContext& context) {
  Size bytes = 0;
  check(ask(size, levels, &bytes, context));
  return static_cast<std::size_t>(bytes);
}

NppStreamContext make_context() {
  NppStreamContext context{};
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  context.nMultiProcessorCount = properties.multiProcessorCount;
  context.nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
  context.nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  context.nSharedMemPerBlock = properties.sharedMemPerBlock;
  context.nCudaDevAttrComputeCapabilityMajor = properties.major;
  context.nCudaDevAttrComputeCapabilityMinor = properties.minor;
  return context;
}

class Peer {
 public:
  Peer() : context_(make_context()) {
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
    check(cudaMalloc(&counts_, 3 * kBins * sizeof(Npp32s)));
  }

  /// Takes what the file holds onto the device, `copies` times.
  void load(const std::string& path, std::size_t pixels, int channels, int copies) {
    int width = 1;
    while (width < 16384 && pixels % (2 * static_cast<std::size_t>(width)) == 0) width *= 2;
    size_ = {width, static_cast<int>(pixels / static_cast<std::size_t>(width))};
    channels_ = channels;
    stride_ = pixels * static_cast<std::size_t>(channels);
    copies_ = copies;
    std::vector<char> values(stride_);
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr || std::fread(values.data(), 1, stride_, file) != stride_) fail("cannot read the values");
    std::fclose(file);
    check(cudaFree(data_));
    check(cudaMalloc(&data_, stride_ * static_cast<std::size_t>(copies)));
    for (int i = 0; i < copies; ++i)
      check(cudaMemcpy(data_ + stride_ * static_cast<std::size_t>(i), values.data(), stride_, cudaMemcpyHostToDevice));
    int levels[3] = {kLevels, kLevels, kLevels};
    const std::size_t bytes =
        channels == 1 ? scratch_bytes<int>(nppiHistogramEvenGetBufferSize_8u_C1R_Ctx, size_, kLevels, context_)
                      : scratch_bytes<int*>(nppiHistogramEvenGetBufferSize_8u_C3R_Ctx, size_, levels, context_);
    check(cudaFree(scratch_));
    check(cudaMalloc(&scratch_, bytes > 0 ? bytes : 1));
    std::cout << "{\"calls\": [{\"name\": \"nppiHistogramEven_8u_C" << channels
              << "R_Ctx\", \"includes\": \"clears its result; scratch memory allocated before\"}]}" << std::endl;
  }

  /// Bursts of one call a copy, at most for `seconds`; microseconds of a call, and the last call's counts.
  void call(int bursts, double seconds) {
    check(cudaMemset(counts_, 0xA5, 3 * kBins * sizeof(Npp32s)));
    std::ostringstream times;
    const auto start = std::chrono::steady_clock::now();
    for (int burst = 0; burst < bursts; ++burst) {
      if (burst > 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) break;
      check(cudaEventRecord(begin_));
      for (int i = 0; i < copies_; ++i) count(data_ + stride_ * static_cast<std::size_t>(i));
      check(cudaEventRecord(end_));
      check(cudaEventSynchronize(end_));
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin_, end_));
      times << (burst > 0 ? ", " : "") << 1e3 * static_cast<double>(milliseconds) / copies_;
    }
    std::vector<Npp32s> counts(static_cast<std::size_t>(channels_ * kBins));
    check(cudaMemcpy(counts.data(), counts_, counts.size() * sizeof(Npp32s), cudaMemcpyDeviceToHost));
    std::cout << "{\"us\": [" << times.str() << "], \"counts\": [";
    for (std::size_t i = 0; i < counts.size(); ++i) std::cout << (i > 0 ? ", " : "") << counts[i];
    std::cout << "]}" << std::endl;
  }

 private:
  void count(const Npp8u* pixels) {
    const int step = size_.width * channels_;
    if (channels_ == 1)
      return check(nppiHistogramEven_8u_C1R_Ctx(pixels, step, size_, counts_, kLevels, 0, kBins, scratch_, context_));
    Npp32s* rows[3] = {counts_, counts_ + kBins, counts_ + 2 * kBins};
    int levels[3] = {kLevels, kLevels, kLevels};
    Npp32s lower[3] = {0, 0, 0}, upper[3] = {kBins, kBins, kBins};
    check(nppiHistogramEven_8u_C3R_Ctx(pixels, step, size_, rows, levels, lower, upper, scratch_, context_));
  }

  NppStreamContext context_;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  NppiSize size_{};
  int channels_ = 1, copies_ = 1;
  std::size_t stride_ = 0;
  Npp8u *data_ = nullptr, *scratch_ = nullptr;
  Npp32s* counts_ = nullptr;
};

}  // namespace

int main() {
  std::cout.precision(9);
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess) fail(cudaGetErrorString(error));
  Peer peer;
  const NppLibraryVersion* version = nppGetLibVersion();
  std::cout << "{\"version\": \"NPP " << version->major << '.' << version->minor << '.' << version->build << "\"}"
            << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what, path;
    words >> what;
    if (what == "load") {
      std::size_t pixels = 0, bins = 0;
      int channels = 0, copies = 1;
      words >> pixels >> channels >> bins >> copies >> path;
      if (channels == 0)
        std::cout << "{\"calls\": [], \"note\": \"counts no 32-bit keys\"}" << std::endl;
      else
        peer.load(path, pixels, channels, copies);
    } else if (what == "call") {
      int index = 0, bursts = 1;
      double seconds = 1;
      words >> index >> bursts >> seconds;
      peer.call(bursts, seconds);
    } else {
      fail("not a request: " + what);
    }
  }
  return 0;
}
