// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/mask.hpp"

#include "core/memory_limit.hpp"
#include "core/sha256.hpp"
#include "gpuhisto/error.hpp"
#include "pipeline/strips.hpp"

namespace gpuhisto {
namespace {

std::string size_text(std::uint64_t width, std::uint64_t height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

/// Turns the rows of a strip into those of the mask.
void choose(const ImageView& strip, const MutableImageView& mask) {
  const auto channels = static_cast<std::size_t>(strip.channels);
  const std::size_t colors = channels - (has_alpha(strip.channels) ? 1 : 0);
  for (std::size_t y = 0; y < strip.height; ++y) {
    const std::uint8_t* pixel = strip.row(y);
    std::uint8_t* chosen = mask.row(y);
    for (std::size_t x = 0; x < strip.width; ++x, pixel += channels) {
      unsigned any = 0;
      for (std::size_t c = 0; c < colors; ++c) any |= pixel[c];
      chosen[x] = any != 0 ? 255 : 0;
    }
  }
}

}  // namespace

Mask read_mask(ByteSource& source, const DecodeOptions& options) {
  DecodeOptions whole = options;
  whole.tolerate_damage = false;
  const auto decoder = open_decoder(source, whole);
  const ImageInfo& info = decoder->info();
  if (info.source_bits > 8)
    throw Error(ErrorKind::kUnsupported, "a mask has 8 bits a sample at most, this image has " +
                                             std::to_string(info.source_bits) + ": what is not zero might become so");
  check_max_memory("the mask", info.memory + strip_memory(info) + info.width * info.height, options.max_memory);
  Mask mask;
  mask.image = Image(static_cast<std::size_t>(info.width), static_cast<std::size_t>(info.height), 1);
  const MutableImageView view = mask.image.view();
  stream_strips(*decoder, 1, [&](const ImageView& strip, std::uint64_t first_row) {
    choose(strip, view.rows(static_cast<std::size_t>(first_row), strip.height));
  });
  mask.flags = decoder->flags();
  mask.notes = decoder->notes();
  const std::string_view bytes(reinterpret_cast<const char*>(view.data), mask.image.bytes());
  mask.empty = bytes.find('\xff') == bytes.npos;
  Sha256 digest;
  digest.add(size_text(info.width, info.height) + '\0');
  digest.add(bytes);
  mask.digest = digest.digits();
  return mask;
}

void check_selection(const PixelPredicate& predicate, const ImageInfo& info) {
  const std::string size = size_text(info.width, info.height);
  if (const auto& mask = predicate.mask; mask && (mask->width != info.width || mask->height != info.height))
    throw Error(ErrorKind::kInput, "the mask is " + size_text(mask->width, mask->height) + ", the image " + size);
  const auto& part = predicate.rectangle;
  if (!part || (part->x <= info.width && part->width <= info.width - part->x && part->y <= info.height &&
                part->height <= info.height - part->y))
    return;
  throw Error(ErrorKind::kInput, "the rectangle of " + size_text(part->width, part->height) + " at " +
                                     std::to_string(part->x) + "," + std::to_string(part->y) +
                                     " reaches beyond the image, which is " + size);
}

}  // namespace gpuhisto
