// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "font.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpuhisto/error.hpp"
#include "plot/compose.hpp"
#include "plot/text.hpp"

namespace gpuhisto::draw {
namespace {

constexpr int kEllipsis = 0x2026;

}  // namespace

Font::Font(const unsigned char* file) {
  if (!stbtt_InitFont(&info_, file, stbtt_GetFontOffsetForIndex(file, 0)))
    throw Error(ErrorKind::kUnsupported, "the drawing module's font is damaged");
}

int Font::glyph_of(char32_t character) const {
  return plot::needs_shaping(character) ? 0 : stbtt_FindGlyphIndex(&info_, static_cast<int>(character));
}

double Font::walk(std::string_view text, double size, const std::function<void(int, double)>& visit) const {
  const double scale = static_cast<double>(stbtt_ScaleForMappingEmToPixels(&info_, static_cast<float>(size)));
  double x = 0;
  int previous = 0;
  bool missing = false;
  for (const char32_t character : plot::compose(plot::decode_utf8(text))) {
    int glyph = glyph_of(character);
    const bool again = std::exchange(missing, glyph == 0) && glyph == 0;
    if (again) continue;
    if (glyph == 0) glyph = stbtt_FindGlyphIndex(&info_, kEllipsis);  // the font's own sign for it is an empty box
    if (previous) x += scale * stbtt_GetGlyphKernAdvance(&info_, previous, glyph);
    visit(glyph, x);
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&info_, glyph, &advance, &bearing);
    x += scale * advance;
    previous = glyph;
  }
  return x;
}

bool Font::has(std::string_view text) const {
  const auto characters = plot::compose(plot::decode_utf8(text));
  return std::all_of(characters.begin(), characters.end(), [&](char32_t c) { return glyph_of(c) != 0; });
}

double Font::width(std::string_view text, double size) const {
  return walk(text, size, [](int, double) {});
}

void Font::draw(std::string_view text, double size, cv::Point2d at, const Put& put) const {
  const float scale = stbtt_ScaleForMappingEmToPixels(&info_, static_cast<float>(size));
  // Baselines lie on whole pixels: stems may fall between columns, but lines of text stay level and sharp.
  const int base = static_cast<int>(std::lround(at.y));
  walk(text, size, [&](int glyph, double offset) {
    const double x = at.x + offset;
    const double whole = std::floor(x);
    const auto shift = static_cast<float>(x - whole);
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    stbtt_GetGlyphBitmapBoxSubpixel(&info_, glyph, scale, scale, shift, 0, &x0, &y0, &x1, &y1);
    if (x1 <= x0 || y1 <= y0) return;
    cv::Mat coverage(y1 - y0, x1 - x0, CV_8UC1);
    stbtt_MakeGlyphBitmapSubpixel(&info_, coverage.data, coverage.cols, coverage.rows,
                                  static_cast<int>(coverage.step[0]), scale, scale, shift, 0, glyph);
    put(coverage, {static_cast<int>(whole) + x0, base + y0});
  });
}

}  // namespace gpuhisto::draw
