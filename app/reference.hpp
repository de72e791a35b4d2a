// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "gpuhisto/compare.hpp"
#include "gpuhisto/pipeline.hpp"

namespace gpuhisto::app {

/// What `compare` compares with, and how others become like it.
class Reference {
 public:
  /// Of an image, or of the sum of a table's images. `luma`: the rule by which images are counted; `bins`: those asked
  /// for, else its own. Throws Error(kInput) when it has no pixel or other bins.
  Reference(const FileResult& result, LumaRule luma, std::optional<std::size_t> bins);

  const ImageHistogram& counts() const { return counts_; }
  std::size_t bins() const { return bins_; }

  /// One comparison, or one for each image of a table. What is wrong becomes the result's error.
  std::vector<Comparison> compare(FileResult& result, ChannelSet wanted) const;

 private:
  std::optional<LumaRule> luma_of(const FileResult& result) const;
  ImageHistogram with_bins(const ImageHistogram& counts, std::size_t bins) const;
  void check_luma(const FileResult& result, ChannelSet wanted) const;
  std::vector<Comparison> compare_each(const FileResult& result, ChannelSet wanted) const;

  LumaRule luma_of_images_;
  std::optional<LumaRule> luma_;  ///< nullopt: its table does not tell
  ImageHistogram counts_;
  std::size_t bins_;
};

}  // namespace gpuhisto::app
