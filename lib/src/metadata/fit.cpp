// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <span>
#include <utility>

#include "codecs/png_metadata.hpp"
#include "gpuhisto/encoder.hpp"
#include "metadata/exif.hpp"
#include "metadata/icc.hpp"
#include "metadata/limits.hpp"
#include "metadata/resolution.hpp"
#include "metadata/xmp.hpp"

namespace gpuhisto {
namespace {

class Fitter {
 public:
  Fitter(Metadata metadata, const MetadataUse& use) : metadata_(std::move(metadata)), use_(use) {
    const ImageInfo& source = use.source;
    change_.upright = use.upright && source.orientation != 1;
    change_.swapped_axes = use.upright && source.orientation > 4;
    const ImageView& output = use.pixels;
    if (source.width == output.width && source.height == output.height) return;
    change_.width = static_cast<std::uint32_t>(output.width);
    change_.height = static_cast<std::uint32_t>(output.height);
  }

  Metadata fit() {
    fit_profile();
    // Pixels that stand upright need it no more.
    if (!takes_blocks() && use_.upright && is_orientation_alone(metadata_.exif)) metadata_.exif.clear();
    fit_block(metadata_.exif, "EXIF", kMostJpegExif, is_sound_exif, fit_exif);
    fit_block(metadata_.xmp, "XMP", kMostJpegXmp, is_sound_xmp, fit_xmp);
    fit_resolution();
    if (change_.upright) drop_texts_of_orientation();
    fit_blocks(metadata_.jpeg_segments, Format::kJpeg);
    fit_blocks(metadata_.png_chunks, Format::kPng);
    if (is_jpeg() && metadata_.exif.empty() && !use_.upright && use_.source.orientation != 1)
      metadata_.exif = exif_of_orientation(use_.source.orientation);
    return std::move(metadata_);
  }

 private:
  using Bytes = std::vector<std::uint8_t>;

  bool is_jpeg() const { return use_.format == Format::kJpeg; }
  bool takes_blocks() const { return is_jpeg() || use_.format == Format::kPng; }

  void drop(Bytes& block, const char* name, const std::string& reason) {
    block = {};
    metadata_.lose(name, reason);
  }

  void fit_profile() {
    Bytes& profile = metadata_.icc;
    if (profile.empty()) return;
    if (!takes_blocks()) return drop(profile, "ICC profile", {});
    std::string objection = icc_objection(profile, use_.pixels.channels);
    if (objection.empty() && is_jpeg() && profile.size() > kMostJpegProfile) objection = "longer than JPEG allows";
    if (!objection.empty()) drop(profile, "ICC profile", objection);
  }

  void fit_block(Bytes& block, const char* name, std::size_t most_in_jpeg,
                 bool (*is_sound)(std::span<const std::uint8_t>), void (*fit_to)(Bytes&, const PixelChange&)) {
    if (block.empty()) return;
    if (!takes_blocks()) return drop(block, name, {});
    if (!is_sound(block)) return drop(block, name, "damaged");
    fit_to(block, change_);
    if (block.empty()) return drop(block, name, "damaged");
    if (is_jpeg() && block.size() > most_in_jpeg) drop(block, name, "longer than JPEG allows");
  }

  void fit_resolution() {
    std::optional<Resolution>& resolution = metadata_.resolution;
    if (!resolution) return;
    if (change_.swapped_axes) std::swap(resolution->x, resolution->y);
    if (can_write_resolution(use_.format, *resolution)) return;
    metadata_.lose(resolution->unit == Resolution::Unit::kNone ? "pixel aspect ratio" : "resolution");
    resolution.reset();
  }

  /// EXIF or XMP once more, or a property of them, by which a reader would turn the pixels again.
  void drop_texts_of_orientation() {
    if (use_.format != Format::kPng) return;
    const std::size_t dropped = std::erase_if(metadata_.png_chunks, [](const MetadataBlock& chunk) {
      return is_png_text_of_orientation(chunk.type, chunk.bytes);
    });
    if (dropped > 0) metadata_.lose("text", "of the orientation");
  }

  void fit_blocks(std::vector<MetadataBlock>& blocks, Format format) {
    if (use_.format == format) return;
    for (const MetadataBlock& block : blocks)
      if (!block.name.empty()) metadata_.lose(block.name);
    blocks.clear();
  }

  Metadata metadata_;
  const MetadataUse& use_;
  PixelChange change_;
};

}  // namespace

Metadata fit_metadata(Metadata metadata, const MetadataUse& use) { return Fitter(std::move(metadata), use).fit(); }

}  // namespace gpuhisto
