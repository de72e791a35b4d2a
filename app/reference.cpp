// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "reference.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gpuhisto/bins.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::app {
namespace {

bool is_empty(const Histogram& bins) {
  return std::all_of(bins.begin(), bins.end(), [](std::uint64_t count) { return count == 0; });
}

std::size_t bins_of(const FileResult& result) { return result.tables ? result.tables->counting.bins : kBins; }

Comparison failure(const FileResult& result, const std::string& error) {
  Comparison comparison;
  comparison.input = result.input;
  comparison.status = result.status == Status::kSkipped ? Status::kSkipped : Status::kError;
  comparison.error = error;
  comparison.flags = result.flags;
  return comparison;
}

/// The first comparison that failed becomes the result's error, with the number of the others.
void take_failures(const std::vector<Comparison>& comparisons, FileResult& result) {
  std::uint64_t failed = 0;
  for (const Comparison& comparison : comparisons) {
    if (comparison.status != Status::kError || failed++ > 0) continue;
    result.status = Status::kError;
    result.error = (comparison.input != result.input ? printable_name(comparison.input) + " " : "") + comparison.error;
  }
  if (failed > 1) result.error += " (and " + std::to_string(failed - 1) + " more of its images)";
}

}  // namespace

Reference::Reference(const FileResult& result, LumaRule luma, std::optional<std::size_t> bins)
    : luma_of_images_(luma), luma_(luma_of(result)), bins_(bins.value_or(bins_of(result))) {
  counts_ = result.tables ? sum_of(*result.tables) : result.histogram;
  if (counts_.pixels == 0) throw Error(ErrorKind::kInput, "has no pixel to compare with");
  counts_ = with_bins(counts_, bins_of(result));
  ChannelSet counted;  // of a sum of several, one channel may be of images without a pixel that counts
  for (const Channel channel : kChannels)
    if (!is_empty(counts_[channel])) counted.set(channel);
  counts_.channels = counts_.channels & counted;
}

std::optional<LumaRule> Reference::luma_of(const FileResult& result) const {
  if (!result.tables) return luma_of_images_;
  return result.tables->counting_told ? std::optional(result.tables->counting.luma) : std::nullopt;
}

ImageHistogram Reference::with_bins(const ImageHistogram& counts, std::size_t bins) const {
  if (bins == bins_) return counts;
  if (bins == kBins) return at_first_levels(counts, bins_);
  throw Error(ErrorKind::kInput,
              "a table of " + std::to_string(bins) + " bins cannot become one of " + std::to_string(bins_));
}

void Reference::check_luma(const FileResult& result, ChannelSet wanted) const {
  const auto rule = luma_of(result);
  if (!(wanted & counts_.channels).has(Channel::kLuma) || !rule || !luma_ || rule == luma_) return;
  throw Error(ErrorKind::kInput, "counted differently: luma is " + std::string(luma_name(*luma_)) +
                                     " in the reference, " + std::string(luma_name(*rule)) + " here");
}

std::vector<Comparison> Reference::compare_each(const FileResult& result, ChannelSet wanted) const {
  check_luma(result, wanted);
  std::vector<Comparison> comparisons;
  const auto add = [&](const std::string& name, const ImageHistogram& counts) {
    Comparison comparison = compare_images(counts_, with_bins(counts, bins_of(result)), wanted);
    comparison.input = name.empty() ? result.input : name;  // a total's is
    comparison.flags = result.flags;
    comparisons.push_back(std::move(comparison));
  };
  if (!result.tables) add(result.input, result.histogram);
  if (result.tables)
    for (const Table& table : result.tables->tables) add(table.input, table.histogram);
  return comparisons;
}

std::vector<Comparison> Reference::compare(FileResult& result, ChannelSet wanted) const {
  if (result.status != Status::kOk) return {failure(result, result.error)};
  try {
    auto comparisons = compare_each(result, wanted);
    take_failures(comparisons, result);
    return comparisons;
  } catch (const Error& error) {
    result.status = Status::kError;
    result.error = error.what();
    result.error_kind = error.kind();
    return {failure(result, result.error)};
  }
}

}  // namespace gpuhisto::app
