// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Any bytes as EXIF, ICC profile and XMP: from a file into another, whose pixels must be those of one without them.
#include "fuzz/fuzz.hpp"
#include "gpuhisto/decoder.hpp"
#include "gpuhisto/encoder.hpp"
#include "metadata/exif.hpp"

namespace gpuhisto::fuzz {
namespace {

using Buffer = std::vector<std::uint8_t>;

constexpr std::size_t kWidth = 3, kHeight = 2;
constexpr Format kFormats[] = {Format::kJpeg, Format::kPng, Format::kBmp, Format::kPam};

struct MemorySink : ByteSink {
  Buffer bytes;
  void write(const void* from, std::size_t count) override {
    const auto* first = static_cast<const std::uint8_t*>(from);
    bytes.insert(bytes.end(), first, first + count);
  }
};

struct Read {
  Metadata metadata;
  Buffer pixels;
};

Read write_and_read(Format format, const ImageView& image, const Metadata& metadata) {
  EncodeOptions options;
  options.metadata = metadata;
  MemorySink sink;
  encode(image, format, options, sink);
  const auto source = open_memory(sink.bytes);
  DecodeOptions keeping;
  keeping.keep_metadata = true;
  const auto decoder = open_decoder(*source, keeping);
  const Image decoded = decode_image(*decoder);
  require(!decoder->flags().any(), "no reader complains of an output");
  const std::uint8_t* const first = decoded.view().data;
  return {decoder->take_metadata(), Buffer(first, first + decoded.bytes())};
}

Buffer take(Bytes& bytes, std::size_t count) {
  const Bytes first = bytes.first(std::min(count, bytes.size()));
  bytes = bytes.subspan(first.size());
  return {first.begin(), first.end()};
}

void check_tiff(const Buffer& file) {
  const Buffer gathered = exif_of_tiff(file, 1 << 16);
  require(gathered.empty() || is_sound_exif(gathered), "what is gathered from a TIFF file is sound");
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto;
  using namespace gpuhisto::fuzz;
  Choices choices({data, std::min<std::size_t>(size, 60000)});
  const Format from = kFormats[choices.below(2)], to = kFormats[choices.below(4)];
  MetadataUse use;
  use.format = to;
  use.pixels = {nullptr, kWidth, kHeight, choices.flag() ? 3 : 1, 0};
  use.upright = to != Format::kJpeg || choices.flag();
  const std::size_t of_exif = choices.below(10000), of_profile = choices.below(10000);
  Bytes rest = choices.rest();
  Metadata written;
  written.exif = take(rest, of_exif);
  written.icc = take(rest, of_profile);
  written.xmp.assign(rest.begin(), rest.end());
  check_tiff(written.exif);

  const auto row = kWidth * static_cast<std::size_t>(use.pixels.channels);
  const Buffer pixels(row * kHeight, 100);
  const ImageView image{pixels.data(), kWidth, kHeight, use.pixels.channels, row};
  const Read source = write_and_read(from, image, written);
  use.source.width = kHeight, use.source.height = kWidth;
  use.source.orientation = exif_orientation(source.metadata.exif);
  const Metadata fit = fit_metadata(source.metadata, use);
  const Read result = write_and_read(to, image, fit);
  require(result.pixels == write_and_read(to, image, {}).pixels, "metadata changes no pixel");
  require(result.metadata.exif == fit.exif && result.metadata.icc == fit.icc && result.metadata.xmp == fit.xmp,
          "an output carries what was fitted to it");
  require(!use.upright || exif_orientation(fit.exif) == 1, "turned pixels are not turned again");
  return 0;
}
