// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Where launches count: a ring of results. Blocks add their counts up by atomics, so a result must be zero before; and
// a launch that only clears takes as long as counting a small image. So each launch clears the place of the next one,
// while it counts. (A last block that moves what all have added up to its place, and clears that, cost 3 microseconds a
// launch on one H200.)
#pragma once

#include "runtime/buffer.hpp"
#include "runtime/stream.hpp"

namespace gpuhisto::kernels {

class ResultRing {
 public:
  /// `slots` results, two or more, of so many words.
  ResultRing(std::size_t words, unsigned slots) : words_(words), slots_(slots) {}

  struct Place {
    std::uint32_t* result;  ///< zero: the launch adds its counts
    std::uint32_t* next;    ///< the launch leaves it zero
  };
  /// The place of a launch, which end() must follow. After an exception in between, all results are cleared anew.
  Place begin(const Stream& stream) {
    if (!clean_) {
      memory_.reserve(words_ * slots_ * sizeof(std::uint32_t));
      GPUHISTO_CHECK(hipMemsetAsync(memory_.as<void>(), 0, memory_.bytes(), stream.get()));
    }
    clean_ = false;
    return {at(position_), at((position_ + 1) % slots_)};
  }
  void end() {
    clean_ = true;
    position_ = (position_ + 1) % slots_;
  }
  /// Which result the next launch gets, and where results are.
  unsigned position() const { return position_; }
  std::uint32_t* at(unsigned slot) const { return memory_.as<std::uint32_t>() + slot * words_; }
  /// The last launch's.
  std::uint32_t* last() const { return at((position_ + slots_ - 1) % slots_); }

 private:
  std::size_t words_;
  unsigned slots_, position_ = 0;
  bool clean_ = false;
  DeviceBuffer memory_;
};

}  // namespace gpuhisto::kernels
