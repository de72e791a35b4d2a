// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "gpuhisto/pipeline.hpp"

namespace gpuhisto::app {

/// Flags about the images that a command writes, as the user wrote them.
struct ImageOutputFlags {
  std::string to, background, quality = "92";
  bool no_clobber = false, strip = false;
};
void add_image_output_flags(CLI::App& app, ImageOutputFlags& flags);
/// Throws Error(kUsage).
ImageOutputOptions image_output_options(const ImageOutputFlags& flags);
/// Told before any work: a name whose ending promises what cannot be written is Error(kUsage).
void check_output_name(const std::string& output, const ImageOutputOptions& options);

}  // namespace gpuhisto::app
