// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/image.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

TEST(Image, SizesThatNoAddressReachesAreALimit) {
  const auto kind = [](std::size_t width, std::size_t height, int channels) {
    try {
      Image(width, height, channels);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::kInput;
  };
  // With what is added to them, some of these are few bytes.
  for (const std::size_t less : std::initializer_list<std::size_t>{0, 1, 63, 64, 65, 4095, 2 << 20, 4 << 20})
    for (const int channels : {1, 3, 4})
      EXPECT_EQ(kind((SIZE_MAX - less) / static_cast<std::size_t>(channels), 1, channels), ErrorKind::kLimit) << less;
  EXPECT_EQ(kind(6700417, 2753074036095, 1), ErrorKind::kLimit);  // 2^64 - 1
  EXPECT_EQ(kind(SIZE_MAX / 2, 3, 4), ErrorKind::kLimit);
}

TEST(Image, EveryByteOfItCanBeWritten) {
  constexpr std::size_t kHugePage = 2 << 20;
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, 2 * kHugePage - 1, 2 * kHugePage, 3 * kHugePage + 1}) {
    Image image(bytes, 1, 1);
    ASSERT_EQ(image.bytes(), bytes);
    std::fill_n(image.view().data, bytes, std::uint8_t{7});
    EXPECT_TRUE(bytes == 0 || image.view().row(0)[bytes - 1] == 7);
  }
}

}  // namespace
}  // namespace gpuhisto
