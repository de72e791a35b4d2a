// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// wave-aggregated: lanes of a wave that hold the same value combine first; one of them issues the global atomic.
// Idea: eight ballots tell each lane which others have its value; the lowest of them adds their number.
// Wins when: most lanes agree (constant or two-level images), against per-grid.
// Loses when: values differ: eight ballots per pixel buy nothing then.
// Limits: any image; the whole wave takes part in each step, so all lanes make the same number of them.
// Source: the third attempt of the MI300X histogram study; here by ballots, which every GPU has.
#include "device/global_bins.hpp"
#include "methods/launching.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::uint32_t kBlock = 256;

template <typename Format>
class WaveBins {
 public:
  __device__ __forceinline__ explicit WaveBins(std::uint32_t* bins)
      : bins_(bins), below_((LaneMask{1} << (threadIdx.x % warpSize)) - 1) {}
  __device__ __forceinline__ void set_active(bool active) { active_ = active; }

  template <int kSlot, int kByte>
  __device__ __forceinline__ void count(std::uint32_t word) {
    const std::uint32_t bin = byte_of<kByte>(word);
    LaneMask same = wave_ballot(active_);
    for (int bit = 0; bit < 8; ++bit) {
      const bool set = (bin >> bit & 1u) != 0;
      const LaneMask with = wave_ballot(set);
      same &= set ? with : ~with;
    }
    if (active_ && (same & below_) == 0) atomicAdd(&bins_[Format::channel(kSlot) * kBins + bin], wave_population(same));
  }

 private:
  std::uint32_t* bins_;
  LaneMask below_;
  bool active_ = false;
};

template <typename Format>
__global__ void GPUHISTO_LAUNCH_BOUNDS(1024, 1) wave_aggregated_kernel(CountArguments a) {
  const typename Format::Luma luma(a.luma);
  WaveBins<Format> bins(a.bins);
  PixelWalk walk(a.view, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  for (std::uint32_t round = 0; round < walk.rounds(); ++round, walk.next()) {
    const std::uint32_t pixel = walk.inside() ? load_pixel_at<Format>(a.view, walk) : 0;
    bins.set_active(walk.inside() && Format::takes(pixel));
    Format::visit_channels(pixel, luma, bins);
  }
}

std::string refusal(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  if (task.mask) return "wave-aggregated takes no mask";
  return check_policy(task, policy, device);
}

void tune(const CountTask& task, const DeviceTraits& device, KernelPolicy& policy) {
  tune_common(task, device, kBlock, policy);
}

LaunchInfo describe(const CountTask& task, const KernelPolicy& policy, const DeviceTraits& device) {
  return with_format(task, [&](auto tag) {
    using Format = typename decltype(tag)::type;
    const unsigned blocks = grid_for(pixels_of(task), policy.block, policy, device);
    return LaunchInfo{
        address_of(wave_aggregated_kernel<Format>), "wave_aggregated_kernel", {blocks, policy.block, 0}, 1};
  });
}

void run(const CountTask& task, const KernelPolicy& policy, LaunchContext& context) {
  launch_one_kernel(task, policy, describe(task, policy, context.device).shape, context,
                    [](auto tag) { return wave_aggregated_kernel<typename decltype(tag)::type>; });
}

}  // namespace

const Method& wave_aggregated_method() {
  static constexpr Method kMethod = {wave_aggregated_names, refusal, tune, describe, run};
  return kMethod;
}

}  // namespace gpuhisto::kernels
