// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// What the two text reports share: colours, columns, and the lines above a table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhisto/report.hpp"

namespace gpuhisto {

inline constexpr std::size_t kTextColumns = 100;

enum class Style { kPlain, kBold, kDim, kRed, kGreen, kBlue, kYellow };
Style channel_style(Channel channel);

/// Puts text in ANSI colours, or leaves it alone.
class Painter {
 public:
  explicit Painter(const ReportOptions& options) : enabled_(options.color) {}
  std::string operator()(std::string_view text, Style style) const;

 private:
  bool enabled_;
};

std::string pad_left(std::string_view text, std::size_t width);
std::string pad_right(std::string_view text, std::size_t width);
std::string fixed(double number, int decimals);  ///< '.' in every locale

/// "photo.jpg", size and pixels, and one line with the flags if there are any; for a failed input name and error.
std::string text_head(const FileResult& result, const Painter& paint);
/// "total of 3 files", outcomes and pixels.
std::string text_head(const Total& total, const Painter& paint);

}  // namespace gpuhisto
