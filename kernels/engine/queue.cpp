// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "engine/queue.hpp"

#include <algorithm>

#include "engine/engine.hpp"

namespace gpuhisto::kernels {
namespace {

/// The memory that strips lie in.
struct Span {
  const std::uint8_t* begin = nullptr;
  const std::uint8_t* end = nullptr;
  std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
};

Span span_of(const gpuhisto_count& request) {
  Span span;
  for (std::uint32_t i = 0; i < request.strips_count; ++i) {
    const gpuhisto_strip& strip = request.strips[i];
    if (strip.mask) throw DeviceError(Failure::kUnsupported, "strips with a mask are not counted in the background");
    if (strip.width == 0 || strip.height == 0) continue;
    const auto* begin = static_cast<const std::uint8_t*>(strip.pixels);
    const auto* end = begin + (strip.height - 1) * strip.row_bytes + strip.width * request.channels;
    span.begin = span.begin ? std::min(span.begin, begin) : begin;
    span.end = std::max(span.end, end);
  }
  return span;
}

}  // namespace

Queue::Started& Queue::at(std::uint32_t lane) {
  if (lane >= lanes_.size())
    throw DeviceError(Failure::kRequest, "lanes are 0 to " + std::to_string(lanes_.size() - 1));
  if (!lanes_[lane]) lanes_[lane] = std::make_unique<Started>();
  return *lanes_[lane];
}

void Queue::start(gpuhisto_count& request, std::uint32_t lane) {
  Started& started = at(lane);
  if (started.counter) throw DeviceError(Failure::kRequest, "the lane's last count was not finished");
  if (request.key != GPUHISTO_KEY_U8 || request.memory != GPUHISTO_ON_HOST || request.strips_count > kMostPending)
    throw DeviceError(Failure::kRequest, "up to " + std::to_string(kMostPending) +
                                             " strips of bytes on the host are counted in the background");
  started.counter.emplace(device_, started.lane, request);
  try {
    queue(started, request);
  } catch (...) {
    started.counter.reset();
    (void)hipStreamSynchronize(started.lane.stream.get());  // the caller may use its memory again
    throw;
  }
}

void Queue::queue(Started& started, gpuhisto_count& request) {
  const hipStream_t stream = started.lane.stream.get();
  LaneCounter& counter = *started.counter;
  const Span span = span_of(request);
  std::vector<gpuhisto_strip> strips(request.strips, request.strips + request.strips_count);
  bool batch = strips.size() > 1;
  if (span.bytes() > 0) {
    started.pixels.reserve(span.bytes());
    GPUHISTO_CHECK(hipMemcpyAsync(started.pixels.as<void>(), span.begin, span.bytes(), hipMemcpyHostToDevice, stream));
  }
  for (gpuhisto_strip& strip : strips) {
    if (strip.width == 0 || strip.height == 0) strip.width = strip.height = 0;
    if (strip.height > 0)
      strip.pixels = started.pixels.as<std::uint8_t>() + (static_cast<const std::uint8_t*>(strip.pixels) - span.begin);
    batch =
        batch && counter.batchable(strip) && (strip.height <= 1 || strip.row_bytes == strip.width * request.channels);
  }
  if (batch) {
    const std::size_t bytes = strips.size() * sizeof(per_block::BatchItem);
    started.host_items.reserve(kMostPending * sizeof(per_block::BatchItem));
    started.items.reserve(kMostPending * sizeof(per_block::BatchItem));
    auto* items = started.host_items.as<per_block::BatchItem>();
    for (const gpuhisto_strip& strip : strips)
      *items++ = {static_cast<const std::uint8_t*>(strip.pixels),
                  static_cast<std::uint32_t>(strip.width * strip.height), 0};
    GPUHISTO_CHECK(
        hipMemcpyAsync(started.items.as<void>(), started.host_items.as<void>(), bytes, hipMemcpyHostToDevice, stream));
    counter.count_batch(started.items.as<per_block::BatchItem>(), strips.data(), static_cast<unsigned>(strips.size()));
  } else {
    for (const gpuhisto_strip& strip : strips) counter.count(strip);
  }
  counter.fetch();
  started.done.record(started.lane.stream);
  name_method(request, counter);
}

void Queue::finish(std::uint32_t lane) {
  Started& started = at(lane);
  if (!started.counter) return;
  LaneCounter counter = *std::exchange(started.counter, std::nullopt);
  started.done.wait();
  counter.add();
}

}  // namespace gpuhisto::kernels
