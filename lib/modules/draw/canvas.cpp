// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "canvas.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace gpuhisto::draw {
namespace {

constexpr int kEnlarge = 4;       // 4 x 4 samples a pixel: 17 steps of coverage
constexpr int kFractionBits = 8;  // of the coordinates given to OpenCV
constexpr int kBandRows = 64;

using FixedContours = std::vector<std::vector<cv::Point>>;

FixedContours fixed_point(const std::vector<Contour>& contours, cv::Point2d origin) {
  FixedContours result;
  // A sample's centre has whole coordinates in OpenCV, a pixel's corner in a scene.
  const auto fixed = [](double value) {
    return static_cast<int>(std::lround((value * kEnlarge - 0.5) * (1 << kFractionBits)));
  };
  for (const auto& contour : contours) {
    auto& points = result.emplace_back();
    for (const auto& p : contour) points.emplace_back(fixed(p.x - origin.x), fixed(p.y - origin.y));
  }
  return result;
}

std::uint8_t mix(std::uint8_t under, std::uint8_t over, int weight) {
  const int sum = under * (255 * 256 - weight) + over * weight;
  return static_cast<std::uint8_t>((sum + 255 * 128) / (255 * 256));
}

}  // namespace

Canvas::Canvas(const MutableImageView& image)
    : pixels_(static_cast<int>(image.height), static_cast<int>(image.width), CV_8UC3, image.data, image.row_bytes) {}

void Canvas::clear(const Color& color) { pixels_.setTo(cv::Scalar(color.red, color.green, color.blue)); }

void Canvas::blend(const cv::Mat& coverage, cv::Point corner, const Color& color) {
  const cv::Rect area = cv::Rect(corner, coverage.size()) & cv::Rect({0, 0}, pixels_.size());
  const int alpha = static_cast<int>(std::lround(std::clamp(color.alpha, 0.0, 1.0) * 256));
  for (int y = area.y; y < area.y + area.height; ++y) {
    const std::uint8_t* from = coverage.ptr(y - corner.y) + (area.x - corner.x);
    std::uint8_t* to = pixels_.ptr(y) + 3 * area.x;
    for (int x = 0; x < area.width; ++x, to += 3) {
      if (from[x] == 0) continue;
      const int weight = from[x] * alpha;
      to[0] = mix(to[0], color.red, weight);
      to[1] = mix(to[1], color.green, weight);
      to[2] = mix(to[2], color.blue, weight);
    }
  }
}

cv::Rect Canvas::bounds_of(const std::vector<Contour>& contours, double margin) const {
  double left = pixels_.cols, top = pixels_.rows, right = 0, bottom = 0;
  for (const auto& contour : contours)
    for (const auto& p : contour) {
      left = std::min(left, p.x), right = std::max(right, p.x);
      top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
  const cv::Point from(static_cast<int>(std::floor(left - margin)), static_cast<int>(std::floor(top - margin)));
  const cv::Point to(static_cast<int>(std::ceil(right + margin)), static_cast<int>(std::ceil(bottom + margin)));
  return cv::Rect(from, to) & cv::Rect({0, 0}, pixels_.size());
}

void Canvas::paint_in_bands(cv::Rect bounds, const Color& color, const Paint& paint) {
  for (int y = bounds.y; y < bounds.y + bounds.height; y += kBandRows) {
    const int rows = std::min(kBandRows, bounds.y + bounds.height - y);
    enlarged_.create(rows * kEnlarge, bounds.width * kEnlarge, CV_8UC1);
    enlarged_.setTo(0);
    paint(enlarged_, {static_cast<double>(bounds.x), static_cast<double>(y)});
    // Halving twice is several times faster in OpenCV than quartering once.
    cv::resize(enlarged_, half_, {enlarged_.cols / 2, enlarged_.rows / 2}, 0, 0, cv::INTER_AREA);
    cv::resize(half_, coverage_, {bounds.width, rows}, 0, 0, cv::INTER_AREA);
    blend(coverage_, {bounds.x, y}, color);
  }
}

/// Rectangles on whole pixels need no averaging.
bool Canvas::fill_rectangle(const std::vector<Contour>& polygons, const Color& color) {
  if (polygons.size() != 1) return false;
  const Contour& p = polygons[0];
  if (p.size() != 4 || p[0].y != p[1].y || p[1].x != p[2].x || p[2].y != p[3].y || p[3].x != p[0].x) return false;
  for (const auto& corner : p)
    if (corner.x != std::floor(corner.x) || corner.y != std::floor(corner.y)) return false;
  const cv::Rect area = bounds_of(polygons, 0);
  if (!area.empty()) blend(cv::Mat(area.size(), CV_8UC1, cv::Scalar(255)), area.tl(), color);
  return true;
}

void Canvas::fill(const std::vector<Contour>& polygons, const Color& color) {
  if (fill_rectangle(polygons, color)) return;
  paint_in_bands(bounds_of(polygons, 1), color, [&](cv::Mat& enlarged, cv::Point2d origin) {
    cv::fillPoly(enlarged, fixed_point(polygons, origin), cv::Scalar(255), cv::LINE_8, kFractionBits);
  });
}

void Canvas::stroke(const std::vector<Contour>& lines, bool closed, double width, const Color& color) {
  const int thickness = std::max(1, static_cast<int>(std::lround(width * kEnlarge)));
  paint_in_bands(bounds_of(lines, width + 1), color, [&](cv::Mat& enlarged, cv::Point2d origin) {
    cv::polylines(enlarged, fixed_point(lines, origin), closed, cv::Scalar(255), thickness, cv::LINE_8, kFractionBits);
  });
}

void Canvas::ramp(const Ramp& ramp) {
  const Point opposite{ramp.corner.x + ramp.width, ramp.corner.y + ramp.height};
  const cv::Rect area = bounds_of({{ramp.corner, opposite}}, 0);
  const auto between = [](std::uint8_t from, std::uint8_t to, double part) {
    return static_cast<std::uint8_t>(std::lround(from + (to - from) * part));
  };
  for (int x = area.x; x < area.x + area.width; ++x) {
    const double part = std::clamp((x + 0.5 - ramp.corner.x) / ramp.width, 0.0, 1.0);
    const cv::Vec3b color(between(ramp.left.red, ramp.right.red, part),
                          between(ramp.left.green, ramp.right.green, part),
                          between(ramp.left.blue, ramp.right.blue, part));
    for (int y = area.y; y < area.y + area.height; ++y) pixels_.at<cv::Vec3b>(y, x) = color;
  }
}

}  // namespace gpuhisto::draw
