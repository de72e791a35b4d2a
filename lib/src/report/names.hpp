// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gpuhisto {

/// One step through bytes that may be UTF-8.
struct Utf8Step {
  std::size_t bytes = 1;  ///< 1..4
  char32_t code = 0;      ///< the code point; the byte itself when not valid
  bool valid = false;
};
/// What stands at text[at]; at < text.size(). Overlong forms, surrogates and values beyond U+10FFFF are not valid.
Utf8Step utf8_step(std::string_view text, std::size_t at);
bool is_utf8(std::string_view text);

/// RFC 4648 with padding.
std::string to_base64(std::string_view bytes);
/// nullopt unless `text` is what to_base64() gives for some bytes.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace gpuhisto
