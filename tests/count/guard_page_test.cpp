// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Nothing outside the rows is read: the image ends, or starts, at a page that must not be touched.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

#include "count/oracle.hpp"

namespace gpuhisto {
namespace {

/// Readable memory between two pages without any right.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::size_t bytes) : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    bytes_ = (bytes + page_ - 1) / page_ * page_;
    whole_ = mmap(nullptr, bytes_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole_ == MAP_FAILED || mprotect(begin(), bytes_, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("no guarded memory");
  }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory() { munmap(whole_, bytes_ + 2 * page_); }
  std::uint8_t* begin() { return static_cast<std::uint8_t*>(whole_) + page_; }
  std::uint8_t* end() { return begin() + bytes_; }

 private:
  std::size_t page_, bytes_ = 0;
  void* whole_ = nullptr;
};

/// `shape` with its first byte at `first`: the last row has no padding behind it.
ImageView lay(std::uint8_t* first, const test::TestImage::Shape& shape) {
  const std::size_t row = shape.width * static_cast<std::size_t>(shape.channels), pitch = row + shape.padding;
  for (std::size_t y = 0; y < shape.height; ++y) fill_pattern(first + y * pitch, row, {}, y);
  return {first, shape.width, shape.height, shape.channels, pitch};
}

TEST(GuardPage, NothingOutsideTheRowsIsRead) {
  const std::size_t widths[] = {1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 2047, 2048, 2049, 6000};
  GuardedMemory memory(3 * (6000 * 4 + 5)), mask_memory(3 * 6000);
  for (int channels = 1; channels <= 4; ++channels)
    for (const std::size_t width : widths)
      for (const std::size_t padding : {0u, 5u})
        for (const int predicate : {0, 1, 2}) {
          const test::TestImage::Shape shape{width, 3, channels, padding, 0};
          const std::size_t pitch = width * static_cast<std::size_t>(channels) + padding;
          CountSpec spec;
          spec.predicate.skip_transparent = predicate == 1;
          if (predicate == 2) spec.predicate.mask = lay(mask_memory.end() - width * 3, {width, 3, 1, 0, 0});
          for (std::uint8_t* first : {memory.end() - (pitch * 3 - padding), memory.begin()}) {
            const ImageView image = lay(first, shape);
            test::expect_same(count_image(image, spec, 1), test::naive_count(image, spec), std::to_string(width));
          }
        }
}

}  // namespace
}  // namespace gpuhisto
