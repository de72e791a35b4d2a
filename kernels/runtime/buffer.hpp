// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <utility>

#include "runtime/check.hpp"

namespace gpuhisto::kernels {

struct DeviceMemory {
  static void allocate(void** pointer, std::size_t bytes) { GPUHISTO_CHECK(hipMalloc(pointer, bytes)); }
  static void release(void* pointer) { (void)hipFree(pointer); }
};
/// Of the host; the device copies from and to it at full speed.
struct PinnedMemory {
  static void allocate(void** pointer, std::size_t bytes) {
    GPUHISTO_CHECK(hipHostMalloc(pointer, bytes, hipHostMallocDefault));
  }
  static void release(void* pointer) { (void)hipHostFree(pointer); }
};

/// Memory of one kind; moves only. Fresh memory holds garbage.
template <typename Memory>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t bytes) : bytes_(bytes) {
    if (bytes) Memory::allocate(&pointer_, bytes);
  }
  Buffer(Buffer&& other) noexcept
      : pointer_(std::exchange(other.pointer_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(pointer_, other.pointer_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Buffer() {
    if (pointer_) Memory::release(pointer_);
  }

  /// Makes it at least that large; what it held is lost then.
  void reserve(std::size_t bytes) {
    if (bytes > bytes_) {
      *this = Buffer();
      *this = Buffer(bytes);
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
using DeviceBuffer = Buffer<DeviceMemory>;
using PinnedBuffer = Buffer<PinnedMemory>;

}  // namespace gpuhisto::kernels
