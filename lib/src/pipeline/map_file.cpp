// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "core/memory_limit.hpp"
#include "gpuhisto/backend.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/convert.hpp"
#include "gpuhisto/encoder.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/mask.hpp"
#include "gpuhisto/pipeline.hpp"
#include "pipeline/clahe_file.hpp"
#include "pipeline/count_shown.hpp"
#include "pipeline/file_counter.hpp"
#include "pipeline/file_result.hpp"
#include "pipeline/strips.hpp"

namespace gpuhisto {
namespace {

/// Readers of .pgm want P5; .pnm may be either.
bool is_pgm(const std::string& output) {
  std::string end = output.substr(output.size() - std::min<std::size_t>(4, output.size()));
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".pgm";
}

Format output_format(const ImageInfo& info, int channels, const std::string& output,
                     const ImageOutputOptions& options) {
  if (options.to) return *options.to;
  if (const auto format = format_from_extension(output)) {
    if (has_color(channels) && is_pgm(output))
      throw Error(ErrorKind::kUnsupported, "the image has colors, and .pgm holds none: write .ppm, or give --gray");
    return *format;
  }
  return can_write(info.format) ? info.format : Format::kPng;
}

/// One note for all that the output does not carry.
void note_losses(const Metadata& metadata, FileResult& result) {
  if (metadata.lost.empty()) return;
  std::string list;
  for (const auto& item : metadata.lost) list += (list.empty() ? "" : ", ") + item;
  result.flags.set(Flag::kLostMetadata);
  result.notes.push_back("not kept in the output: " + list);
}

bool becomes_flat(int channels, Format format) { return has_alpha(channels) && !can_write_alpha(format); }

/// Memory for the decoder, the image of `channels`, a second one where it is turned or loses its alpha, and `more` for
/// what maps it.
void check_memory(const ImageInfo& info, int channels, Format format, std::uint64_t more, const CountOptions& options) {
  const std::uint64_t pixels = info.width * info.height, image = pixels * static_cast<std::uint64_t>(channels);
  const std::uint64_t second = info.orientation > 4 ? image : becomes_flat(channels, format) ? image - pixels : 0;
  check_max_memory("the whole image", info.memory + strip_memory(info) + image + second + more,
                   options.decode.max_memory);
}

std::uint64_t memory_of(const std::optional<ClaheOptions>& options, int threads) {
  if (!options) return 0;
  ClaheOptions with_threads = *options;
  with_threads.threads = threads;
  return clahe_memory(with_threads);
}

/// The whole image, and the counts that its map is made of: counted strip by strip while the next is decoded.
Image decode_counted(Decoder& decoder, const CountOptions& options, const CountSpec& spec, int threads,
                     FileResult& result) {
  const ImageInfo& info = decoder.info();
  Image image(static_cast<std::size_t>(info.width), static_cast<std::size_t>(info.height), info.channels);
  FileCounter counter(options, info.channels, spec, consumer_threads(info, threads));
  const auto count = [&](const ImageView& strip, std::uint64_t first_row) {
    counter.histogrammer().count(strip, first_row);
  };
  image.truncate(fill_strips(decoder, image.view(), threads, count));
  counter.finish(result);
  return image;
}

/// The same for an image that becomes gray: only its luma is ever held whole.
Image decode_gray_counted(Decoder& decoder, const MapFileOptions& options, const CountSpec& spec, int threads,
                          FileResult& result) {
  const ImageInfo& info = decoder.info();
  const int channels = has_alpha(info.channels) ? 2 : 1;
  Image gray(static_cast<std::size_t>(info.width), static_cast<std::size_t>(info.height), channels);
  const int others = consumer_threads(info, threads);
  FileCounter counter(options.count, channels, spec, others);
  gray.truncate(stream_strips(decoder, threads, [&](const ImageView& strip, std::uint64_t first_row) {
    const MutableImageView rows = gray.view().rows(static_cast<std::size_t>(first_row), strip.height);
    to_gray(strip, rows, options.count.spec.luma, others);
    counter.histogrammer().count(rows, first_row);
  }));
  counter.finish(result);
  return gray;
}

void map_on_device(const MutableImageView& image, const ToneMap& map, const CountOptions& options, int threads,
                   FileResult& result) {
  std::function<void(const std::string& why)> on_lost;
  if (options.on_device_failure == OnDeviceFailure::kUseCpu)
    on_lost = [&](const std::string& why) { lose_device(options, "the CPU mapped the rest: " + why, result); };
  apply_tone_map_on_device(*open_device(result.device), image, map, options.spec.predicate, threads, on_lost);
}

Image decode_mapped(Decoder& decoder, const std::string& output, const MapFileOptions& options,
                    const CountOptions& limited, int threads, FileResult& result, Change& change) {
  const ImageInfo& info = decoder.info();
  const bool to_gray = options.gray && has_color(info.channels);
  const int channels = to_gray ? info.channels - 2 : info.channels;
  check_selection(options.count.spec.predicate, info);
  check_memory(info, channels, output_format(info, channels, output, options.output), memory_of(options.clahe, threads),
               limited);
  if (options.clahe) return decode_clahe(decoder, options, limited, threads, result, change);
  CountSpec spec = options.operation->spec(channels);
  spec.predicate = options.count.spec.predicate;
  Image image = to_gray ? decode_gray_counted(decoder, options, spec, threads, result)
                        : decode_counted(decoder, limited, spec, threads, result);
  change.before = count_shown(image, options, threads);
  const ToneMap map = options.operation->map(result.histogram, channels);
  if (result.device == "cpu" || device_is_lost(limited))
    apply_tone_map(image.view(), map, spec.predicate, threads);
  else
    map_on_device(image.view(), map, options.count, threads, result);
  change.after = count_shown(image, options, threads);
  return image;
}

Image fit_for(Format format, Image image, const ImageOutputOptions& options, LumaRule luma, int threads) {
  if (!becomes_flat(image.channels(), format)) return image;
  if (!options.background && !is_opaque(image.view()))
    throw Error(ErrorKind::kUnsupported, std::string(format_name(format)) +
                                             " cannot hold transparency: write PNG or PAM, or give --background COLOR");
  auto background = options.background.value_or(std::array<std::uint8_t, 3>{});
  if (!has_color(image.channels())) background.fill(luma_of(luma, background[0], background[1], background[2]));
  return flatten(image.view(), background, threads);
}

/// The pixels as they are written, and what the encoder needs beside them.
struct Writing {
  Image image;
  Format format;
  EncodeOptions encoding;
};

Writing prepare(Image image, const std::string& output, Decoder& decoder, const ImageOutputOptions& options,
                const CountOptions& limited, int threads) {
  const ImageInfo& info = decoder.info();
  const Format format = output_format(info, image.channels(), output, options);
  check_memory(info, image.channels(), format, 0, limited);  // an orientation may stand behind the pixels
  Writing writing{std::move(image), format, {}};
  EncodeOptions& encoding = writing.encoding;
  encoding.threads = threads;
  encoding.quality = options.quality;
  if (info.subsampling) encoding.subsampling = *info.subsampling;
  // JPEG to JPEG keeps the pixels and the orientation tag as stored; any other output is put upright.
  const bool as_stored = writing.format == Format::kJpeg && info.format == Format::kJpeg && !options.strip;
  if (!as_stored) writing.image = orient(std::move(writing.image), info.orientation, threads);
  writing.image = fit_for(writing.format, std::move(writing.image), options, limited.spec.luma, threads);
  if (!options.strip)
    encoding.metadata = fit_metadata(decoder.take_metadata(), {writing.format, info, writing.image.view(), !as_stored});
  return writing;
}

void write(const Writing& writing, const std::string& output, const MapFileOptions& options) {
  try {
    if (options.before_output) options.before_output(output);
    OutputFile file(output, {.no_clobber = options.output.no_clobber, .binary = true});
    encode(writing.image.view(), writing.format, writing.encoding, file);
    file.commit();
  } catch (const Error& error) {
    // Whoever reports this names the input; the output's name is known here alone.
    const std::string name = output == "-" ? "standard output" : printable_name(output);
    throw Error(error.kind(), "cannot write " + name + ": " + error.what());
  }
}

}  // namespace

FileResult map_file(const Input& input, const std::string& output, const MapFileOptions& options, int threads) {
  return run_job(input, options.count, [&](const CountOptions& limited, FileResult& result) {
    if (!options.operation && !options.clahe) throw Error(ErrorKind::kUsage, "nothing says how to map the pixels");
    const auto source = open_input(input, limited, result);
    if (!source) return;
    DecodeOptions decode = limited.decode;
    decode.keep_metadata = !options.output.strip;
    const auto decoder = open_decoder(*source, decode);
    take_info(*decoder, result);
    Change change;
    Image image = decode_mapped(*decoder, output, options, limited, threads, result, change);
    take_flags(*decoder, result);
    // Tolerated damage that left nothing: its note is the cause.
    if (image.height() == 0)
      throw Error(ErrorKind::kInput, result.notes.empty() ? "no row was decoded" : result.notes.back());
    const Writing writing = prepare(std::move(image), output, *decoder, options.output, limited, threads);
    note_losses(writing.encoding.metadata, result);
    if (limited.strict && result.flags.any()) return;  // becomes an error: nothing is written
    write(writing, output, options);
    if (options.on_change) options.on_change(change);
  });
}

}  // namespace gpuhisto
