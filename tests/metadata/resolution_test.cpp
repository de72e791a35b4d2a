// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "metadata/resolution.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gpuhisto {
namespace {

using Unit = Resolution::Unit;

TEST(Resolution, EveryJfifDensityComesBackFromPng) {
  for (std::uint32_t v = 1; v <= 65535; ++v) {
    const double n = v;
    const PerMetre inch = *per_metre({n, n, Unit::kInch});
    EXPECT_EQ(inch.x, std::lround(n / 0.0254));
    const JfifDensity back = *jfif_density({double(inch.x), double(inch.y), Unit::kMetre});
    ASSERT_EQ(back.unit, 1);
    ASSERT_EQ(back.x, v);
    // What is whole per centimetre may be so per inch as well: the same pixels per metre, then.
    const PerMetre centimetre = *per_metre({100 * n, 100 * n, Unit::kMetre});
    ASSERT_EQ(centimetre.x, 100 * v);
    const JfifDensity other = *jfif_density({100 * n, 100 * n, Unit::kMetre});
    const double metric = other.unit == 2 ? other.x * 100.0 : std::round(other.x / 0.0254);
    ASSERT_EQ(metric, 100 * n);
  }
}

TEST(Resolution, WhatAFormatCannotHoldIsNotWritten) {
  EXPECT_FALSE(can_write_resolution(Format::kJpeg, {0.2, 300, Unit::kInch}));
  EXPECT_FALSE(can_write_resolution(Format::kJpeg, {300, 65536, Unit::kInch}));
  EXPECT_TRUE(can_write_resolution(Format::kPng, {300, 65536, Unit::kInch}));
  EXPECT_FALSE(can_write_resolution(Format::kPng, {300, 1e9, Unit::kInch}));
  EXPECT_FALSE(can_write_resolution(Format::kPng, {NAN, INFINITY, Unit::kInch}));
  EXPECT_FALSE(can_write_resolution(Format::kPnm, {300, 300, Unit::kInch}));
}

TEST(Resolution, TheShapeOfAPixelHasNoUnit) {
  const Resolution shape{2, 1, Unit::kNone};
  EXPECT_EQ(jfif_density(shape)->unit, 0);
  EXPECT_FALSE(per_metre(shape));
  EXPECT_EQ(pixel_shape(shape)->x, 2u);
  EXPECT_TRUE(can_write_resolution(Format::kPng, shape));
  EXPECT_FALSE(can_write_resolution(Format::kBmp, shape));
}

}  // namespace
}  // namespace gpuhisto
