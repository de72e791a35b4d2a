// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "engine/lane.hpp"

#include <algorithm>

#include "engine/engine.hpp"

namespace gpuhisto::kernels {

LaneCounter::LaneCounter(const DeviceTraits& device, Lane& lane, const gpuhisto_count& request)
    : device_(device), lane_(lane), request_(request), format_(task_of(request)) {
  lane_.results.reserve(kMostPending * kResultBytes);
}

bool LaneCounter::batchable(const gpuhisto_strip& strip) const {
  const bool production = !request_.method || &find_method(request_.method) == &per_block_method();
  const bool free_choice = !request_.policy || !*request_.policy;
  return production && free_choice && !strip.mask && strip.width * strip.height <= per_block::kMostBatchedPixels;
}

void LaneCounter::count(const gpuhisto_strip& strip) {
  if (strip.width == 0 || strip.height == 0) return;
  CountTask task = format_;
  task.mask = static_cast<const std::uint8_t*>(strip.mask);
  task.mask_pitch = strip.mask_row_bytes;
  const std::uint64_t most = bound(task);
  task.view.data = static_cast<const std::uint8_t*>(strip.pixels);
  const bool gapless = strip.height == 1 || strip.row_bytes == strip.width * format_.channels;
  if (gapless && !task.mask) return count_flat(task, strip.width * strip.height, most, strip.bins);
  if (strip.width > most) {
    for (std::uint64_t y = 0; y < strip.height; ++y) {
      count_flat(task, strip.width, most, strip.bins);
      task.view.data += strip.row_bytes;
      if (task.mask) task.mask += strip.mask_row_bytes;
    }
    return;
  }
  task.view.width = static_cast<std::uint32_t>(strip.width);
  task.view.pitch = static_cast<std::size_t>(strip.row_bytes);
  for (std::uint64_t y = 0; y < strip.height; y += task.view.rows) {
    task.view.rows = static_cast<std::uint32_t>(std::min(strip.height - y, most / strip.width));
    launch_one(task, strip.bins);
    task.view.data += task.view.rows * strip.row_bytes;
    if (task.mask) task.mask += task.view.rows * strip.mask_row_bytes;
  }
}

/// Pixels without gaps, from task.view.data on.
void LaneCounter::count_flat(CountTask task, std::uint64_t pixels, std::uint64_t most, std::uint64_t* bins) {
  while (pixels > 0) {
    const std::uint64_t now = std::min(pixels, most);
    task.view = {task.view.data, static_cast<std::uint32_t>(now), 1, static_cast<std::size_t>(now * task.channels)};
    launch_one(task, bins);
    pixels -= now;
    task.view.data += now * task.channels;
    if (task.mask) task.mask += now;
  }
}

/// Pixels that one launch of this task may have.
std::uint64_t LaneCounter::bound(const CountTask& task) const {
  CountTask any = task;
  any.view = {nullptr, 1, 1, 0};
  return std::max<std::uint64_t>(1, plan_task(request_, any, device_).policy.bound);
}

void LaneCounter::launch_one(const CountTask& task, std::uint64_t* bins) {
  const Plan plan = plan_task(request_, task, device_);
  counted_by_ = plan.method;
  // The pending results lie side by side: the ring must not wrap among them.
  if (batch_ || pending_.size() == kMostPending || lane_.ring.position() == 0) fetch_and_add();
  if (pending_.empty()) first_pending_ = lane_.ring.position();
  const ResultRing::Place place = lane_.ring.begin(lane_.stream);
  LaunchContext context{device_, lane_.stream, lane_.workspace, place.result, place.next};
  plan.method->run(task, plan.policy, context);
  lane_.ring.end();
  pending_.push_back(bins);
}

void LaneCounter::count_batch(const per_block::BatchItem* items, const gpuhisto_strip* strips, unsigned strips_count) {
  if (!pending_.empty()) fetch_and_add();
  lane_.bins.reserve(kMostPending * kResultBytes);
  KernelPolicy policy;
  per_block::tune_batch(format_, device_, strips_count, policy);
  counted_by_ = &per_block_method();
  per_block::run_batch(format_, policy, {device_, lane_.stream, lane_.workspace},
                       {items, strips_count, lane_.bins.as<std::uint32_t>(), 0});
  batch_ = true;
  for (unsigned i = 0; i < strips_count; ++i) pending_.push_back(strips[i].bins);
}

void LaneCounter::fetch() {
  if (pending_.empty()) return;
  const std::size_t words = batch_ ? per_block::batch_words(format_) : kResultWords;
  GPUHISTO_CHECK(
      hipMemcpyAsync(lane_.results.as<void>(), batch_ ? lane_.bins.as<std::uint32_t>() : lane_.ring.at(first_pending_),
                     pending_.size() * words * sizeof(std::uint32_t), hipMemcpyDeviceToHost, lane_.stream.get()));
}

void LaneCounter::add() {
  const std::uint32_t* from = lane_.results.as<std::uint32_t>();
  for (std::uint64_t* bins : pending_) {
    if (batch_) {
      per_block::add_batch_result(format_, from, bins);
      from += per_block::batch_words(format_);
    } else {
      for (std::size_t i = 0; i < kResultWords; ++i) bins[i] += *from++;
    }
  }
  pending_.clear();
  batch_ = false;
}

}  // namespace gpuhisto::kernels
