// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The values that a run counts: several images of them on the target, and what their counts must be.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "bench/rotation.hpp"
#include "gpuhisto/bench.hpp"

namespace gpuhisto::bench {

/// Memory of a target.
class Buffer {
 public:
  Buffer(Target& target, std::uint64_t bytes) : target_(target), memory_(target.allocate(bytes)) {}
  ~Buffer() { target_.release(memory_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::uint8_t* at(std::uint64_t offset) const { return static_cast<std::uint8_t*>(memory_) + offset; }

 private:
  Target& target_;
  void* memory_;
};

class CountedData {
 public:
  /// Throws Error(kLimit) when memory does not hold it.
  CountedData(Target& target, const Request& request);

  const Shape& shape() const { return shape_; }  ///< its bins are those of this round's keys
  const Rotation& rotation() const { return rotation_; }
  const std::uint8_t* image(std::uint64_t offset) const { return data_.at(offset); }

  /// Fresh values.
  void fill(unsigned round);
  /// The scalar count of the image at `offset`.
  const std::vector<std::uint64_t>& expected(std::uint64_t offset);
  /// A copy of the image at `offset`, until the next call.
  const std::uint8_t* on_host(std::uint64_t offset);
  /// Makes caches forget the values, where they would hold them all.
  void evict();
  /// Lets the target count something else, so that a bin which a method leaves unwritten holds neither zero nor what
  /// the method before it counted; `counts` are poisoned too.
  void poison(std::vector<std::uint64_t>& counts);
  /// Seconds of copying half of the memory to the other half, bytes read and written. Spoils the values.
  double copy();
  std::uint64_t copied_bytes() const { return bytes_ / 2 * 2; }

 private:
  void load_image();
  void find_bins();

  Target& target_;
  const Request& request_;
  Shape shape_;
  Rotation rotation_;
  std::uint64_t bytes_;
  Buffer data_;
  std::unique_ptr<Buffer> poison_;
  Launch poison_launch_;
  std::vector<std::uint8_t> host_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> expected_;  ///< by offset; of this round
};

}  // namespace gpuhisto::bench
