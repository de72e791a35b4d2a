// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "bench_input.hpp"

#include <limits>

#include "arguments.hpp"
#include "available_memory.hpp"
#include "bench_values.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/convert.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto::app {
namespace {

constexpr const char* kWhose = "that bench takes for one image";

void check_memory(const ImageInfo& info, std::uint64_t most) {
  const std::uint64_t bytes = info.memory + info.width * info.height * static_cast<std::uint64_t>(info.channels);
  if (bytes > most)
    throw Error(ErrorKind::kLimit, "the image needs " + std::to_string(bytes >> 20) + " MiB of memory, more than the " +
                                       std::to_string(most >> 20) + " MiB " + kWhose);
}

/// Decoders name an option that bench has not got.
std::string without_option(std::string text) {
  constexpr std::string_view kOption = "of --max-memory";
  if (const auto at = text.find(kOption); at != std::string::npos) text.replace(at, kOption.size(), kWhose);
  return text;
}

/// Pixels of a pattern, or as the image has them.
void set_channels(const BenchFlags& flags, Counted& counted, int threads) {
  bench::Shape& shape = counted.shape;
  if (!counted.image) return parse_pixel(flags.channels.empty() ? "gray" : flags.channels, shape);
  const bool color = has_color(counted.image->channels());
  shape.luma = color;
  if (!flags.channels.empty()) parse_pixel(flags.channels, shape);
  if (flags.channels == "gray" && color)
    counted.image = std::make_shared<const Image>(to_gray(counted.image->view(), LumaRule::kBt601, threads));
  else if (!flags.channels.empty() && has_color(shape.channels) != color)
    throw Error(ErrorKind::kUsage, "the image is gray: it has no '" + flags.channels + "'");
  shape.channels = counted.image->channels();
  shape.width = counted.image->width();
  shape.height = counted.image->height();
}

}  // namespace

DecodeOptions limits_of_input(std::optional<std::uint64_t> available) {
  DecodeOptions limits;
  limits.max_pixels = std::numeric_limits<std::uint64_t>::max();  // memory alone decides
  if (available) limits.max_memory = *available / 2;
  return limits;
}

std::shared_ptr<const Image> load_image(const std::string& name, const DecodeOptions& limits, Console& console) {
  try {
    const auto source = open_file(name, [&] { console.note(printable_name(name) + ": waiting for a writer"); });
    const auto decoder = open_decoder(*source, limits);
    check_memory(decoder->info(), limits.max_memory);
    auto image = std::make_shared<const Image>(decode_image(*decoder));
    for (const auto& note : decoder->notes()) console.warning(name, note);
    return image;
  } catch (const Error& error) {
    throw Error(error.kind(), printable_name(name) + ": " + without_option(error.what()));
  }
}

Counted make_counted(const BenchFlags& flags, int threads, Console& console) {
  Counted counted;
  bench::Shape& shape = counted.shape;
  if (!flags.keys.empty() && flags.keys != "u8" && flags.keys != "u32")
    throw Error(ErrorKind::kUsage, "'" + flags.keys + "' is not a kind of key: u8 or u32");
  if (flags.keys == "u32") {
    if (!flags.channels.empty() || !flags.input.empty() || !flags.batch.empty())
      throw Error(ErrorKind::kUsage, "--keys u32 goes without --channels, --input and --batch");
    shape.keys = bench::Keys::kU32;
    if (!flags.map.empty() && flags.map != "mod" && flags.map != "range")
      throw Error(ErrorKind::kUsage, "'" + flags.map + "' is not a map from keys to bins: mod or range");
    if (flags.map == "mod" && flags.bins == "auto")
      throw Error(ErrorKind::kUsage, "--bins auto gives every key a bin of its own, which --map mod contradicts");
    shape.map = flags.map == "range" || flags.bins == "auto" ? bench::BinMap::kRange : bench::BinMap::kModulo;
  } else if (!flags.bins.empty() || !flags.key_range.empty() || !flags.map.empty()) {
    throw Error(ErrorKind::kUsage, "--bins, --map and --key-range are for --keys u32");
  }
  if (!flags.input.empty() && !(flags.pattern.empty() && flags.batch.empty()))
    throw Error(ErrorKind::kUsage, "--input is counted instead of a --pattern or a --batch");
  if (!flags.pixels.empty() && !(flags.input.empty() && flags.batch.empty()))
    throw Error(ErrorKind::kUsage, "--pixels contradicts --input and --batch");
  if (!flags.input.empty())
    counted.image = load_image(unmark(flags.input), limits_of_input(available_memory()), console);
  set_channels(flags, counted, threads);
  if (!flags.batch.empty()) parse_batch(flags.batch, shape);
  return counted;
}

void set_bins(const BenchFlags& flags, bench::Shape& shape, bench::Input& input) {
  if (shape.keys != bench::Keys::kU32) return;
  constexpr std::uint64_t kAllKeys = std::uint64_t{1} << 32;
  input.bins_from_keys = flags.bins == "auto";
  shape.bins = flags.bins.empty() || input.bins_from_keys ? 256 : parse_number(flags.bins, "a number of bins");
  input.key_range = input.bins_from_keys                 ? std::max<std::uint64_t>(1, shape.width)
                    : shape.map == bench::BinMap::kRange ? shape.bins
                                                         : kAllKeys;
  if (!flags.key_range.empty()) input.key_range = parse_number(flags.key_range, "a range of keys");
  for (const std::uint64_t value : {shape.bins, input.key_range})
    if (value < 1 || value > kAllKeys)
      throw Error(ErrorKind::kUsage, std::to_string(value) + " is out of range: bins and keys reach from 1 to 2^32");
}

}  // namespace gpuhisto::app
