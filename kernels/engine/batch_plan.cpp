// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "engine/batch_plan.hpp"

namespace gpuhisto::kernels {
namespace {

[[noreturn]] void refuse(const std::string& limit) { throw DeviceError(Failure::kUnsupported, limit); }

per_block::BatchItem item_of(const gpuhisto_strip& strip, std::uint32_t channels) {
  if (strip.mask || (strip.height > 1 && strip.row_bytes != strip.width * channels))
    refuse("images of a batch have no mask and no gaps between rows");
  const std::uint64_t pixels = strip.width * strip.height;
  if (pixels > per_block::kMostBatchedPixels)
    refuse("images of a batch have at most " + std::to_string(per_block::kMostBatchedPixels) + " pixels");
  return {static_cast<const std::uint8_t*>(strip.pixels), static_cast<std::uint32_t>(pixels), 0};
}

}  // namespace

BatchPlan plan_batch(const gpuhisto_count& request, const DeviceTraits& device) {
  if (&find_method(request.method ? request.method : "auto") != &per_block_method())
    refuse("only per-block counts a batch in one launch");
  BatchPlan plan;
  if (request.policy) parse_policy(request.policy, plan.policy);
  const CountTask task = task_of(request);
  per_block::tune_batch(task, device, request.strips_count, plan.policy);
  const std::string reason = per_block::batch_refusal(task, plan.policy, device);
  if (!reason.empty()) refuse(reason);
  for (std::uint32_t i = 0; i < request.strips_count; ++i)
    plan.items.push_back(item_of(request.strips[i], request.channels));
  return plan;
}

}  // namespace gpuhisto::kernels
