// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "metadata/icc.hpp"

#include "metadata/blocks.hpp"

namespace gpuhisto::testing {
namespace {

TEST(Icc, BelongsToPixelsOfItsColorSpace) {
  for (const int channels : {1, 2}) EXPECT_EQ(icc_objection(make_icc("GRAY"), channels), "");
  for (const int channels : {3, 4}) EXPECT_EQ(icc_objection(make_icc("RGB "), channels), "");
  EXPECT_EQ(icc_objection(make_icc("RGB "), 1), "of RGB pixels");
  EXPECT_EQ(icc_objection(make_icc("GRAY"), 3), "of gray pixels");
  EXPECT_EQ(icc_objection(make_icc("CMYK"), 3), "of CMYK pixels");
  EXPECT_EQ(icc_objection(make_icc("\x1B[2J"), 3), "of unknown pixels");
}

TEST(Icc, DamageIsTold) {
  const Bytes profile = make_icc("RGB ");
  for (std::size_t size = 0; size < profile.size(); ++size) EXPECT_EQ(icc_objection(cut(profile, size), 3), "damaged");
  for (const std::size_t at : {std::size_t{0}, std::size_t{36}, std::size_t{128}, std::size_t{136}, std::size_t{140}}) {
    Bytes other = profile;
    other[at] ^= 0x80;
    EXPECT_EQ(icc_objection(other, 3), "damaged") << at;
  }
}

}  // namespace
}  // namespace gpuhisto::testing
