// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/metadata.hpp"

#include <algorithm>

namespace gpuhisto {

void Metadata::lose(const std::string& name, const std::string& reason) {
  const std::string text = reason.empty() ? name : name + " (" + reason + ")";
  if (std::find(lost.begin(), lost.end(), text) == lost.end()) lost.push_back(text);
}

std::size_t Metadata::bytes() const {
  std::size_t sum = icc.size() + exif.size() + xmp.size();
  for (const auto* blocks : {&jpeg_segments, &png_chunks})
    for (const MetadataBlock& block : *blocks) sum += block.bytes.size();
  return sum;
}

}  // namespace gpuhisto
