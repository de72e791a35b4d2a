// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report/json_model.hpp"

#include "gpuhisto/bins.hpp"
#include "report/fields.hpp"
#include "report/names.hpp"

namespace gpuhisto {
namespace {

Json value_json(const Value& value) {
  return std::visit(
      [](auto number) {
        if constexpr (std::is_same_v<decltype(number), std::monostate>)
          return Json();
        else
          return Json(number);
      },
      value);
}

Json running_sums(std::vector<std::uint64_t> bins) {
  std::uint64_t sum = 0;
  for (std::uint64_t& bin : bins) bin = sum += bin;
  return bins;
}

Json channels_json(const ImageHistogram& histogram, const ReportOptions& options) {
  Json channels = Json::object();
  for (const Channel channel : shown_channels(histogram, options.counting.channels)) {
    const Histogram& levels = histogram[channel];
    const auto bins = bin_counts(levels, options.counting.bins);
    Json json = Json::object();
    for_each_field(statistics_of(levels, options), options.percentiles,
                   [&](const Field& field) { json[std::string(field.name)] = value_json(field.value); });
    if (options.histograms) json["histogram"] = bins;
    if (options.histograms && options.cumulative) json["cumulative"] = running_sums(bins);
    channels[std::string(channel_name(channel))] = std::move(json);
  }
  return channels;
}

Json shard_json(const ShardSet& shard) {
  Json json = Json::object();
  if (shard.indexes.size() == 1)
    json["index"] = shard.indexes.front();
  else
    json["indexes"] = shard.indexes;
  json["count"] = shard.count;
  if (!shard.digest.empty()) {
    json["inputs"] = shard.inputs;
    json["digest"] = shard.digest;
  }
  if (!shard.source.empty()) json["from"] = shard.source;
  return json;
}

}  // namespace

Json counting_json(const Counting& counting) {
  Json json = {{"luma", luma_name(counting.luma)},
               {"alpha", counting.skip_transparent ? "skip" : "count"},
               {"bins", counting.bins}};
  if (counting.channels != ChannelSet::all()) json["channels"] = channel_list(counting.channels);
  if (counting.roi) json["roi"] = roi_text(*counting.roi);
  if (counting.mask) {
    json["mask"] = utf8_name(counting.mask->name);
    json["mask_digest"] = counting.mask->digest;
  }
  return json;
}

Json result_json(const FileResult& result, const ReportOptions& options) {
  Json json = {{"input", utf8_name(result.input)}};
  if (!is_utf8(result.input)) json["input_base64"] = to_base64(result.input);
  json["status"] = status_name(result.status);
  if (result.status != Status::kOk) json["error"] = utf8_name(result.error);
  json["flags"] = result.flags.names();
  if (result.status != Status::kOk) return json;
  if (result.frames > 1) json["frames"] = result.frames;
  json["width"] = result.width;
  json["height"] = result.height;
  json["pixels"] = result.histogram.pixels;
  json["device"] = utf8_name(result.device);
  json["method"] = utf8_name(result.method);
  json["channels"] = channels_json(result.histogram, options);
  return json;
}

Json total_json(const Total& total, const ReportOptions& options) {
  ReportOptions with_histograms = options;
  with_histograms.histograms = true;
  Json json = Json::object();
  if (total.incomplete) json["incomplete"] = true;
  if (total.shard) json["shard"] = shard_json(*total.shard);
  json["files"] = {{"ok", total.ok}, {"failed", total.failed}, {"flagged", total.flagged}, {"skipped", total.skipped}};
  json["pixels"] = total.histogram.pixels;
  json["channels"] = channels_json(total.histogram, with_histograms);
  return json;
}

std::string to_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace gpuhisto
