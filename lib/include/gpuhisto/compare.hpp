// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto {

/// How far apart two histograms are once each is scaled to the sum 1: p of the reference, q of the other.
///
/// l1: sum |p - q|; 0 when equal, 2 when no bin is occupied in both.
/// chi_square: sum (p - q)^2 / p over the bins where p > 0, as OpenCV's HISTCMP_CHISQR: not symmetric, 0 when equal,
///   and without what lies in bins that the reference has not.
/// intersection: sum min(p, q) = 1 - l1 / 2, as HISTCMP_INTERSECT (Swain and Ballard, "Color indexing", IJCV 1991):
///   1 when equal, 0 when no bin is occupied in both. The only one where more is more alike.
/// bhattacharyya: sqrt(1 - sum sqrt(p * q)), as HISTCMP_BHATTACHARYYA, which is the Hellinger distance: 0 to 1.
/// emd: sum |P - Q| of the running sums P and Q: the earth mover's distance on a line, in levels (Rubner, Tomasi and
///   Guibas, "The earth mover's distance as a metric for image retrieval", IJCV 2000): by how many levels a pixel moves
///   on average when one histogram becomes the other with the least work; 0 to 255.
struct Distances {
  double l1 = 0, chi_square = 0, intersection = 0, bhattacharyya = 0, emd = 0;
};

/// The distances by name.
enum class Metric { kL1, kChiSquare, kIntersection, kBhattacharyya, kEmd };
/// All, in the order of their columns.
inline constexpr std::array<Metric, 5> kMetrics = {Metric::kL1, Metric::kChiSquare, Metric::kIntersection,
                                                   Metric::kBhattacharyya, Metric::kEmd};
std::string_view metric_name(Metric metric);  ///< "l1", "chi_square", …
/// Nullopt for any other name.
std::optional<Metric> metric_of_name(std::string_view name);
/// The one that `metric` names.
double distance(const Distances& distances, Metric metric);
/// Whether `a` is the distance of a histogram more alike than one at `b`: smaller, but for kIntersection.
bool more_alike(Metric metric, double a, double b);

/// `l1`, `intersection` and `emd` are exact fractions of integers, rounded to a long double and that to a double;
/// the two others are sums of such terms with a relative error below 1e-15. Equal histograms, also of different
/// numbers of pixels in the same proportions, give exactly 0, and an intersection of 1.
/// Nullopt when one of the two has no pixel. Throws Error(kLimit) when one adds up to more than 2^64 - 1.
std::optional<Distances> compare_histograms(const Histogram& reference, const Histogram& other);

/// What `compare` finds of one image.
struct Comparison {
  std::string input;  ///< any bytes
  Status status = Status::kOk;
  std::string error;  ///< for kError and kSkipped: the cause, without the name
  Flags flags;
  std::uint64_t pixels = 0;
  std::array<std::optional<Distances>, kChannelCount> channels;  ///< those that both have
};
/// Compares each wanted channel that both have; one without pixels on one side, or none at all, is an error.
Comparison compare_images(const ImageHistogram& reference, const ImageHistogram& other, ChannelSet wanted);

/// What a run of comparisons came to.
struct ComparisonTotal {
  std::uint64_t ok = 0, failed = 0, flagged = 0, skipped = 0;  ///< as in Total
  bool incomplete = false;
  void add(const Comparison& comparison);  ///< counts one input
};

/// What a table of comparisons shows.
struct CompareOptions {
  Counting counting;      ///< its channels are those to show
  std::string reference;  ///< its name
  ImageHistogram counts;  ///< its histogram
  bool header = true;     ///< CSV
  bool color = false;     ///< text for a terminal
};

/// Writes comparisons in the order given, each as soon as it is given, like Reporter.
class CompareReporter {
 public:
  virtual ~CompareReporter() = default;
  virtual void begin() = 0;                               ///< first, once
  virtual void result(const Comparison& comparison) = 0;  ///< each input, in order
  virtual void finish(const ComparisonTotal& total) = 0;  ///< last, once
};
/// One reporter for each format; `out` must outlive it.
std::unique_ptr<CompareReporter> make_compare_reporter(ReportFormat format, const CompareOptions& options,
                                                       std::ostream& out);
/// Hands the comparisons on at the end, the most alike in `channel` first, those without a distance last, equal ones in
/// their order. Throws Error(kLimit), naming --max-memory, when they need more than `max_bytes`.
std::unique_ptr<CompareReporter> make_sorted(std::unique_ptr<CompareReporter> reporter, Metric metric, Channel channel,
                                             std::uint64_t max_bytes);

}  // namespace gpuhisto
