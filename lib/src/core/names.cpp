// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The spelling of every enum: the same on the command line, in CSV and in JSON.
#include <algorithm>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto {

std::string_view format_name(Format format) {
  switch (format) {
    case Format::kJpeg:
      return "jpeg";
    case Format::kPng:
      return "png";
    case Format::kPnm:
      return "pnm";
    case Format::kPam:
      return "pam";
    case Format::kBmp:
      return "bmp";
    case Format::kTga:
      return "tga";
    case Format::kPsd:
      return "psd";
    case Format::kGif:
      return "gif";
    case Format::kTiff:
      return "tiff";
    case Format::kWebp:
      return "webp";
  }
  return "";
}

std::string_view flag_name(Flag flag) {
  switch (flag) {
    case Flag::kReduced16:
      return "reduced16";
    case Flag::kConvertedCmyk:
      return "converted_cmyk";
    case Flag::kFirstFrame:
      return "first_frame";
    case Flag::kDamaged:
      return "damaged";
    case Flag::kWarning:
      return "warning";
    case Flag::kLostMetadata:
      return "lost_metadata";
  }
  return "";
}

std::vector<std::string_view> Flags::names() const {
  std::vector<std::string_view> names;
  for (unsigned bit = 1; bit <= static_cast<unsigned>(Flag::kLostMetadata); bit <<= 1)
    if (bits_ & bit) names.push_back(flag_name(static_cast<Flag>(bit)));
  return names;
}

std::string_view channel_name(Channel channel) {
  constexpr std::string_view kNames[] = {"luma", "red", "green", "blue", "alpha"};
  return kNames[static_cast<std::size_t>(channel)];
}

std::string channel_list(ChannelSet channels) {
  std::string list;
  for (const Channel channel : kChannels)
    if (channels.has(channel)) (list += list.empty() ? "" : ",") += channel_name(channel);
  return list;
}

std::optional<ChannelSet> channels_of_list(std::string_view list, std::string* unknown) {
  ChannelSet channels;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view name = list.substr(begin, end - begin);
    const auto known = std::find_if(kChannels.begin(), kChannels.end(),
                                    [&](Channel channel) { return channel_name(channel) == name; });
    if (known == kChannels.end()) {
      if (unknown) *unknown = name;
      return std::nullopt;
    }
    channels.set(*known);
    begin = end + 1;
  }
  return channels;
}

std::string_view luma_name(LumaRule rule) {
  constexpr std::string_view kNames[] = {"bt601", "bt709", "average", "value", "ycrcb14"};
  return kNames[static_cast<std::size_t>(rule)];
}

}  // namespace gpuhisto
