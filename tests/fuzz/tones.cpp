// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Any image through any operation on tones: the same bytes for any number of threads and from both emulated devices,
// each pixel that counts as one plain lookup gives it, every other pixel and all alpha as before; tables ascend.
#include "fuzz/counting.hpp"
#include "gpuhisto/equalize.hpp"
#include "gpuhisto/match.hpp"
#include "gpuhisto/stretch.hpp"
#include "ops/oracle.hpp"

namespace gpuhisto::fuzz {
namespace {

std::unique_ptr<ToneOperation> choose_operation(Choices& choices, const Image& image, const Image& reference) {
  const auto mode = static_cast<ToneMode>(choices.below(3));
  const unsigned kind = choices.below(4);
  if (kind == 0) return std::make_unique<Equalization>(mode);
  if (kind == 1) {
    StretchOptions options;
    options.mode = mode;
    options.auto_gamma = choices.flag();
    options.luma = image.luma;
    options.low = {choices.below(1000), 10, ""};
    options.high = {choices.below(static_cast<unsigned>(1000 - options.low.numerator)), 10, ""};
    return std::make_unique<Stretch>(options);
  }
  const Image& like = kind == 2 ? image : reference;
  return std::make_unique<Matching>(mode, count_image(like.view(), Matching::counts_wanted(), 1));
}

/// One pixel after another.
void map_plainly(test::PaddedImage& image, const ToneMap& map, const PixelPredicate& predicate) {
  for (std::size_t y = 0; y < image.view.height; ++y)
    for (std::size_t x = 0; x < image.view.width; ++x) {
      if (map.kind == ToneMap::Kind::kNone || !test::counts(predicate, image.view, x, y)) continue;
      std::uint8_t* pixel = image.pixel(x, y);
      if (map.kind == ToneMap::Kind::kLuma) {
        test::slow_replace_luma(pixel, map.luts[0]);
      } else {
        for (std::size_t c = 0; c < (has_color(image.view.channels) ? 3 : 1); ++c)
          pixel[c] = map.luts[map.kind == ToneMap::Kind::kEach ? c : 0][pixel[c]];
      }
    }
}

test::PaddedImage copy_of(const ImageView& view, std::size_t offset) {
  test::PaddedImage copy(view.width, view.height, view.channels, offset, offset);
  for (std::size_t y = 0; y < view.height; ++y)
    std::copy_n(view.row(y), view.width * static_cast<std::size_t>(view.channels), copy.view.row(y));
  return copy;
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto;
  fuzz::Choices choices({data, size});
  const unsigned offset = choices.below(40);
  const fuzz::DeviceChoice device = fuzz::choose_device(choices);
  fuzz::Choices of_reference({data + size / 2, size - size / 2});
  const fuzz::Image image(choices), reference(of_reference);
  if (reference.view().width * reference.view().height == 0 || image.view().width * image.view().height == 0) return 0;
  const auto operation = fuzz::choose_operation(choices, image, reference);
  const PixelPredicate predicate = image.spec().predicate;
  test::PaddedImage first = fuzz::copy_of(image.view(), offset), second = first, expected = first;
  const ImageHistogram counts = apply_operation(first.view, *operation, predicate, 1);
  apply_operation(second.view, *operation, predicate, 3);
  fuzz::require(first.buffer == second.buffer, "threads change nothing");
  const ToneMap map = operation->map(counts, image.view().channels);
  fuzz::map_plainly(expected, map, predicate);
  fuzz::require(first.buffer == expected.buffer, "each pixel is mapped by its tables");
  if (!predicate.mask) {
    test::PaddedImage mapped = fuzz::copy_of(image.view(), offset);
    fuzz::map_on_device(mapped.view, map, predicate.skip_transparent && has_alpha(mapped.view.channels), device);
    fuzz::require(first.buffer == mapped.buffer, "a device maps like the CPU");
  }
  for (const Lut& lut : map.luts) fuzz::require(std::is_sorted(lut.begin(), lut.end()), "tables ascend");
  return 0;
}
