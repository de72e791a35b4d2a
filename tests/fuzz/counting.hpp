// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// An image made of choices, and what an emulated device makes of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "gpuhisto/histogram.hpp"
#include "gpuhisto/tone.hpp"
#include "kernels/oracle.hpp"

namespace gpuhisto::fuzz {

/// Any size up to some thousand pixels, alignment, pitch and kind; its bytes are the rest of the choices, repeated.
class Image {
 public:
  explicit Image(Choices& choices);

  ImageView view() const { return {bytes_.data() + offset_, width_, height_, channels_, row_bytes_}; }
  CountSpec spec() const;
  bool counts_all() const { return mask_.empty() && !skip_transparent; }
  test::Bins oracle() const;
  const std::vector<std::uint8_t>& mask() const { return mask_; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }  ///< the first `offset()` are not the image's
  std::size_t offset() const { return offset_; }

  LumaRule luma = LumaRule::kBt601;
  bool skip_transparent = false;

 private:
  std::size_t width_ = 0, height_ = 0, row_bytes_ = 0, offset_ = 0;
  int channels_ = 1;
  std::vector<std::uint8_t> bytes_;  ///< up to the image's last, so that a read beyond it shows
  std::vector<std::uint8_t> mask_;   ///< empty: none
};

struct DeviceChoice {
  int index = 0;
  bool in_device_memory = false;
};
/// Chooses its order of lanes too.
DeviceChoice choose_device(Choices& choices);
/// "key=value,…", often one that a device refuses.
std::string choose_policy(Choices& choices);
std::vector<std::string> exact_methods();

/// None where the device refuses, with a reason.
std::optional<test::Bins> count_on_device(const Image& image, const DeviceChoice& device, const std::string& method,
                                          const std::string& policy);
/// apply_tone_map() with the emulated device.
void map_on_device(const MutableImageView& image, const ToneMap& map, bool keep_transparent,
                   const DeviceChoice& device);

}  // namespace gpuhisto::fuzz
