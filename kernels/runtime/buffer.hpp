// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <utility>

#include "runtime/check.hpp"

namespace gpuhisto::kernels {

/// Device memory; moves only. Fresh memory holds garbage.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes) GPUHISTO_CHECK(hipMalloc(&pointer_, bytes));
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : pointer_(std::exchange(other.pointer_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(pointer_, other.pointer_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceBuffer() {
    if (pointer_) (void)hipFree(pointer_);
  }

  /// Makes it at least that large; what it held is lost then.
  void reserve(std::size_t bytes) {
    if (bytes > bytes_) {
      *this = DeviceBuffer();
      *this = DeviceBuffer(bytes);
    }
  }
  template <typename T>
  T* as() const {
    return static_cast<T*>(pointer_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void* pointer_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Host memory that the device copies from and to at full speed; moves only.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes) GPUHISTO_CHECK(hipHostMalloc(&pointer_, bytes, hipHostMallocDefault));
  }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : pointer_(std::exchange(other.pointer_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(pointer_, other.pointer_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~PinnedBuffer() {
    if (pointer_) (void)hipHostFree(pointer_);
  }

  void reserve(std::size_t bytes) {
    if (bytes > bytes_) {
      *this = PinnedBuffer();
      *this = PinnedBuffer(bytes);
    }
  }
  template <typename T>
  T* as() const {
    return static_cast<T*>(pointer_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void* pointer_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace gpuhisto::kernels
