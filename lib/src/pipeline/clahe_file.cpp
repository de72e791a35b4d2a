// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "pipeline/clahe_file.hpp"

#include <functional>
#include <string>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/convert.hpp"
#include "pipeline/count_shown.hpp"
#include "pipeline/file_counter.hpp"
#include "pipeline/strips.hpp"

namespace gpuhisto {
namespace {

Image decode_image(Decoder& decoder, bool gray, LumaRule luma, int threads) {
  const ImageInfo& info = decoder.info();
  const int channels = gray ? info.channels - 2 : info.channels;
  Image image(static_cast<std::size_t>(info.width), static_cast<std::size_t>(info.height), channels);
  if (!gray) {
    image.truncate(fill_strips(decoder, image.view(), threads, [](const ImageView&, std::uint64_t) {}));
    return image;
  }
  const int others = consumer_threads(info, threads);
  image.truncate(stream_strips(decoder, threads, [&](const ImageView& strip, std::uint64_t first_row) {
    to_gray(strip, image.view().rows(static_cast<std::size_t>(first_row), strip.height), luma, others);
  }));
  return image;
}

/// Null where the CPU is to map. A device that may be lost costs a second image.
std::shared_ptr<Device> device_for(const Image& image, const ImageInfo& info, const CountOptions& options) {
  if (options.on_device_failure == OnDeviceFailure::kUseCpu &&
      info.memory + 2 * std::uint64_t{image.bytes()} > options.decode.max_memory)
    return nullptr;
  return device_of(options);
}

void map(Image& image, const ImageInfo& info, const ClaheOptions& clahe_options, const CountOptions& limited,
         FileResult& result) {
  const auto device = device_for(image, info, limited);
  if (!device) return clahe(image.view(), clahe_options);
  result.device = device->info().id;
  std::function<void(const std::string& why)> on_lost;
  if (limited.on_device_failure == OnDeviceFailure::kUseCpu)
    on_lost = [&](const std::string& why) {
      result.device = "cpu";
      lose_device(limited, "the CPU mapped the image: " + why, result);
    };
  clahe_on_device(*device, image, clahe_options, on_lost);
}

}  // namespace

Image decode_clahe(Decoder& decoder, const MapFileOptions& options, const CountOptions& limited, int threads,
                   FileResult& result, Change& change) {
  const ImageInfo& info = decoder.info();
  Image image = decode_image(decoder, options.gray && has_color(info.channels), options.count.spec.luma, threads);
  change.before = count_shown(image, options, threads);
  ClaheOptions clahe_options = *options.clahe;
  clahe_options.threads = threads;
  map(image, info, clahe_options, limited, result);
  change.after = count_shown(image, options, threads);
  return image;
}

}  // namespace gpuhisto
