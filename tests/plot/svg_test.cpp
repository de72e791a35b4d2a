// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plot/golden.hpp"
#include "plot/samples.hpp"

namespace gpuhisto {
namespace {

/// Empty when every '&' starts one of the entities the writer uses, and no bracket is left over.
std::string text_fault(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '>') return "stray bracket in: " + text;
    if (text[at] != '&') continue;
    const std::string entity = text.substr(at, text.find(';', at) + 1 - at);
    if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") return "bare & in: " + text;
  }
  return "";
}

/// Empty when what stands between the brackets of a start tag is a name and attributes in double quotes.
std::string tag_fault(const std::string& tag) {
  std::size_t at = tag.find_first_of(" /");
  while (at != std::string::npos && at < tag.size() && tag[at] == ' ') {
    const std::size_t equals = tag.find("=\"", at),
                      close = equals == std::string::npos ? equals : tag.find('"', equals + 2);
    if (close == std::string::npos) return "attribute without quotes in: " + tag;
    const std::string name = tag.substr(at + 1, equals - at - 1);
    if (name.empty() || name.find_first_of(" \"/<") != std::string::npos) return "odd attribute in: " + tag;
    const std::string fault = text_fault(tag.substr(equals + 2, close - equals - 2));
    if (!fault.empty()) return fault;
    at = close + 1;
  }
  return at == std::string::npos || at == tag.size() || tag.substr(at) == "/" ? "" : "odd end of: " + tag;
}

/// Empty when the text is one well-formed element and a line's end.
std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  std::size_t roots = 0, at = 0;
  for (std::size_t start = text.find('<'); start != std::string::npos; start = text.find('<', at)) {
    const std::string between = text.substr(at, start - at);
    if (open.empty() && !between.empty()) return "text outside: " + between;
    if (const std::string fault = text_fault(between); !fault.empty()) return fault;
    const std::size_t end = text.find('>', start);
    if (end == std::string::npos) return "tag without end";
    const std::string tag = text.substr(start + 1, end - start - 1);
    at = end + 1;
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return "closes nothing: " + tag;
      open.pop_back();
      continue;
    }
    if (const std::string fault = tag_fault(tag); !fault.empty()) return fault;
    roots += open.empty();
    if (tag.back() != '/') open.push_back(tag.substr(0, tag.find(' ')));
  }
  if (!open.empty()) return "not closed: " + open.back();
  return text.substr(at) != "\n" ? "text behind the end" : roots != 1 ? "not one root" : "";
}

TEST(PlotSvg, TheCheckFindsFaults) {
  EXPECT_EQ(xml_fault("<a b=\"1\"><c/>x &amp; y</a>\n"), "");
  EXPECT_NE(xml_fault("<a><b></a></b>\n"), "");
  EXPECT_NE(xml_fault("<a>x & y</a>\n"), "");
  EXPECT_NE(xml_fault("<a>x < y</a>\n"), "");
  EXPECT_NE(xml_fault("<a>\n"), "");
  EXPECT_NE(xml_fault("<a b=1/>\n"), "");
  EXPECT_NE(xml_fault("<a b=\"1\"c=\"2\"/>\n"), "");
}

TEST(PlotSvg, IsWellFormedAndSmall) {
  for (const auto& sample : samples::all())
    for (const int mode : {0, 1, 2, 3}) {
      PlotOptions options;
      options.width = 16384, options.height = 16384, options.title = "a<b>&\"'\x01\xff</title><script>.jpg";
      options.log = mode & 1, options.cumulative = mode & 2;
      const std::string svg = render_svg(make_histogram_scene(sample.histogram, options));
      EXPECT_EQ(xml_fault(svg), "") << sample.name;
      EXPECT_LE(svg.size(), 60'000u) << sample.name;
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_EQ(svg.find("inf"), std::string::npos);
      EXPECT_EQ(svg.find("<script"), std::string::npos);
      EXPECT_NE(svg.find("<title id=\"title\">Histogram: a&lt;b&gt;&amp;&quot;'\xef\xbf\xbd\xef\xbf\xbd&lt;/title"),
                std::string::npos);
    }
}

TEST(PlotSvg, TheNoisiestHistogramsStaySmall) {
  for (const std::size_t period : {1u, 2u}) {
    ImageHistogram image = samples::with_alpha(samples::color(0), Histogram{});
    for (std::size_t c = 0; c < kChannelCount; ++c)
      for (std::size_t v = 0; v < kBins; ++v)
        image.counts[c][v] = v % period == 0 ? (v * 7919 + c * 104729) % 99991 : 0;
    image.pixels = 1'000'000;
    PlotOptions options;
    options.width = 16384, options.height = 16384;
    for (const auto layout : {PlotLayout::kOverlaid, PlotLayout::kStacked}) {
      options.layout = layout;
      EXPECT_LE(render_svg(make_histogram_scene(image, options)).size(), 60'000u) << period;
    }
    const std::vector<NamedHistogram> images(kMostPlotImages, {"a.png", image});
    options.layout = PlotLayout::kOverlaid, options.channels = ChannelSet().set(Channel::kLuma);
    EXPECT_LE(render_svg(make_comparison_scene(images, options)).size(), 60'000u) << period;
  }
}

TEST(PlotSvg, ScaleEnlargesThePictureNotItsUnits) {
  PlotOptions options;
  options.scale = 3;
  const std::string svg = render_svg(make_histogram_scene(samples::color(1000), options));
  EXPECT_NE(svg.find(" width=\"2880\" height=\"1620\" viewBox=\"0 0 960 540\""), std::string::npos);
}

TEST(PlotSvg, OnePathASeries) {
  const std::string svg = render_svg(make_histogram_scene(samples::color(1000), {}));
  for (const std::string name : {"luma", "red", "green", "blue"}) {
    const std::string tooltip = "<title>" + name + "</title></path>";
    const auto first = svg.find(tooltip);
    EXPECT_NE(first, std::string::npos);
    EXPECT_EQ(svg.find(tooltip, first + 1), std::string::npos);
  }
  EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
}

TEST(PlotSvg, Goldens) {
  PlotOptions options;
  options.width = 320, options.height = 200, options.title = "photo & co.jpg";
  Histogram histogram{};
  histogram[0] = 900, histogram[1] = 1, histogram[128] = 250, histogram[129] = 250, histogram[255] = 40;
  expect_golden("linear.svg", render_svg(make_histogram_scene(samples::gray(histogram), options)));
  options.log = true;
  expect_golden("log.svg", render_svg(make_histogram_scene(samples::gray(histogram), options)));
  options.log = false;
  expect_golden("spike.svg",
                render_svg(make_histogram_scene(samples::gray(samples::flat_with({{0, 990'000}}, 40)), options)));
  options.theme = PlotTheme::kDark, options.layout = PlotLayout::kStacked, options.height = 0;
  const ImageHistogram color = samples::with_alpha(samples::color(100'000), samples::hill(250, 9, 100'000));
  expect_golden("stacked-dark.svg", render_svg(make_histogram_scene(color, options)));
  options.layout = PlotLayout::kOverlaid, options.height = 200, options.theme = PlotTheme::kLight;
  expect_golden("overlaid.svg", render_svg(make_histogram_scene(color, options)));
  options.channels = ChannelSet().set(Channel::kLuma);
  expect_golden("images.svg", render_svg(make_comparison_scene(
                                  {{"a.jpg", color}, {"b.png", samples::gray(samples::hill(90, 20, 777))}}, options)));
}

}  // namespace
}  // namespace gpuhisto
