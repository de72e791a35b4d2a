// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "image_output.hpp"

#include <filesystem>

#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "values.hpp"

namespace gpuhisto::app {

void add_image_output_flags(CLI::App& app, ImageOutputFlags& flags) {
  app.add_option("--to", flags.to,
                 "png, jpeg, pnm, pam or bmp [by the output's extension, else as the input, else png]")
      ->type_name("FORMAT")
      ->group("Output");
  app.add_option("--quality", flags.quality, "JPEG quality, 1 to 100 [92]")->type_name("N")->group("Output");
  app.add_option("--background", flags.background,
                 "Color behind transparent pixels, for formats without alpha:\n#rrggbb, #rgb, white, black or gray "
                 "[none: an error]")
      ->type_name("COLOR")
      ->group("Output");
  app.add_flag("--strip", flags.strip, "No metadata in outputs: EXIF, ICC profile, XMP, resolution, comments")
      ->group("Output");
  app.add_flag("-n,--no-clobber", flags.no_clobber, "Never replace an existing file (exit code 3)")->group("Output");
}

ImageOutputOptions image_output_options(const ImageOutputFlags& flags) {
  ImageOutputOptions options;
  options.no_clobber = flags.no_clobber;
  options.strip = flags.strip;
  options.quality = parse_quality(flags.quality);
  if (!flags.to.empty()) {
    options.to = format_from_name(flags.to);
    if (!options.to || !can_write(*options.to))
      throw Error(ErrorKind::kUsage, "'" + flags.to + "' is not a format that is written: png, jpeg, pnm, pam or bmp");
  }
  if (!flags.background.empty()) options.background = parse_color(flags.background);
  return options;
}

void check_output_name(const std::string& output, const ImageOutputOptions& options) {
  if (output.empty()) throw Error(ErrorKind::kUsage, "the name of the output is empty");
  std::error_code ignored;
  if (output.back() == '/' || std::filesystem::is_directory(output, ignored))
    throw Error(ErrorKind::kUsage, printable_name(output) + " is a folder: --output-dir writes into one");
  if (options.to || output == "-") return;
  const auto format = format_from_extension(output);
  const std::string name = output.substr(output.find_last_of('/') + 1);
  const bool has_ending = name.find('.', 1) != std::string::npos;
  if (format ? can_write(*format) : !has_ending) return;
  throw Error(ErrorKind::kUsage, printable_name(output) +
                                     ": no format that is written has this ending (png, jpg, ppm, pgm, "
                                     "pam, bmp); --to chooses one");
}

}  // namespace gpuhisto::app
