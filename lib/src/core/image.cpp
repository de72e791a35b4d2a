// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/image.hpp"

#include <sys/mman.h>

#include <string>

#include "core/memory_limit.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kSlack = 64;  // readers may load a whole vector at the last pixel
/// More than an address reaches, and far enough from where sums wrap.
constexpr std::size_t kTooMany = SIZE_MAX / 2;

/// First touch of a page costs more than filling it, so large images ask for huge pages.
void* allocate(std::size_t bytes) {
  if (bytes < 2 * kHugePage) return std::malloc(bytes + kSlack);
  const std::size_t size = (bytes + kSlack + kHugePage - 1) / kHugePage * kHugePage;
  void* memory = std::aligned_alloc(kHugePage, size);
  if (memory) ::madvise(memory, size, MADV_HUGEPAGE);  // only a wish: what it returns does not matter
  return memory;
}

}  // namespace

Image::Image(std::size_t width, std::size_t height, int channels)
    : width_(width), height_(height), channels_(channels) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(width, height, &bytes) ||
      __builtin_mul_overflow(bytes, static_cast<std::size_t>(channels), &bytes) || bytes > kTooMany)
    throw Error(ErrorKind::kLimit, "the image is too large for this machine's addresses");
  data_.reset(static_cast<std::uint8_t*>(allocate(bytes)));
  if (!data_) throw Error(ErrorKind::kLimit, "not enough memory for the image (" + need_in_mebibytes(bytes) + ")");
}

}  // namespace gpuhisto
