// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <stb/stb_truetype.h>

#include <functional>
#include <opencv2/core.hpp>
#include <string_view>

namespace gpuhisto::draw {

/// One face of the built-in font.
class Font {
 public:
  /// `file`: a TrueType file in memory, kept by the caller.
  explicit Font(const unsigned char* file);

  /// Whether every character can be drawn, most accents together with their letters.
  bool has(std::string_view text) const;

  /// Width in pixels at `size` pixels per em, kerning included.
  double width(std::string_view text, double size) const;

  /// Calls put(coverage, top left corner) for each visible glyph of a text whose baseline starts at `at`.
  using Put = std::function<void(const cv::Mat& coverage, cv::Point corner)>;
  void draw(std::string_view text, double size, cv::Point2d at, const Put& put) const;

 private:
  /// 0: there is none, or glyphs one behind the other are not how the character is written.
  int glyph_of(char32_t character) const;
  /// Walks the glyphs: visit(glyph, x in pixels from the start). Returns the width.
  double walk(std::string_view text, double size, const std::function<void(int glyph, double x)>& visit) const;
  stbtt_fontinfo info_{};
};

}  // namespace gpuhisto::draw
