// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

#include "console.hpp"
#include "gpuhisto/plot.hpp"

namespace gpuhisto::app {

/// The file's own name, fit to be drawn.
std::string plot_title(const std::string& input);

enum class PlotFormat { kPng, kSvg };
/// By the name's extension, PNG for "-". Throws Error(kUsage) for another ending.
PlotFormat plot_format_of(const std::string& path);
/// Throws Error(kUsage) when a plot and another output, `what`, would be one file, or both go to standard output ("-").
void refuse_one_output(const std::string& plot, const std::string& output, const std::string& what = "table");
/// Throws, before long work, what drawing throws without its module and what opening the file for writing throws;
/// leaves it as it is. Devices and FIFOs are not opened.
void check_writable(const std::string& path);
/// Those that drawing a plot opens, by name.
std::vector<std::string> modules_to_draw(PlotFormat format);
/// Draws and writes; the file appears whole or not at all. A note tells of names that a PNG cannot show.
void write_scene(const Scene& scene, const std::string& path, PlotFormat format, Console& console, int threads = 1);

}  // namespace gpuhisto::app
