// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_chunks.hpp"
#include "gpuhisto/encoder.hpp"
#include "metadata/blocks.hpp"
#include "metadata/exif.hpp"

namespace gpuhisto::testing {
namespace {

using Names = std::vector<std::string>;

Metadata everything() {
  Metadata metadata;
  metadata.icc = make_icc("RGB ");
  metadata.exif = make_exif({});
  metadata.xmp = bytes_of("<a tiff:Orientation='6'/>");
  metadata.resolution = {300, 150, Resolution::Unit::kInch};
  metadata.jpeg_segments = {{0xFE, "comment", bytes_of("said")}};
  metadata.png_chunks = {{1, "text", bytes_of("said")}, {2, "", {}}, {3, "text", {}}};
  return metadata;
}

/// Of a source of 40x30 pixels with orientation 6.
MetadataUse use_of(Format format, bool upright, int channels = 3) {
  MetadataUse use;
  use.format = format;
  use.source.width = 40, use.source.height = 30, use.source.orientation = 6;
  use.pixels.width = upright ? 30 : 40, use.pixels.height = upright ? 40 : 30;
  use.pixels.channels = channels;
  use.upright = upright;
  return use;
}

TEST(Fit, JpegKeepsWhatJpegHas) {
  const Metadata fit = fit_metadata(everything(), use_of(Format::kJpeg, false));
  const Metadata before = everything();
  EXPECT_EQ(fit.icc, before.icc);
  EXPECT_EQ(fit.exif, before.exif);
  EXPECT_EQ(fit.xmp, before.xmp);
  EXPECT_EQ(fit.resolution->x, 300);
  EXPECT_EQ(fit.jpeg_segments.size(), 1u);
  EXPECT_EQ(fit.lost, Names{"text"});
}

TEST(Fit, TurnedPixelsAreUpright) {
  const Metadata fit = fit_metadata(everything(), use_of(Format::kPng, true));
  ExifWish turned;
  turned.orientation = 1;
  turned.x_per_inch = 150, turned.y_per_inch = 300;
  turned.width = 30, turned.height = 40;
  EXPECT_EQ(fit.exif, make_exif(turned));
  EXPECT_EQ(fit.xmp, bytes_of("<a tiff:Orientation='1'/>"));
  EXPECT_EQ(fit.resolution->x, 150);
  EXPECT_EQ(fit.resolution->y, 300);
  EXPECT_EQ(fit.png_chunks.size(), 3u);
  EXPECT_EQ(fit.lost, Names{"comment"});
}

TEST(Fit, TextsThatTellTheOrientationGoWithIt) {
  const auto text = [](const char* type, std::string content) {
    return MetadataBlock{type == std::string("zTXt") ? png_chunk_type("zTXt") : png_chunk_type("tEXt"), "text",
                         bytes_of(content)};
  };
  Metadata metadata;
  metadata.png_chunks = {text("zTXt", std::string("Raw profile type exif\0\0?", 24)),
                         text("tEXt", std::string("Raw profile type APP1\0?", 23)),
                         text("zTXt", std::string("Raw profile type xmp\0\0?", 23)),
                         text("tEXt", std::string("EXIF:Orientation\0006", 18)),
                         text("tEXt", std::string("tiff:Orientation\0006", 18)),
                         text("zTXt", std::string("XML:com.adobe.xmp\0\0?", 20)),
                         text("tEXt", std::string("Raw profile type iptc\0?", 23)),
                         text("tEXt", std::string("Title\0Orientation", 17))};
  const Metadata fit = fit_metadata(metadata, use_of(Format::kPng, true));
  ASSERT_EQ(fit.png_chunks.size(), 2u);
  EXPECT_EQ(fit.png_chunks[0].bytes, metadata.png_chunks[6].bytes);
  EXPECT_EQ(fit.lost, Names{"text (of the orientation)"});
  // Pixels that were not turned are turned by whoever reads such a text.
  MetadataUse as_stored = use_of(Format::kPng, false);
  as_stored.upright = true;
  as_stored.source.orientation = 1;
  EXPECT_EQ(fit_metadata(metadata, as_stored).png_chunks.size(), metadata.png_chunks.size());
}

TEST(Fit, OtherFormatsKeepTheResolutionOrNothing) {
  const Metadata bmp = fit_metadata(everything(), use_of(Format::kBmp, true));
  EXPECT_TRUE(bmp.resolution);
  EXPECT_EQ(bmp.bytes(), 0u);
  EXPECT_EQ(bmp.lost, (Names{"ICC profile", "EXIF", "XMP", "comment", "text"}));
  const Metadata pnm = fit_metadata(everything(), use_of(Format::kPnm, true));
  EXPECT_EQ(pnm.bytes(), 0u);
  EXPECT_EQ(pnm.lost, (Names{"ICC profile", "EXIF", "XMP", "resolution", "comment", "text"}));
}

TEST(Fit, AnOrientationThatWasFollowedIsNotMissed) {
  Metadata metadata;
  metadata.exif = exif_of_orientation(6);
  EXPECT_EQ(fit_metadata(metadata, use_of(Format::kPnm, true)).lost, Names{});
  metadata.exif = make_exif({});
  EXPECT_EQ(fit_metadata(metadata, use_of(Format::kPnm, true)).lost, Names{"EXIF"});
}

TEST(Fit, WhatIsNotUnderstoodIsDropped) {
  Metadata metadata;
  metadata.icc = metadata.exif = bytes_of("?");
  metadata.xmp = {0};
  for (const Format format : {Format::kJpeg, Format::kPng}) {
    const Metadata fit = fit_metadata(metadata, use_of(format, true));
    EXPECT_EQ(fit.bytes(), 0u);
    EXPECT_EQ(fit.lost, (Names{"ICC profile (damaged)", "EXIF (damaged)", "XMP (damaged)"}));
  }
  // The orientation is not lost with it.
  EXPECT_EQ(fit_metadata(metadata, use_of(Format::kJpeg, false)).exif, exif_of_orientation(6));
}

TEST(Fit, AProfileOfOtherPixelsIsDropped) {
  const Metadata fit = fit_metadata(everything(), use_of(Format::kPng, true, 1));
  EXPECT_TRUE(fit.icc.empty());
  EXPECT_EQ(fit.lost, (Names{"ICC profile (of RGB pixels)", "comment"}));
}

TEST(Fit, WhatIsTooLongForJpegIsDropped) {
  Metadata metadata;
  metadata.exif = make_exif({}) + Bytes(70000, 0);
  metadata.xmp = Bytes(70000, ' ');
  metadata.icc = make_icc("RGB ", 255 * 65519 + 1);
  EXPECT_EQ(fit_metadata(metadata, use_of(Format::kPng, true)).lost, Names{});
  EXPECT_EQ(fit_metadata(metadata, use_of(Format::kJpeg, true)).lost,
            (Names{"ICC profile (longer than JPEG allows)", "EXIF (longer than JPEG allows)",
                   "XMP (longer than JPEG allows)"}));
}

}  // namespace
}  // namespace gpuhisto::testing
