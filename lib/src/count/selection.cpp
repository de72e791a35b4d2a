// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "count/selection.hpp"

#include <algorithm>
#include <cstring>

namespace gpuhisto::count {
namespace {

/// Every pixel is copied, and the end moves on only if it counts: no branch to mispredict.
template <std::size_t kChannels>
std::size_t compact_pixels(const std::uint8_t* pixels, const std::uint8_t* mask, std::size_t n, std::uint8_t* out,
                           bool skip_transparent) {
  const std::uint8_t floor = skip_transparent ? 0 : 1;  // or-ed to alpha: then never zero
  // Without a mask its one byte is read again and again; with logical operators compilers made branches of the two.
  const std::uint8_t everywhere = 1;
  const std::size_t mask_bits = mask ? ~std::size_t{0} : 0;
  if (!mask) mask = &everywhere;
  std::uint8_t* end = out;
  for (std::size_t i = 0; i < n; ++i, pixels += kChannels) {
    std::memcpy(end, pixels, kChannels);
    const unsigned seen = (pixels[kChannels - 1] | floor) != 0;
    const unsigned inside = mask[i & mask_bits] != 0;  // cppcheck-suppress objectIndex
    end += kChannels * (seen & inside);
  }
  return static_cast<std::size_t>(end - out) / kChannels;
}

}  // namespace

Range clip(std::uint64_t first, std::size_t size, std::uint64_t begin, std::uint64_t length) {
  const std::uint64_t end = length > UINT64_MAX - begin ? UINT64_MAX : begin + length;
  const auto relative = [&](std::uint64_t at) {
    return at <= first ? std::size_t{0} : static_cast<std::size_t>(std::min<std::uint64_t>(at - first, size));
  };
  return {relative(begin), std::max(relative(begin), relative(end))};
}

std::size_t Sieve::compact(const std::uint8_t* pixels, const std::uint8_t* mask, std::size_t n,
                           std::uint8_t* out) const {
  switch (channels) {
    case 1:
      return compact_pixels<1>(pixels, mask, n, out, skip_transparent);
    case 2:
      return compact_pixels<2>(pixels, mask, n, out, skip_transparent);
    case 3:
      return compact_pixels<3>(pixels, mask, n, out, skip_transparent);
    default:
      return compact_pixels<4>(pixels, mask, n, out, skip_transparent);
  }
}

}  // namespace gpuhisto::count
