// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <array>
#include <string>

#include "codecs/codec.hpp"
#include "core/memory_limit.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Open = std::unique_ptr<Decoder> (*)(ByteSource&, const DecodeOptions&);

constexpr std::size_t kHeadBytes = 32;

/// Whatever --max-pixels says. No memory holds so many; and with them no product of pixels, samples and bytes wraps,
/// nor a sum of such products.
constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 48;

bool starts(Bytes head, std::string_view text, std::size_t at = 0) {
  return head.size() >= at + text.size() &&
         std::equal(text.begin(), text.end(), head.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char c, std::uint8_t byte) { return static_cast<std::uint8_t>(c) == byte; });
}

// libjpeg also takes 0xFF 0xD8 followed by rubbish; such files are no JPEG to any other decoder.
bool is_jpeg(Bytes head) { return starts(head, "\xFF\xD8\xFF"); }

// Four bytes: a signature damaged behind them deserves a message of its own.
bool is_png(Bytes head) { return starts(head, "\x89PNG"); }

bool is_netpbm(Bytes head) {
  constexpr std::string_view kSpace = " \t\n\v\f\r#";
  return head.size() >= 3 && head[0] == 'P' && head[1] >= '1' && head[1] <= '7' &&
         kSpace.find(static_cast<char>(head[2])) != std::string_view::npos;
}

// "BM" alone begins many a text: ask for a header size that could be one.
bool is_bmp(Bytes head) { return starts(head, "BM") && head.size() >= 18 && head[16] == 0 && head[17] == 0; }
bool is_psd(Bytes head) { return starts(head, "8BPS"); }
bool is_gif(Bytes head) { return starts(head, "GIF8"); }
bool is_webp(Bytes head) { return starts(head, "RIFF") && starts(head, "WEBP", 8); }

bool is_tiff(Bytes head) {
  using namespace std::string_view_literals;
  constexpr std::array kByteOrders = {"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};
  return std::any_of(kByteOrders.begin(), kByteOrders.end(), [&](std::string_view s) { return starts(head, s); });
}

struct Known {
  bool (*matches)(Bytes head);
  Open open;
};

// In the order asked: TGA has no signature.
constexpr Known kFormats[] = {
    {is_jpeg, open_jpeg},        {is_png, open_png},          {is_netpbm, open_pnm},
    {is_bmp, open_bmp},          {is_psd, open_psd},          {is_gif, open_gif},
    {is_tiff, open_module_tiff}, {is_webp, open_module_webp}, {looks_like_tga, open_tga},
};

constexpr std::size_t kStepBytes = 1 << 20;  // of rows between two looks at the time

/// What opens the stream; null when it is of no known format.
Open opener_of(ByteSource& source) {
  const Bytes head = source.peek(kHeadBytes);
  for (const Known& format : kFormats)
    if (format.matches(head)) return format.open;
  return nullptr;
}

}  // namespace

void check_pixels(std::uint64_t width, std::uint64_t height, const DecodeOptions& options) {
  const auto size = [&] { return std::to_string(width) + "x" + std::to_string(height); };
  if (width == 0 || height == 0) throw Error(ErrorKind::kInput, "the image is empty (" + size() + " pixels)");
  if (height > options.max_pixels / width)
    throw Error(ErrorKind::kTooLarge,
                size() + " pixels are more than the " + std::to_string(options.max_pixels) + " of --max-pixels");
  if (height > kMostPixels / width)
    throw Error(ErrorKind::kUnsupported,
                size() + " pixels are more than the " + std::to_string(kMostPixels) + " that any image may have");
}

void check_memory(std::uint64_t bytes, const DecodeOptions& options) {
  check_max_memory("decoding", bytes, options.max_memory);
}

std::unique_ptr<Decoder> open_decoder(ByteSource& source, const DecodeOptions& options) {
  if (source.peek().empty()) throw Error(ErrorKind::kInput, "the file is empty");
  const Open open = opener_of(source);
  if (!open) throw Error(ErrorKind::kInput, "not an image in a format gpuhisto reads");
  auto decoder = open(source, options);
  decoder->set_time_limit(options.time_limit);
  return decoder;
}

bool is_image(ByteSource& source) { return opener_of(source) != nullptr; }

Image decode_image(Decoder& decoder) {
  const ImageInfo& info = decoder.info();
  Image image(static_cast<std::size_t>(info.width), static_cast<std::size_t>(info.height), info.channels);
  const MutableImageView view = image.view();
  const std::size_t step = std::max<std::size_t>(kStepBytes / view.row_bytes, 1);
  std::size_t done = 0;
  // The loop ends at 0, not at the last row: only then has the decoder looked at the file's tail. Room for one row
  // is claimed there, because a decoder may answer a request for none without looking.
  for (std::size_t got = 1; got > 0; done += got) {
    decoder.time_limit().check();
    got = decoder.read_rows(view.row(done), view.row_bytes, std::clamp<std::size_t>(view.height - done, 1, step));
  }
  image.truncate(done);
  return image;
}

}  // namespace gpuhisto
