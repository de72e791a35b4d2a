// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "plot/panels.hpp"

#include <algorithm>

#include "plot/palette.hpp"

namespace gpuhisto::plot {
namespace {

bool is_color(const Series& series) {
  return series.channel == Channel::kRed || series.channel == Channel::kGreen || series.channel == Channel::kBlue;
}

/// Beside the areas of colours luma is a line: four areas on each other cannot be read. Nor can areas under running
/// sums.
void set_looks(SeriesSet& set) {
  if (set.series.size() < 2 || !std::any_of(set.series.begin(), set.series.end(), is_color)) return;
  for (auto& series : set.series)
    if (series.look == Look::kArea && (series.is_sum || series.channel == Channel::kLuma)) series.look = Look::kLine;
}

/// The same pixels for all: counts become shares that are drawn on one scale.
double common_pixels(const std::vector<NamedHistogram>& images) {
  double most = 0;
  for (const auto& image : images) most = std::max(most, static_cast<double>(image.histogram.pixels));
  return most;
}

Panel panel_of_channel(const std::vector<NamedHistogram>& images, Channel channel, const PlotOptions& options) {
  Panel panel;
  panel.heading = channel_name(channel);
  panel.set.shares = true;
  panel.set.pixels = common_pixels(images);
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (!images[i].histogram.channels.has(channel)) continue;
    Series series = make_one_series(images[i].histogram, channel, options, panel.set.pixels);
    series.name = images[i].name;
    series.color = palette_of(options.theme).images[i % kMostPlotImages];
    series.look = Look::kLine;
    panel.set.series.push_back(std::move(series));
  }
  return panel;
}

Panel panel_of_one(const NamedHistogram& image, double pixels, const PlotOptions& options) {
  Panel panel{image.name, make_series(image.histogram, options, pixels)};
  set_looks(panel.set);
  panel.set.shares = true;
  return panel;
}

}  // namespace

std::vector<Panel> panels_of_image(const ImageHistogram& histogram, const PlotOptions& options) {
  SeriesSet set = make_series(histogram, options);
  if (options.layout == PlotLayout::kOverlaid || set.series.size() < 2) {
    set_looks(set);
    return {{"", std::move(set)}};
  }
  std::vector<Panel> panels;
  for (auto& series : set.series) {
    const bool alpha = !series.sets_scale;
    series.sets_scale = true;
    series.look = Look::kArea;
    panels.push_back({"", {{std::move(series)}, false, set.pixels}, alpha});
  }
  panels.back().set.opaque_alpha = set.opaque_alpha;
  return panels;
}

std::vector<Panel> panels_of_images(const std::vector<NamedHistogram>& images, const PlotOptions& options) {
  std::vector<Panel> panels;
  if (options.layout == PlotLayout::kStacked) {
    for (const auto& image : images) panels.push_back(panel_of_one(image, common_pixels(images), options));
    return panels;
  }
  for (const Channel channel : kChannels) {
    if (!options.channels.has(channel)) continue;
    Panel panel = panel_of_channel(images, channel, options);
    if (!panel.set.series.empty()) panels.push_back(std::move(panel));
  }
  if (panels.empty()) panels.emplace_back();
  return panels;
}

std::vector<Panel> panels_of_change(const ImageHistogram& before, const ImageHistogram& after,
                                    const PlotOptions& options) {
  PlotOptions colors = options;
  colors.channels = options.channels & ChannelSet::of_image(3);  // alpha stays as it is
  std::vector<Panel> panels = {{"before", make_series(before, colors)}, {"after", make_series(after, colors)}};
  for (auto& panel : panels) {
    set_looks(panel.set);
    const ImageHistogram& histogram = &panel == &panels.front() ? before : after;
    if (panel.set.series.empty() || !histogram.channels.has(Channel::kLuma)) continue;
    panel.set.series.push_back(make_running_sum(histogram, Channel::kLuma, options));
  }
  return panels;
}

SeriesSet series_of_shared_axis(const std::vector<Panel>& panels) {
  SeriesSet all = panels[0].set;
  all.series.clear();
  for (const auto& panel : panels)
    if (!panel.own_axis) all.series.insert(all.series.end(), panel.set.series.begin(), panel.set.series.end());
  return all;
}

}  // namespace gpuhisto::plot
