// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/plot.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "arguments.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "gpuhisto/bins.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "output.hpp"
#include "outputs.hpp"
#include "plot_file.hpp"
#include "shared_options.hpp"
#include "terminal_output.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

struct PlotFlags {
  std::vector<std::string> names;
  std::string output, channels, size, scale, theme, layout, to;
  bool log = false, cumulative = false;
  CommonFlags common;
};

/// The sum of the tables in a file; an image's counts otherwise. Notes go to the console. `fewest_bins` becomes what a
/// table has, if it has less.
NamedHistogram read_histogram(const std::string& name, const Plan& plan, Console& console, std::size_t& fewest_bins) {
  std::error_code ignored;
  if (name != "-" && std::filesystem::is_directory(name, ignored))
    throw Error(ErrorKind::kIo, "is a folder; hist -r FOLDER --plot FILE draws all its images together");
  NamedHistogram image{plot_title(name), {}};
  const auto source = open_file(
      name, [&] { plan.count.on_wait(name); }, TimeLimit(plan.count.max_seconds));
  if (is_table(*source)) {
    const TableFile file = read_tables(*source, plan.count.decode.max_memory);
    if (const std::string note = file.incomplete(); !note.empty()) console.warning(name, note);
    image.histogram = sum_of(file);
    if (file.tables.size() > 1)
      image.name += ": " + std::to_string(file.tables.size()) + " images";
    else if (const std::string& input = file.tables.front().input; !input.empty())  // a total's is
      image.name = plot_title(input);
    const std::size_t bins = file.counting.bins;
    if (bins != kBins) image.name += ", " + std::to_string(bins) + (bins == 1 ? " bin" : " bins");
    fewest_bins = std::min(fewest_bins, bins);
    image.histogram = over_all_levels(image.histogram, bins);
    return image;
  }
  FileResult result = count_source(*source, name, plan.count, plan.threads);
  if (result.status == Status::kError) throw Error(result.error_kind, result.error);
  console.tell(result);
  image.histogram = std::move(result.histogram);
  return image;
}

/// Files of one name in several folders have their paths as names.
void name_apart(std::vector<NamedHistogram>& images, const std::vector<std::string>& paths) {
  std::map<std::string, int> uses;
  for (const auto& image : images) ++uses[image.name];
  for (std::size_t i = 0; i < images.size(); ++i)
    if (uses[images[i].name] > 1) images[i].name = printable_name(paths[i]);
}

/// Those that can be read; what becomes of the others is told, and `exit` says so.
std::vector<NamedHistogram> read_histograms(const std::vector<std::string>& names, const Plan& plan, Console& console,
                                            int& exit, std::size_t& fewest_bins) {
  std::vector<NamedHistogram> images;
  std::vector<std::string> read;
  for (const auto& name : names) {
    try {
      NamedHistogram image = read_histogram(name, plan, console, fewest_bins);
      if ((image.histogram.channels & plan.count.spec.channels).empty())
        throw Error(ErrorKind::kInput, "has none of the channels to draw: " + channel_list(plan.count.spec.channels));
      images.push_back(std::move(image));
      read.push_back(name);
    } catch (const Error& error) {
      console.error(name, error.what());
      exit = worse(exit, exit_code_of(error.kind()));
    }
  }
  name_apart(images, read);
  return images;
}

/// Several below each other, each with its name.
void draw_in_terminal(const std::vector<NamedHistogram>& images, PlotOptions options, TerminalOptions terminal) {
  constexpr int kRowsOfOneAmongMany = 11;
  if (images.size() > 1) terminal.rows = kRowsOfOneAmongMany;
  TextOutput out("-");
  for (const auto& image : images) {
    if (&image != &images.front()) out << '\n';
    options.title = image.name;
    out << render_terminal(image.histogram, options, terminal);
  }
  out.commit();
}

PlotFormat chosen_format(const PlotFlags& flags, const std::string& output) {
  if (flags.to.empty()) return plot_format_of(output);
  if (flags.to == "png") return PlotFormat::kPng;
  if (flags.to == "svg") return PlotFormat::kSvg;
  throw Error(ErrorKind::kUsage, "'" + flags.to + "' is not a format of plots: png or svg");
}

PlotOptions plot_options(const PlotFlags& flags, std::size_t images) {
  PlotOptions options;
  if (!flags.size.empty()) {
    const Size size = parse_plot_size(flags.size);
    options.width = size.width;
    options.height = size.height;
  }
  if (!flags.scale.empty()) options.scale = parse_plot_scale(flags.scale);
  if (!flags.theme.empty()) options.theme = parse_plot_theme(flags.theme);
  if (!flags.layout.empty()) options.layout = parse_plot_layout(flags.layout);
  options.log = flags.log;
  options.cumulative = flags.cumulative;
  // A panel a channel would be much to look at where each has a curve an image.
  const bool one_channel = images > 1 && options.layout == PlotLayout::kOverlaid;
  options.channels = parse_channels(!flags.channels.empty() ? flags.channels : one_channel ? "luma" : "all");
  return options;
}

/// What means nothing in a terminal is not ignored: who gives it wants a picture.
void check_terminal_flags(const PlotFlags& flags) {
  for (const auto& [name, value] : {std::pair{"--size", flags.size},
                                    {"--scale", flags.scale},
                                    {"--theme", flags.theme},
                                    {"--layout", flags.layout}})
    if (!value.empty()) throw Error(ErrorKind::kUsage, std::string(name) + " is for pictures: add -o FILE.png or --to");
}

void check_inputs(const std::vector<std::string>& names) {
  if (names.empty()) throw Error(ErrorKind::kUsage, "plot takes images or tables written by hist");
  if (names.size() > kMostPlotImages)
    throw Error(ErrorKind::kUsage, "plot draws at most " + std::to_string(kMostPlotImages) + " inputs, not " +
                                       std::to_string(names.size()) + "; hist --plot draws the sum of any number");
}

Scene make_scene(const std::vector<NamedHistogram>& images, PlotOptions options, bool compared) {
  if (compared) {
    options.title = std::to_string(images.size()) + (images.size() == 1 ? " image" : " images");
    return make_comparison_scene(images, options);
  }
  options.title = images[0].name;
  return make_histogram_scene(images[0].histogram, options);
}

int run_plot(const PlotFlags& flags, const std::vector<std::string>& tail) {
  Console console(console_options(flags.common.message));
  const InputOptions input{.names = names_of(flags.names, tail), .files_from = {}};
  check_inputs(input.names);
  const std::string output = unmark(flags.output);
  const bool in_terminal = output.empty() && flags.to.empty();
  const std::string file = output.empty() ? "-" : output;
  const PlotFormat format = in_terminal ? PlotFormat::kSvg : chosen_format(flags, file);
  PlotOptions options = plot_options(flags, input.names.size());
  if (in_terminal) check_terminal_flags(flags);
  if (format == PlotFormat::kPng) check_raster_size(options.width * options.scale, options.height * options.scale);
  refuse_inputs_as_outputs(with_mask(input, flags.common), {file});
  // Before the sandbox, which lets no file of the locale be read.
  const TerminalOptions terminal = in_terminal ? terminal_options() : TerminalOptions{};
  enter_sandbox(flags.common, input, {.outputs = {file}, .modules = modules_to_draw(format)}, console);
  Plan plan = make_plan(flags.common, input, console);
  plan.count.spec.channels = options.channels;
  int exit = kExitOk;
  std::size_t fewest_bins = kBins;
  const auto images = read_histograms(input.names, plan, console, exit, fewest_bins);
  options.figures = fewest_bins == kBins;
  if (images.size() == 1) options.bins = fewest_bins;
  if (images.empty()) return exit;
  if (in_terminal)
    draw_in_terminal(images, options, terminal);
  else
    write_scene(make_scene(images, options, input.names.size() > 1), file, format, console, plan.threads);
  return exit;
}

}  // namespace

Run add_plot(CLI::App& app) {
  auto flags = std::make_shared<PlotFlags>();
  app.add_option("INPUT", flags->names,
                 "Images, or tables that hist wrote (several in one are summed);\n'-' is standard input. Several, at "
                 "most 8, are compared")
      ->type_name("");
  app.add_option("-o,--output", flags->output, "Write FILE.png or FILE.svg [drawn in the terminal]")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--to", flags->to, "png or svg [by the output's extension]")->type_name("FORMAT")->group("Output");
  app.add_option("--size", flags->size,
                 "Pixels [960x540, higher for several panels]; each side\n160 to 16384, a PNG at most 8192x8192 in all")
      ->type_name("WxH")
      ->group("Output");
  app.add_option("--scale", flags->scale, "Times as many pixels each way, the same layout: 1 to 4 [1]")
      ->type_name("N")
      ->group("Output");
  app.add_option("--theme", flags->theme, "light [light] or dark")->type_name("NAME")->group("Output");
  app.add_option("--layout", flags->layout,
                 "overlaid: channels, or one channel of several inputs,\nover each other [overlaid];\n"
                 "stacked: a panel each")
      ->type_name("HOW")
      ->group("Output");
  app.add_flag("--log", flags->log, "Logarithmic counts")->group("Output");
  app.add_flag("--cumulative", flags->cumulative, "Share of the pixels up to each level")->group("Output");
  app.add_option("--channels", flags->channels,
                 "all, or a list of luma, red, green, blue, alpha\n[all; luma where inputs are overlaid]")
      ->type_name("LIST")
      ->group("Output");
  add_common_flags(app, flags->common);
  return [flags](const std::vector<std::string>& tail) { return run_plot(*flags, tail); };
}

}  // namespace gpuhisto::app
