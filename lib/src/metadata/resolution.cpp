// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "metadata/resolution.hpp"

#include <cmath>

namespace gpuhisto {
namespace {

constexpr double kMetresPerInch = 0.0254;
constexpr double kMostJfif = 65535, kMostPerMetre = 2147483647;

template <typename Whole>
std::optional<Whole> whole(Whole to, double x, double y, double most) {
  x = std::round(x);
  y = std::round(y);
  if (!(x >= 1 && x <= most && y >= 1 && y <= most)) return std::nullopt;
  to.x = static_cast<decltype(to.x)>(x);
  to.y = static_cast<decltype(to.y)>(y);
  return to;
}

/// Whether a whole number per inch is what these pixels per metre came from.
bool is_whole_per_inch(double per_metre) {
  return std::round(std::round(per_metre * kMetresPerInch) / kMetresPerInch) == per_metre;
}

bool is_whole_per_centimetre(double per_metre) { return std::fmod(per_metre, 100) == 0; }

}  // namespace

std::optional<JfifDensity> jfif_density(const Resolution& resolution) {
  const double x = resolution.x, y = resolution.y;
  if (resolution.unit == Resolution::Unit::kNone) return whole(JfifDensity{0}, x, y, kMostJfif);
  if (resolution.unit == Resolution::Unit::kInch) return whole(JfifDensity{1}, x, y, kMostJfif);
  const auto per_inch = whole(JfifDensity{1}, x * kMetresPerInch, y * kMetresPerInch, kMostJfif);
  if (per_inch && is_whole_per_inch(x) && is_whole_per_inch(y)) return per_inch;
  if (!is_whole_per_centimetre(x) || !is_whole_per_centimetre(y)) return per_inch;
  return whole(JfifDensity{2}, x / 100, y / 100, kMostJfif);
}

std::optional<PerMetre> per_metre(const Resolution& resolution) {
  if (resolution.unit == Resolution::Unit::kNone) return std::nullopt;
  const double metre = resolution.unit == Resolution::Unit::kInch ? kMetresPerInch : 1;
  return whole(PerMetre{}, resolution.x / metre, resolution.y / metre, kMostPerMetre);
}

std::optional<PerMetre> pixel_shape(const Resolution& resolution) {
  if (resolution.unit != Resolution::Unit::kNone) return std::nullopt;
  return whole(PerMetre{}, resolution.x, resolution.y, kMostPerMetre);
}

bool can_write_resolution(Format format, const Resolution& resolution) {
  switch (format) {
    case Format::kJpeg:
      return jfif_density(resolution).has_value();
    case Format::kPng:
      return per_metre(resolution) || pixel_shape(resolution);
    case Format::kBmp:
      return per_metre(resolution).has_value();
    default:
      return false;
  }
}

}  // namespace gpuhisto
