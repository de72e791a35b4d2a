// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/plot.hpp"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "exit_code.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "output.hpp"
#include "outputs.hpp"
#include "plot_file.hpp"
#include "shared_options.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

struct PlotFlags {
  std::vector<std::string> names;
  std::string output, channels = "all", size = "960x540", to;
  bool log = false, cumulative = false;
  CommonFlags common;
};

TerminalOptions terminal_options() {
  TerminalOptions options;
  struct winsize window {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) options.columns = window.ws_col;
  const char* before = std::setlocale(LC_CTYPE, nullptr);
  const std::string kept = before ? before : "C";
  std::setlocale(LC_CTYPE, "");
  options.unicode = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
  std::setlocale(LC_CTYPE, kept.c_str());
  options.color = color_allowed(STDOUT_FILENO);
  return options;
}

/// The sum of the tables in a file; an image's counts otherwise. Notes go to the console.
ImageHistogram read_histogram(const std::string& name, const Plan& plan, Console& console, std::string& title) {
  title = plot_title(name);
  const auto source = open_file(
      name, [&] { plan.count.on_wait(name); }, TimeLimit(plan.count.max_seconds));
  if (is_table(*source)) {
    const TableFile file = read_tables(*source, plan.count.decode.max_memory);
    ImageHistogram sum;
    for (const auto& table : file.tables) sum.add(table.histogram);
    title = file.tables.size() == 1 ? plot_title(file.tables.front().input)
                                    : title + ": " + std::to_string(file.tables.size()) + " images";
    return sum;
  }
  const FileResult result = count_source(*source, name, plan.count, plan.threads);
  if (result.status == Status::kError) throw Error(result.error_kind, result.error);
  console.tell(result);
  return result.histogram;
}

void draw_in_terminal(const ImageHistogram& histogram, const PlotOptions& options, const TerminalOptions& terminal) {
  TextOutput out("-");
  out << render_terminal(histogram, options, terminal);
  out.commit();
}

PlotFormat chosen_format(const PlotFlags& flags, const std::string& output) {
  if (flags.to.empty()) return plot_format_of(output);
  if (flags.to == "png") return PlotFormat::kPng;
  if (flags.to == "svg") return PlotFormat::kSvg;
  throw Error(ErrorKind::kUsage, "'" + flags.to + "' is not a format of plots: png or svg");
}

PlotOptions plot_options(const PlotFlags& flags) {
  PlotOptions options;
  const Size size = parse_plot_size(flags.size);
  options.width = size.width;
  options.height = size.height;
  options.log = flags.log;
  options.cumulative = flags.cumulative;
  return options;
}

int run_plot(const PlotFlags& flags, const std::vector<std::string>& tail) {
  Console console(console_options(flags.common.message));
  const InputOptions input{.names = names_of(flags.names, tail), .files_from = {}};
  if (input.names.size() != 1) throw Error(ErrorKind::kUsage, "plot takes one image or one table written by hist");
  const std::string &name = input.names.front(), output = unmark(flags.output);
  const bool in_terminal = output.empty() && flags.to.empty();
  const std::string file = output.empty() ? "-" : output;
  const PlotFormat format = in_terminal ? PlotFormat::kSvg : chosen_format(flags, file);
  PlotOptions options = plot_options(flags);
  if (format == PlotFormat::kPng) check_raster_size(options.width, options.height);
  refuse_inputs_as_outputs(input, {file});
  // Before the sandbox, which lets no file of the locale be read.
  const TerminalOptions terminal = in_terminal ? terminal_options() : TerminalOptions{};
  enter_sandbox(flags.common, input, {.outputs = {file}, .modules = modules_to_draw(format)}, console);
  Plan plan = make_plan(flags.common, input, console);
  options.channels = plan.count.spec.channels = parse_channels(flags.channels);
  ImageHistogram histogram;
  try {
    histogram = read_histogram(name, plan, console, options.title);
  } catch (const Error& error) {
    console.error(name, error.what());
    return exit_code_of(error.kind());
  }
  if (in_terminal)
    draw_in_terminal(histogram, options, terminal);
  else
    write_plot(histogram, options, file, format, plan.threads);
  return kExitOk;
}

}  // namespace

Run add_plot(CLI::App& app) {
  auto flags = std::make_shared<PlotFlags>();
  app.add_option("INPUT", flags->names, "An image, or a table that hist wrote; '-' is standard input")->type_name("");
  app.add_option("-o,--output", flags->output, "Write FILE.png or FILE.svg [drawn in the terminal]")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--to", flags->to, "png or svg [by the output's extension]")->type_name("FORMAT")->group("Output");
  app.add_option("--size", flags->size, "Pixels [960x540]; each side 160 to 16384,\na PNG at most 8192x8192 in all")
      ->type_name("WxH")
      ->group("Output");
  app.add_flag("--log", flags->log, "Logarithmic counts")->group("Output");
  app.add_flag("--cumulative", flags->cumulative, "Share of the pixels up to each level")->group("Output");
  app.add_option("--channels", flags->channels, "all [all], or a list of luma, red, green, blue, alpha")
      ->type_name("LIST")
      ->group("Output");
  add_common_flags(app, flags->common);
  return [flags](const std::vector<std::string>& tail) { return run_plot(*flags, tail); };
}

}  // namespace gpuhisto::app
