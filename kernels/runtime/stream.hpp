// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <utility>

#include "runtime/check.hpp"

namespace gpuhisto::kernels {

/// A queue of work on the current device; moves only.
class Stream {
 public:
  Stream() { GPUHISTO_CHECK(hipStreamCreateWithFlags(&handle_, hipStreamNonBlocking)); }
  Stream(Stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Stream() {
    if (handle_) (void)hipStreamDestroy(handle_);
  }
  hipStream_t get() const { return handle_; }
  void wait() const { GPUHISTO_CHECK(hipStreamSynchronize(handle_)); }

 private:
  hipStream_t handle_ = nullptr;
};

/// A point in a stream's work, with its time; moves only.
class Event {
 public:
  Event() { GPUHISTO_CHECK(hipEventCreate(&handle_)); }
  enum Waiting { kSleeping };
  /// Whoever waits leaves its core to others; such events know no time.
  explicit Event(Waiting) {
    GPUHISTO_CHECK(hipEventCreateWithFlags(&handle_, hipEventBlockingSync | hipEventDisableTiming));
  }
  Event(Event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Event() {
    if (handle_) (void)hipEventDestroy(handle_);
  }
  void record(const Stream& stream) { GPUHISTO_CHECK(hipEventRecord(handle_, stream.get())); }
  void wait() const { GPUHISTO_CHECK(hipEventSynchronize(handle_)); }
  /// Milliseconds from `begin` to this event, both reached.
  float since(const Event& begin) const {
    float milliseconds = 0;
    GPUHISTO_CHECK(hipEventElapsedTime(&milliseconds, begin.handle_, handle_));
    return milliseconds;
  }

 private:
  hipEvent_t handle_ = nullptr;
};

}  // namespace gpuhisto::kernels
