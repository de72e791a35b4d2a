// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/match.hpp"

#include <memory>
#include <utility>

#include "commands.hpp"
#include "gpuhisto/bins.hpp"
#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "map_images.hpp"

namespace gpuhisto::app {
namespace {

/// What is compared: of an image that becomes gray its luma by the rule that makes it so, else Y or the colours.
struct Compared {
  ToneMode mode;
  LumaRule luma;  ///< by which an image is counted
  LumaRule luma_of_tables;
};
Compared compared(const MapFlags& flags, const Plan& plan) {
  if (flags.gray) return {ToneMode::kLuma, plan.count.spec.luma, plan.count.spec.luma};
  return {parse_mode(flags.channels), LumaRule::kYcrcb14, LumaRule::kBt601};
}

/// The counts of a table: all its images together.
ImageHistogram counts_of(const TableFile& file, const Compared& what) {
  const ToneMode mode = what.mode;
  if (mode == ToneMode::kLuma && file.counting.luma != what.luma_of_tables)
    throw Error(ErrorKind::kUsage, "its luma is " + std::string(luma_name(file.counting.luma)) +
                                       ", and what is matched is " + std::string(luma_name(what.luma_of_tables)));
  const ImageHistogram sum = sum_of(file);
  const bool luma = sum.channels.has(Channel::kLuma);
  const bool colors =
      sum.channels.has(Channel::kRed) && sum.channels.has(Channel::kGreen) && sum.channels.has(Channel::kBlue);
  if (mode == ToneMode::kLuma ? !luma : !luma && !colors)
    throw Error(ErrorKind::kUsage,
                std::string("the table has no counts of ") + (mode == ToneMode::kLuma ? "luma" : "colors"));
  return over_all_levels(sum, file.counting.bins);
}

/// The counts of an image, or of a table that hist wrote.
ImageHistogram read_reference(const std::string& name, const Compared& what, const Plan& plan, Console& console) {
  const auto source = open_file(
      name, [&] { plan.count.on_wait(name); }, TimeLimit(plan.count.max_seconds));
  if (is_table(*source)) {
    const TableFile file = read_tables(*source, plan.count.decode.max_memory);
    if (const std::string note = file.incomplete(); !note.empty()) console.warning(name, note);
    return counts_of(file, what);
  }
  CountOptions count = plan.count;
  count.workers = 1;
  const PixelPredicate predicate = count.spec.predicate;
  count.spec = Matching::counts_wanted();
  count.spec.luma = what.luma;
  count.spec.predicate.skip_transparent = predicate.skip_transparent;  // mask and rectangle are the inputs'
  const FileResult result = count_source(*source, name, count, plan.threads);
  if (result.status == Status::kError) throw Error(result.error_kind, result.error);
  console.tell(result);
  return result.histogram;
}

}  // namespace

Run add_match(CLI::App& app) {
  auto flags = std::make_shared<MapFlags>();
  add_map_flags(app, *flags, "Matching",
                "luma: brightness only, colors stay [luma];\neach: every color channel alone; joint: one map for all");
  app.get_option("INPUT")->description(
      "The REFERENCE, an image or a table that hist wrote; then images, '-'\n"
      "is standard input, folders with -r. Without --output-dir: one image,\n"
      "then the OUTPUT, where '-' is standard output");
  return [flags](const std::vector<std::string>& tail) {
    MapCommand command;
    command.name = "match";
    command.has_reference = true;
    command.operation = [&](const std::string& reference, const Plan& plan, Console& console) {
      return std::make_shared<Matching>(parse_mode(flags->channels),
                                        read_reference(reference, compared(*flags, plan), plan, console));
    };
    return run_map(*flags, tail, command);
  };
}

}  // namespace gpuhisto::app
