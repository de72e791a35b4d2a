// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <string>
#include <utility>

#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/encoder.hpp"
#include "gpuhisto/equalize.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/pipeline.hpp"
#include "pipeline/file_result.hpp"

namespace gpuhisto {
namespace {

Format output_format(const ImageInfo& info, const std::string& output, const EqualizeFileOptions& options) {
  if (options.to) return *options.to;
  if (output != "-") {
    if (const auto format = format_from_extension(output)) return *format;
    // A device or a name without a known ending: the input's format, as on a pipe.
    if (output.find('.', output.find_last_of('/') + 1) != std::string::npos)
      throw Error(ErrorKind::kUsage, "no format is known for the name " + output + "; choose one with --to");
  }
  return can_write(info.format) ? info.format : Format::kPng;
}

/// One note for all that the output does not carry.
void note_losses(const ImageInfo& info, FileResult& result) {
  if (info.metadata.empty()) return;
  std::string list;
  for (const auto& item : info.metadata) list += (list.empty() ? "" : ", ") + item;
  result.flags.set(Flag::kLostMetadata);
  result.notes.push_back("not kept in the output: " + list);
}

Image decode_whole(Decoder& decoder, const CountOptions& options) {
  const ImageInfo& info = decoder.info();
  // Turning and converting hold a second image for a while.
  const std::uint64_t copies = info.orientation != 1 ? 2 : 1;
  check_memory_limit(info.memory + copies * info.width * info.height * static_cast<std::uint64_t>(info.channels),
                     options.decode.max_memory);
  return decode_image(decoder);
}

Image equalized(Image image, const EqualizeFileOptions& options, int threads, FileResult& result) {
  if (options.gray && has_color(image.channels())) image = to_gray(image.view(), options.count.spec.luma, threads);
  EqualizeOptions how;
  how.mode = options.mode;
  how.predicate = options.count.spec.predicate;
  how.threads = threads;
  result.histogram = equalize(image.view(), how);
  return image;
}

Image fit_for(Format format, Image image, const EqualizeFileOptions& options, int threads) {
  if (!has_alpha(image.channels()) || can_write_alpha(format)) return image;
  if (!options.background && !is_opaque(image.view()))
    throw Error(ErrorKind::kUnsupported, std::string(format_name(format)) +
                                             " cannot hold transparency: write PNG or PAM, or give --background COLOR");
  return flatten(image.view(), options.background.value_or(std::array<std::uint8_t, 3>{}), threads);
}

void write(Image image, const std::string& output, const Decoder& decoder, const EqualizeFileOptions& options,
           int threads) {
  const ImageInfo& info = decoder.info();
  const Format format = output_format(info, output, options);
  EncodeOptions encoding;
  encoding.threads = threads;
  encoding.quality = options.quality;
  if (info.subsampling) encoding.subsampling = *info.subsampling;
  // JPEG to JPEG keeps the pixels and the orientation tag as stored; any other output is put upright.
  if (format == Format::kJpeg && info.format == Format::kJpeg)
    encoding.orientation = info.orientation;
  else
    image = orient(std::move(image), info.orientation);
  image = fit_for(format, std::move(image), options, threads);
  OutputFile file(output, {.no_clobber = options.no_clobber, .binary = true});
  encode(image.view(), format, encoding, file);
  file.commit();
}

}  // namespace

FileResult equalize_file(const Input& input, const std::string& output, const EqualizeFileOptions& options,
                         int threads) {
  return run_job(input, options.count, [&](const CountOptions& limited, FileResult& result) {
    const auto source = open_input(input, limited, result);
    if (!source) return;
    const auto decoder = open_decoder(*source, limited.decode);
    take_info(*decoder, result);
    Image image = equalized(decode_whole(*decoder, limited), options, threads, result);
    take_flags(*decoder, result);
    note_losses(decoder->info(), result);
    if (limited.strict && result.flags.any()) return;  // becomes an error: nothing is written
    write(std::move(image), output, *decoder, options, threads);
  });
}

}  // namespace gpuhisto
