// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

#include "plot/series.hpp"

namespace gpuhisto::plot {

struct Panel {
  std::string heading;  ///< what its series have in common; may be empty
  SeriesSet set;
  bool own_axis = false;  ///< of alpha among panels of channels: it would flatten them
};

/// At least one panel each.
std::vector<Panel> panels_of_image(const ImageHistogram& histogram, const PlotOptions& options);
std::vector<Panel> panels_of_images(const std::vector<NamedHistogram>& images, const PlotOptions& options);

/// Before and after.
std::vector<Panel> panels_of_change(const ImageHistogram& before, const ImageHistogram& after,
                                    const PlotOptions& options);

/// The series of all panels that share an axis.
SeriesSet series_of_shared_axis(const std::vector<Panel>& panels);

}  // namespace gpuhisto::plot
