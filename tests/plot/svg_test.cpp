// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <regex>

#include "plot/golden.hpp"
#include "plot/samples.hpp"

namespace gpuhisto {
namespace {

/// Empty when the text is one well-formed element: tags nest, attributes are quoted, '&' starts a known entity.
std::string xml_fault(const std::string& text) {
  static const std::regex tag(R"(<(/?)([A-Za-z]+)((?:\s+[A-Za-z-]+="[^"<]*")*)\s*(/?)>)");
  static const std::regex entity("&(amp|lt|gt|quot);");
  std::vector<std::string> open;
  std::size_t at = 0, roots = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), tag), end; it != end; ++it) {
    const auto& m = *it;
    const auto start = static_cast<std::size_t>(m.position());
    const std::string between = text.substr(at, start - at);
    if (between.find_first_of("<>") != std::string::npos) return "stray bracket in: " + between;
    if (std::regex_replace(between, entity, "").find('&') != std::string::npos) return "bare & in: " + between;
    at = start + static_cast<std::size_t>(m.length());
    if (m[1].length() > 0) {
      if (open.empty() || open.back() != m[2]) return "closes nothing: " + m.str();
      open.pop_back();
    } else if (m[4].length() == 0) {
      roots += open.empty();
      open.push_back(m[2]);
    }
  }
  if (text.find_first_not_of("\n", at) != std::string::npos) return "text behind the end: " + text.substr(at);
  return !open.empty() ? "not closed: " + open.back() : roots != 1 ? "not one root" : "";
}

TEST(PlotSvg, TheCheckFindsFaults) {
  EXPECT_EQ(xml_fault("<a b=\"1\"><c/>x &amp; y</a>\n"), "");
  EXPECT_NE(xml_fault("<a><b></a></b>"), "");
  EXPECT_NE(xml_fault("<a>x & y</a>"), "");
  EXPECT_NE(xml_fault("<a>x < y</a>"), "");
  EXPECT_NE(xml_fault("<a>"), "");
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

TEST(PlotSvg, TheNoisiestHistogramStaysSmall) {
  ImageHistogram image = samples::with_alpha(samples::color(0), Histogram{});
  for (std::size_t c = 0; c < kChannelCount; ++c)
    for (std::size_t v = 0; v < kBins; ++v) image.counts[c][v] = (v % 2) * ((v * 7919 + c * 104729) % 99991);
  image.pixels = 1'000'000;
  PlotOptions options;
  options.width = 16384, options.height = 16384;
  EXPECT_LE(render_svg(make_histogram_scene(image, options)).size(), 60'000u);
}

TEST(PlotSvg, OnePathASeries) {
  const std::string svg = render_svg(make_histogram_scene(samples::color(1000), {}));
  for (const std::string name : {"luma", "red", "green", "blue"}) {
    const auto first = svg.find("<path id=\"" + name + "\"");
    EXPECT_NE(first, std::string::npos);
    EXPECT_EQ(svg.find("<path id=\"" + name + "\"", first + 1), std::string::npos);
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
}

}  // namespace
}  // namespace gpuhisto
