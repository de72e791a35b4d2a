// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Everything but the entropy is an exact fraction of integers until the last step, which rounds it once: no
// cancellation, whatever the counts, and the same digits on every machine.
#include "gpuhisto/statistics.hpp"

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

__extension__ typedef unsigned __int128 U128;
// The largest value is M2^3 < 2^426 (variance <= 127.5^2, so M2 = N^2 * variance < 2^142 for N < 2^64).
using Wide = boost::multiprecision::int512_t;
using Cumulative = std::array<std::uint64_t, kBins>;

/// sums[k] = sum of v^k * h[v]; below 2^(8k + 64).
using PowerSums = std::array<U128, 5>;

Cumulative cumulate(const Histogram& histogram) {
  Cumulative cdf;
  std::uint64_t sum = 0;
  for (std::size_t v = 0; v < kBins; ++v) {
    if (__builtin_add_overflow(sum, histogram[v], &sum))
      throw Error(ErrorKind::kLimit, "a histogram of more than 2^64 - 1 pixels");
    cdf[v] = sum;
  }
  return cdf;
}

PowerSums power_sums(const Histogram& histogram) {
  PowerSums sums{};
  for (std::size_t v = 0; v < kBins; ++v) {
    std::uint64_t power = 1;
    for (U128& sum : sums) {
      sum += U128{histogram[v]} * power;
      power *= v;
    }
  }
  return sums;
}

Wide widen(U128 value) {
  Wide wide = static_cast<std::uint64_t>(value >> 64);
  wide <<= 64;
  wide += static_cast<std::uint64_t>(value);
  return wide;
}

/// a / b rounded once to the nearest double, for a >= 0, b > 0 and b < 2^448.
double quotient(const Wide& a, const Wide& b) {
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
  if (a <= kExact && b <= kExact) return a.convert_to<double>() / b.convert_to<double>();
  if (a.is_zero()) return 0;
  // 62 or 63 bits of the quotient, then one that tells whether more follow: the conversion to double rounds right.
  const int shift = 62 - (static_cast<int>(msb(a)) - static_cast<int>(msb(b)));
  Wide digits, rest;
  if (shift >= 0)
    boost::multiprecision::divide_qr(Wide(a << shift), b, digits, rest);
  else
    boost::multiprecision::divide_qr(a, Wide(b << -shift), digits, rest);
  const auto bits = (digits.convert_to<std::uint64_t>() << 1) | (rest.is_zero() ? 0u : 1u);
  return std::ldexp(static_cast<double>(bits), -shift - 1);
}

double signed_quotient(const Wide& a, const Wide& b) { return a < 0 ? -quotient(-a, b) : quotient(a, b); }

/// The lowest value with at least `rank` pixels at or below it; 1 <= rank <= N.
int value_at_rank(const Cumulative& cdf, std::uint64_t rank) {
  return static_cast<int>(std::lower_bound(cdf.begin(), cdf.end(), rank) - cdf.begin());
}

int percentile_of(const Cumulative& cdf, const Percentile& p) {
  const U128 whole = U128{p.denominator} * 100;
  const auto rank = static_cast<std::uint64_t>((U128{p.numerator} * cdf.back() + whole - 1) / whole);
  return value_at_rank(cdf, std::max<std::uint64_t>(1, rank));
}

double median_of(const Cumulative& cdf) {
  const std::uint64_t count = cdf.back();
  const int upper = value_at_rank(cdf, count / 2 + 1);
  if (count % 2 == 1) return upper;
  return (value_at_rank(cdf, count / 2) + upper) / 2.0;
}

/// Shannon's -sum p log2 p. A share near 1 goes through log1p of its complement, which is exact where 1 - p is not.
double entropy_of(const Histogram& histogram, std::uint64_t count) {
  const auto all = static_cast<double>(count);
  constexpr double kBitsPerNat = 1.4426950408889634;  // 1 / ln 2
  long double sum = 0;
  for (const std::uint64_t pixels : histogram) {
    if (pixels == 0 || pixels == count) continue;
    const double share = static_cast<double>(pixels) / all;
    const std::uint64_t others = count - pixels;
    sum += pixels > others ? -share * std::log1p(-static_cast<double>(others) / all) * kBitsPerNat
                           : -share * std::log2(share);
  }
  return static_cast<double>(sum);
}

/// Fills the moments. With S_k the power sums, N^k times the k-th central moment is a polynomial in integers.
void set_moments(const PowerSums& sums, ChannelStatistics& result) {
  const Wide n = widen(sums[0]), s1 = widen(sums[1]), s2 = widen(sums[2]);
  result.mean = quotient(s1, n);
  result.mean01 = quotient(s1, n * 255);
  const Wide m2 = n * s2 - s1 * s1;
  result.variance = quotient(m2, n * n);
  result.std = std::sqrt(*result.variance);
  result.std01 = std::sqrt(quotient(m2, n * n * (255 * 255)));
  if (m2.is_zero()) return;
  const Wide s3 = widen(sums[3]), s4 = widen(sums[4]);
  const Wide m3 = n * (n * s3 - 3 * s1 * s2) + 2 * s1 * s1 * s1;
  const Wide m4 = n * (n * (n * s4 - 4 * s1 * s3) + 6 * s1 * s1 * s2) - 3 * s1 * s1 * s1 * s1;
  const Wide m2_squared = m2 * m2;
  const double skewness = std::sqrt(quotient(m3 * m3, m2_squared * m2));
  result.skewness = m3 < 0 ? -skewness : skewness;
  result.kurtosis = signed_quotient(m4 - 3 * m2_squared, m2_squared);
}

}  // namespace

ChannelStatistics compute_statistics(const Histogram& histogram, const std::vector<Percentile>& percentiles) {
  ChannelStatistics result;
  const Cumulative cdf = cumulate(histogram);
  result.count = cdf.back();
  result.percentiles.resize(percentiles.size());
  if (result.count == 0) return result;
  result.min = value_at_rank(cdf, 1);
  result.max = value_at_rank(cdf, result.count);
  result.mode = static_cast<int>(std::max_element(histogram.begin(), histogram.end()) - histogram.begin());
  result.median = median_of(cdf);
  result.entropy = entropy_of(histogram, result.count);
  result.at0 = quotient(histogram.front(), result.count);
  result.at255 = quotient(histogram.back(), result.count);
  set_moments(power_sums(histogram), result);
  std::transform(percentiles.begin(), percentiles.end(), result.percentiles.begin(),
                 [&](const Percentile& p) { return percentile_of(cdf, p); });
  return result;
}

}  // namespace gpuhisto
