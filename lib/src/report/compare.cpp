// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/compare.hpp"

#include <algorithm>
#include <cmath>

#include "gpuhisto/error.hpp"
#include "report/table_input.hpp"

namespace gpuhisto {
namespace {

__extension__ using Wide = unsigned __int128;  // holds the product of two counts

constexpr std::array<std::string_view, kMetrics.size()> kNames = {"l1", "chi_square", "intersection", "bhattacharyya",
                                                                  "emd"};

Wide difference(Wide a, Wide b) { return a > b ? a - b : b - a; }

/// A sum of fractions of one denominator, none above 1: whole ones apart, so that the rest stays below 2^128.
class Fractions {
 public:
  explicit Fractions(Wide denominator) : denominator_(denominator) {}
  void add(Wide numerator) {
    const Wide room = denominator_ - rest_;
    whole_ += numerator >= room;
    rest_ = numerator >= room ? numerator - room : rest_ + numerator;
  }
  long double sum() const { return whole_ + static_cast<long double>(rest_) / static_cast<long double>(denominator_); }

 private:
  Wide denominator_, rest_ = 0;
  unsigned whole_ = 0;
};

std::uint64_t sum_of(const Histogram& histogram) {
  const auto sum = checked_sum(histogram);
  if (!sum) throw Error(ErrorKind::kLimit, "counts that add up to more than 2^64 - 1");
  return *sum;
}

}  // namespace

std::string_view metric_name(Metric metric) { return kNames[static_cast<std::size_t>(metric)]; }

std::optional<Metric> metric_of_name(std::string_view name) {
  for (const Metric metric : kMetrics)
    if (metric_name(metric) == name) return metric;
  return std::nullopt;
}

double distance(const Distances& d, Metric metric) {
  constexpr std::array<double Distances::*, kMetrics.size()> kMembers = {
      &Distances::l1, &Distances::chi_square, &Distances::intersection, &Distances::bhattacharyya, &Distances::emd};
  return d.*kMembers[static_cast<std::size_t>(metric)];
}

bool more_alike(Metric metric, double a, double b) { return metric == Metric::kIntersection ? a > b : a < b; }

// With A and B the sums of the counts a and b, p - q = (aB - bA) / AB: the numerator is an exact integer.
std::optional<Distances> compare_histograms(const Histogram& reference, const Histogram& other) {
  const Wide sum_a = sum_of(reference), sum_b = sum_of(other);
  if (sum_a == 0 || sum_b == 0) return std::nullopt;
  const Wide product = sum_a * sum_b;
  const auto pixels_a = static_cast<long double>(sum_a), pixels_b = static_cast<long double>(sum_b);
  Wide more = 0, running_a = 0, running_b = 0;  // more: what p has above q, in all equal to what q has above p
  Fractions moved(product);
  long double chi_square = 0, hellinger = 0;
  for (std::size_t v = 0; v < kBins; ++v) {
    const Wide a = reference[v] * sum_b, b = other[v] * sum_a;
    if (a > b) more += a - b;
    moved.add(difference(running_a += a, running_b += b));
    if (a == b) continue;
    const long double apart = static_cast<long double>(difference(a, b)) / static_cast<long double>(product);
    const long double p = static_cast<long double>(reference[v]) / pixels_a;
    const long double q = static_cast<long double>(other[v]) / pixels_b;
    if (reference[v] > 0) chi_square += apart * apart / p;
    // (sqrt p - sqrt q)^2 by the difference of p and q: nothing cancels.
    const long double roots = apart / (std::sqrt(p) + std::sqrt(q));
    hellinger += roots * roots / 2;
  }
  const auto share = [&](Wide part) { return static_cast<long double>(part) / static_cast<long double>(product); };
  Distances distances;
  distances.l1 = static_cast<double>(2 * share(more));
  distances.chi_square = static_cast<double>(chi_square);
  distances.intersection = static_cast<double>(share(product - more));
  distances.bhattacharyya = more == product ? 1 : static_cast<double>(std::sqrt(hellinger));
  distances.emd = static_cast<double>(moved.sum());
  return distances;
}

}  // namespace gpuhisto
