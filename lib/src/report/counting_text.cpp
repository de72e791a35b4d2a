// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "report/counting_text.hpp"

#include <optional>

namespace gpuhisto {
namespace {

std::optional<LumaRule> luma_of_name(std::string_view name) {
  for (const LumaRule rule : {LumaRule::kBt601, LumaRule::kBt709, LumaRule::kAverage, LumaRule::kValue})
    if (luma_name(rule) == name) return rule;
  return std::nullopt;
}

MaskName& mask_of(Counting& counting) { return counting.mask ? *counting.mask : counting.mask.emplace(); }

}  // namespace

bool is_sha256(std::string_view digits) {
  return digits.size() == 64 && digits.find_first_not_of("0123456789abcdef") == digits.npos;
}

std::string_view take_counting(Place place, const std::string& value, Counting& counting) {
  if (place == Place::kLuma) {
    const auto rule = luma_of_name(value);
    if (!rule) return "is not bt601, bt709, average or value";
    counting.luma = *rule;
  }
  if (place == Place::kAlpha) {
    if (value != "count" && value != "skip") return "is not count or skip";
    counting.skip_transparent = value == "skip";
  }
  if (place == Place::kCountedChannels) {
    const auto channels = channels_of_list(value);
    if (!channels) return "is no list of channels";
    counting.channels = *channels;
  }
  if (place == Place::kRoi && !(counting.roi = roi_of_text(value))) return "is no rectangle X,Y,WIDTH,HEIGHT";
  if (place == Place::kMask) mask_of(counting).name = value;
  if (place == Place::kMaskDigest) {
    if (!is_sha256(value)) return kNoSha256;
    mask_of(counting).digest = value;
  }
  return "";
}

}  // namespace gpuhisto
