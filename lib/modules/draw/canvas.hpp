// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <vector>

#include "gpuhisto/image.hpp"
#include "gpuhisto/plot.hpp"

namespace gpuhisto::draw {

/// RGB pixels that shapes are blended onto. Coverage comes from drawing each shape several times as large and
/// averaging, a band of rows at a time, so that the enlarged picture stays in the cache however large the plot is.
class Canvas {
 public:
  explicit Canvas(const MutableImageView& image);

  void clear(const Color& color);
  void fill(const std::vector<Contour>& polygons, const Color& color);
  /// Lines of one colour, which count once where they cross.
  void stroke(const std::vector<Contour>& lines, bool closed, double width, const Color& color);
  void ramp(const Ramp& ramp);
  /// Blends `color` where `coverage` (8 bits a pixel) says, its top left corner at `corner`; clipped to the canvas.
  void blend(const cv::Mat& coverage, cv::Point corner, const Color& color);

 private:
  using Paint = std::function<void(cv::Mat& enlarged, cv::Point2d origin)>;
  void paint_in_bands(cv::Rect bounds, const Color& color, const Paint& paint);
  cv::Rect bounds_of(const std::vector<Contour>& contours, double margin) const;
  bool fill_rectangle(const std::vector<Contour>& polygons, const Color& color);

  cv::Mat pixels_;
  cv::Mat enlarged_, half_, coverage_;  // kept between shapes: fresh memory is slow to touch
};

}  // namespace gpuhisto::draw
