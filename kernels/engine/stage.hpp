// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A piece of an image on its way to the device or back. There are two: while one is worked on, the next is copied into
// pinned memory.
#pragma once

#include <algorithm>

#include "runtime/buffer.hpp"
#include "runtime/stream.hpp"

namespace gpuhisto::kernels {

class Stage {
 public:
  /// Below that, memory is really out.
  static constexpr std::size_t kSmallest = std::size_t{64} << 10;

  /// Waits until what was in it is done with, then makes room for `bytes` on both sides or, where memory is short, for
  /// half of that, a quarter and so on down to kSmallest. Returns how much both have.
  std::size_t reserve(std::size_t bytes) {
    return grown(bytes, kSmallest, [this](std::size_t enough) {
      pinned_.reserve(enough);
      device_.reserve(enough);
      return std::min(pinned_.bytes(), device_.bytes());
    });
  }
  /// The same on the host's side alone, down to `least` if that is more.
  std::size_t reserve_pinned(std::size_t bytes, std::size_t least) {
    return grown(bytes, std::max(least, kSmallest), [this](std::size_t enough) {
      pinned_.reserve(enough);
      return pinned_.bytes();
    });
  }

  template <typename T = std::uint8_t>
  T* pinned() const {
    return pinned_.as<T>();
  }
  template <typename T = std::uint8_t>
  T* device() const {
    return device_.as<T>();
  }
  void send(std::size_t bytes, const Stream& stream) { copy(device(), pinned(), bytes, hipMemcpyHostToDevice, stream); }
  void fetch(std::size_t bytes, const Stream& stream) {
    copy(pinned(), device(), bytes, hipMemcpyDeviceToHost, stream);
  }
  /// What the stream was given up to here works on the piece.
  void close(const Stream& stream) {
    busy_ = true;
    done_.record(stream);
  }
  void wait() {
    if (busy_) done_.wait();
    busy_ = false;
  }

 private:
  template <typename Grow>
  std::size_t grown(std::size_t bytes, std::size_t least, Grow grow) {
    wait();
    for (;;) {
      try {
        return grow(bytes);
      } catch (const DeviceError& error) {
        if (error.failure() != Failure::kMemory || bytes <= least) throw;
        bytes = std::max(bytes / 2, least);
      }
    }
  }
  static void copy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind, const Stream& stream) {
    GPUHISTO_CHECK(hipMemcpyAsync(to, from, bytes, kind, stream.get()));
  }

  PinnedBuffer pinned_;
  DeviceBuffer device_;
  Event done_;
  bool busy_ = false;
};

}  // namespace gpuhisto::kernels
