// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "gpuhisto/encoder.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/plot_text.hpp"
#include "gpuhisto/report.hpp"
#include "output.hpp"
#include "outputs.hpp"

namespace gpuhisto::app {
namespace {

void tell_lost_characters(const Scene& scene, const std::string& path, Console& console) {
  const bool whole = std::all_of(scene.shapes.begin(), scene.shapes.end(), [](const Shape& shape) {
    const auto* label = std::get_if<Label>(&shape);
    return !label || raster_has_glyphs(label->text);
  });
  if (whole) return;
  console.note("the font of plots lacks characters of a name, which are \"…\" in " +
               (path == "-" ? "the PNG" : printable_name(path)) + "; an SVG has them all");
}

}  // namespace

std::string plot_title(const std::string& input) {
  return input == "-" ? "standard input" : printable_name(input.substr(input.find_last_of('/') + 1));
}

void refuse_one_output(const std::string& plot, const std::string& output, const std::string& what) {
  if (is_one_output(plot, output))
    throw Error(ErrorKind::kUsage, "the " + what + " and the plot would both go to " +
                                       (plot == "-" ? "standard output" : printable_name(plot)));
}

PlotFormat plot_format_of(const std::string& path) {
  if (path == "-") return PlotFormat::kPng;
  std::string end = path.substr(path.size() - std::min<std::size_t>(4, path.size()));
  std::transform(end.begin(), end.end(), end.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (end == ".png") return PlotFormat::kPng;
  if (end == ".svg") return PlotFormat::kSvg;
  throw Error(ErrorKind::kUsage, "a plot is written as .png or .svg, not as " + printable_name(path));
}

void check_writable(const std::string& path) {
  if (plot_format_of(path) == PlotFormat::kPng) (void)raster_has_glyphs("");
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (path == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))) return;
  const NamedOutput uncommitted(path, {.no_clobber = false, .binary = true});
}

std::vector<std::string> modules_to_draw(PlotFormat format) {
  if (format == PlotFormat::kPng) return {"gpuhisto_draw"};
  return {};
}

void write_scene(const Scene& scene, const std::string& path, PlotFormat format, Console& console, int threads) {
  // Drawn before the output is opened: what cannot be drawn must not touch the file.
  if (format == PlotFormat::kSvg) {
    const std::string svg = render_svg(scene);
    NamedOutput file(path, {.no_clobber = false, .binary = false});
    file.write(svg.data(), svg.size());
    file.commit();
    return;
  }
  const Image image = render_raster(scene);
  tell_lost_characters(scene, path, console);
  NamedOutput file(path, {.no_clobber = false, .binary = true});
  EncodeOptions encoding;
  encoding.threads = threads;
  encode(image.view(), Format::kPng, encoding, file);
  file.commit();
}

}  // namespace gpuhisto::app
