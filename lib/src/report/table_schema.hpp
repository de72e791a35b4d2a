// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The part of the JSON schema that readers need, as data.
#pragma once

#include <string_view>

namespace gpuhisto {

enum class Type { kObject, kArray, kNumber, kString, kBoolean, kOther };
inline constexpr const char* kTypeNames[] = {"an object", "an array", "a whole number from 0 to 2^64 - 1", "a string",
                                             "true or false"};
enum class Place {
  kIgnored,
  kDocument,
  kSchemaNumber,
  kCounting,
  kLuma,
  kAlpha,
  kBinCount,
  kCountedChannels,
  kRoi,
  kMask,
  kMaskDigest,
  kResults,
  kResult,
  kTotal,
  kInput,
  kInputBase64,
  kStatus,
  kFlags,
  kFlag,
  kPixels,
  kFiles,
  kOk,
  kFailed,
  kFlagged,
  kSkipped,
  kChannelMap,
  kChannel,
  kCount,
  kHistogram,
  kBin,
  kIncomplete,
  kShard,
  kShardIndex,
  kShardIndexes,
  kShardIndexOfSeveral,
  kShardCount,
  kShardInputs,
  kShardDigest
};

/// What stands under a key of an object.
struct Rule {
  Place parent;
  std::string_view key;
  Place child;
  Type type;
};
inline constexpr Rule kRules[] = {{Place::kDocument, "schema", Place::kSchemaNumber, Type::kNumber},
                                  {Place::kDocument, "counting", Place::kCounting, Type::kObject},
                                  {Place::kDocument, "results", Place::kResults, Type::kArray},
                                  {Place::kDocument, "result", Place::kResult, Type::kObject},
                                  {Place::kDocument, "total", Place::kTotal, Type::kObject},
                                  {Place::kCounting, "luma", Place::kLuma, Type::kString},
                                  {Place::kCounting, "alpha", Place::kAlpha, Type::kString},
                                  {Place::kCounting, "bins", Place::kBinCount, Type::kNumber},
                                  {Place::kCounting, "channels", Place::kCountedChannels, Type::kString},
                                  {Place::kCounting, "roi", Place::kRoi, Type::kString},
                                  {Place::kCounting, "mask", Place::kMask, Type::kString},
                                  {Place::kCounting, "mask_digest", Place::kMaskDigest, Type::kString},
                                  {Place::kResult, "input", Place::kInput, Type::kString},
                                  {Place::kResult, "input_base64", Place::kInputBase64, Type::kString},
                                  {Place::kResult, "status", Place::kStatus, Type::kString},
                                  {Place::kResult, "flags", Place::kFlags, Type::kArray},
                                  {Place::kResult, "pixels", Place::kPixels, Type::kNumber},
                                  {Place::kResult, "channels", Place::kChannelMap, Type::kObject},
                                  {Place::kTotal, "pixels", Place::kPixels, Type::kNumber},
                                  {Place::kTotal, "channels", Place::kChannelMap, Type::kObject},
                                  {Place::kTotal, "files", Place::kFiles, Type::kObject},
                                  {Place::kTotal, "incomplete", Place::kIncomplete, Type::kBoolean},
                                  {Place::kTotal, "shard", Place::kShard, Type::kObject},
                                  {Place::kShard, "index", Place::kShardIndex, Type::kNumber},
                                  {Place::kShard, "indexes", Place::kShardIndexes, Type::kArray},
                                  {Place::kShard, "count", Place::kShardCount, Type::kNumber},
                                  {Place::kShard, "inputs", Place::kShardInputs, Type::kNumber},
                                  {Place::kShard, "digest", Place::kShardDigest, Type::kString},
                                  {Place::kFiles, "ok", Place::kOk, Type::kNumber},
                                  {Place::kFiles, "failed", Place::kFailed, Type::kNumber},
                                  {Place::kFiles, "flagged", Place::kFlagged, Type::kNumber},
                                  {Place::kFiles, "skipped", Place::kSkipped, Type::kNumber},
                                  {Place::kChannelMap, "luma", Place::kChannel, Type::kObject},
                                  {Place::kChannelMap, "red", Place::kChannel, Type::kObject},
                                  {Place::kChannelMap, "green", Place::kChannel, Type::kObject},
                                  {Place::kChannelMap, "blue", Place::kChannel, Type::kObject},
                                  {Place::kChannelMap, "alpha", Place::kChannel, Type::kObject},
                                  {Place::kChannel, "count", Place::kCount, Type::kNumber},
                                  {Place::kChannel, "histogram", Place::kHistogram, Type::kArray}};

// Under a key that is not known; of the elements of the arrays.
inline constexpr Rule kIgnore{Place::kIgnored, "", Place::kIgnored, Type::kOther};
inline constexpr Rule kResultRule{Place::kResults, "", Place::kResult, Type::kObject};
inline constexpr Rule kFlagRule{Place::kFlags, "", Place::kFlag, Type::kString};
inline constexpr Rule kShardIndexRule{Place::kShardIndexes, "", Place::kShardIndexOfSeveral, Type::kNumber};
inline constexpr Rule kBinRule{Place::kHistogram, "", Place::kBin, Type::kNumber};

}  // namespace gpuhisto
