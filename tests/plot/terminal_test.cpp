// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "plot/golden.hpp"
#include "plot/samples.hpp"
#include "plot/terminal_chart.hpp"
#include "plot/text.hpp"

namespace gpuhisto {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The text without its colour sequences, ESC [ … m.
std::string without_escapes(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b')
      at = text.find('m', at);
    else
      result += text[at];
  }
  return result;
}

int widest(const std::string& text) {
  int width = 0;
  for (const auto& line : lines_of(without_escapes(text))) width = std::max(width, plot::cell_width(line));
  return width;
}

TerminalOptions look(int columns, int rows, bool unicode, bool color) {
  TerminalOptions terminal;
  terminal.columns = columns, terminal.rows = rows, terminal.unicode = unicode, terminal.color = color;
  return terminal;
}

bool is_level_axis(const std::string& line) {
  return line.find("└") != std::string::npos || line.find("++") != std::string::npos;
}

TEST(PlotTerminal, FitsTheSizeInEveryLook) {
  for (const auto& sample : samples::all())
    for (const int columns : {1, 5, 8, 12, 16, 20, 24, 40, 80, 133, 264, 500})
      for (const int rows : {6, 9, 16, 24, 60})
        for (const int flags : {0, 1, 2, 3})
          for (const int mode : {0, 1, 2, 3}) {
            PlotOptions options;
            options.title = "a photo with a long name, 日本.jpg";
            options.log = mode & 1, options.cumulative = mode & 2;
            const auto terminal = look(columns, rows, flags & 1, flags & 2);
            const std::string text = render_terminal(sample.histogram, options, terminal);
            SCOPED_TRACE(sample.name + " " + std::to_string(columns) + "x" + std::to_string(rows) + "\n" + text);
            ASSERT_LE(widest(text), columns);
            const auto lines = lines_of(without_escapes(text));
            const auto axis = std::find_if(lines.begin(), lines.end(), is_level_axis);
            if (columns > 8) {
              ASSERT_NE(axis, lines.end());
              ASSERT_EQ(widest(text), plot::cell_width(*axis));  // no header beyond the chart
              ASSERT_TRUE(widest(text) == columns || columns > 256);
              ASSERT_TRUE(widest(text) < columns || columns <= 256 + 10);
            }
            ASSERT_LE(lines_of(text).size(), static_cast<std::size_t>(rows));
            ASSERT_EQ(text.back(), '\n');
            ASSERT_EQ(text.find(" \n"), std::string::npos);
            if (!terminal.color) {
              ASSERT_EQ(text.find('\x1b'), std::string::npos);
            }
            if (!terminal.unicode) {
              ASSERT_TRUE(
                  std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
            }
          }
}

TEST(PlotTerminal, ColorsAreClosedOnEachLine) {
  const std::string text = render_terminal(samples::color(100'000), {}, look(80, 20, true, true));
  EXPECT_NE(text.find('\x1b'), std::string::npos);
  for (const auto& line : lines_of(text)) {
    const auto last = line.rfind('\x1b');
    if (last != std::string::npos) {
      EXPECT_EQ(line.substr(last, 4), "\x1b[0m") << line;
    }
  }
}

TEST(PlotTerminal, SinglePixelsShowAndEmptyLevelsDoNot) {
  // 263 columns leave one for each level: empty levels are empty columns.
  PlotOptions options;
  options.log = true;
  Histogram histogram = samples::flat_with({{0, 1'000'000'000}}, 0);
  histogram[100] = 1;
  const auto lines = lines_of(render_terminal(samples::gray(histogram), options, look(264, 16, true, false)));
  const auto axis =
      std::find_if(lines.begin(), lines.end(), [](const auto& l) { return l.find("└") != std::string::npos; });
  ASSERT_NE(axis, lines.end());
  const auto characters = plot::decode_utf8(*(axis - 1));
  const auto start =
      std::find_if(characters.begin(), characters.end(), [](char32_t c) { return c == U'│' || c == U'┤'; });
  const auto bars = std::u32string(start + 1, characters.end());
  EXPECT_EQ(bars.size(), 101u);
  EXPECT_EQ(bars[0], U'█');
  EXPECT_NE(bars[100], U' ');
  EXPECT_EQ(bars.find_first_not_of(U' ', 1), 100u);
}

TEST(PlotTerminal, ASpikeIsMarkedAndNamed) {
  const auto image = samples::gray(samples::flat_with({{0, 990'000}}, 40));
  const std::string text = render_terminal(image, {}, look(80, 16, true, false));
  EXPECT_NE(text.find("▲ above 52: 990k at 0"), std::string::npos) << text;
  EXPECT_NE(lines_of(text)[2].find("▲"), std::string::npos) << text;
}

TEST(PlotTerminal, CaptionAndNoteDoNotOverlap) {
  const auto image = samples::gray(samples::flat_with({{0, 990'000}}, 40));
  const std::string wide = lines_of(render_terminal(image, {}, look(20, 16, true, false))).at(0);
  EXPECT_EQ(wide, "pixels    ▲ above 52");
  EXPECT_EQ(lines_of(render_terminal(image, {}, look(14, 16, true, false))).at(0), "    ▲ above 52");
}

TEST(PlotTerminal, OverlayMixesLight) {
  plot::CellGrid grid(3, 1);
  plot::draw_overlay(grid, {0, 0, 1}, {{1.0, 0.5, 1.0}, {1.0, 0, 0.5}, {1.0, 0, 0}}, plot::Glyphs::kUnicode);
  const auto color = [](unsigned mask) { return std::to_string(plot::mixed_color(mask)); };
  // All three; the lower half red; the lower half red and green, above red alone.
  EXPECT_EQ(grid.to_string(), "\x1b[0;38;5;" + color(7) + "m█\x1b[0;38;5;" + color(1) + "m▄\x1b[0;38;5;" + color(3) +
                                  ";48;5;" + color(1) + "m▄\x1b[0m\n");
}

TEST(PlotTerminal, ChannelsAreNamedWithoutColors) {
  const auto text = render_terminal(samples::color(100'000), {}, look(80, 20, true, false));
  EXPECT_NE(text.find("pixels per level, luma\n"), std::string::npos) << text;
  EXPECT_EQ(lines_of(render_terminal(samples::color(100'000), {}, look(20, 16, true, false))).at(0), "pixels, luma");
  for (const char* name : {"\n  red  ", "\ngreen  ", "\n blue  "})
    EXPECT_NE(text.find(name), std::string::npos) << text;
}

TEST(PlotTerminal, TheLegendNamesEveryChannelWhereItIsNarrow) {
  const auto image = samples::color(100'000);
  EXPECT_NE(render_terminal(image, {}, look(27, 16, true, true)).find("blue"), std::string::npos);
  const auto narrow = lines_of(without_escapes(render_terminal(image, {}, look(20, 16, true, true))));
  EXPECT_EQ(narrow.at(1), "■ l ■ r ■ g ■ b");
}

TEST(PlotTerminal, Goldens) {
  PlotOptions options;
  options.title = "photo.jpg";
  const auto color = samples::color(12'192'768);
  expect_golden("color-unicode.txt", render_terminal(color, options, look(80, 16, true, false)));
  expect_golden("color-ascii.txt", render_terminal(color, options, look(80, 16, false, false)));
  expect_golden("color-ansi.txt", render_terminal(color, options, look(80, 16, true, true)));
  const auto spike = samples::gray(samples::flat_with({{0, 990'000}, {128, 77'000}}, 40));
  expect_golden("spike-ascii.txt", render_terminal(spike, options, look(60, 12, false, false)));
  options.log = true;
  expect_golden("spike-log.txt", render_terminal(spike, options, look(60, 12, true, false)));
  options.log = false, options.cumulative = true;
  expect_golden("cumulative.txt", render_terminal(color, options, look(72, 24, true, false)));
}

}  // namespace
}  // namespace gpuhisto
