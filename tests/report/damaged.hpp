// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <string>

namespace gpuhisto::testing {

/// The `i`th way to damage a text: cut off, a byte changed, or some left out, anywhere.
inline std::string damaged(std::string text, std::size_t i) {
  const std::size_t at = i * 7919 % text.size();
  if (i % 3 == 0) text.resize(at);
  if (i % 3 == 1) text[at] = static_cast<char>(i * 31);
  if (i % 3 == 2) text.erase(at, 1 + i % 5);
  return text;
}

}  // namespace gpuhisto::testing
