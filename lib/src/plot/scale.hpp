// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>
#include <vector>

namespace gpuhisto::plot {

struct Tick {
  double value = 0;
  std::string label;  ///< empty: a fine line between labelled ones
};

/// Maps counts to heights. Zero is always at 0; nothing leaves [0, 1].
class CountScale {
 public:
  /// `top` is at height 1.
  static CountScale linear(double top);
  /// A count of 1 is at `floor` (a fraction of the height), `top` at 1.
  static CountScale logarithmic(double top, double floor);

  double height(double count) const;
  double top() const { return top_; }
  bool is_log() const { return log_; }

 private:
  CountScale(double top, double floor, bool log) : top_(top), floor_(floor), log_(log) {}
  double top_, floor_;
  bool log_;
};

/// Between 2 and about `most` labelled ticks at 1, 2, 2.5 or 5 times a power of ten (linear) or at powers of ten.
std::vector<Tick> count_ticks(const CountScale& scale, int most);

/// Ticks of shares of `total`, up to the scale's top: 0 %, 25 %, …; powers of ten on a logarithmic scale.
std::vector<Tick> share_ticks(const CountScale& scale, double total, int most);

/// Levels to label on the horizontal axis, 0 and 255 always among them; `most` >= 2.
std::vector<int> level_ticks(int most);

}  // namespace gpuhisto::plot
