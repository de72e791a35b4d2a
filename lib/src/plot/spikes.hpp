// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "gpuhisto/histogram.hpp"

namespace gpuhisto::plot {

using Values = std::array<double, kBins>;  ///< one a level

/// The count at which a linear axis should end so that a few towering bins (clipped shadows, a scan's paper, a masked
/// background) do not flatten the rest; absent when every bin can be shown whole.
///
/// Per histogram the k <= 8 highest bins are taken for spikes if leaving them out enlarges the rest at least 4 times,
/// each of them contributing a factor of 1.5 or more, and if the rest is a distribution: 8 bins or more above an eighth
/// of its height, holding 0.2 % of the pixels or more. Narrow noise around one level is thus shown whole.
///
/// The same is asked of the highest counts of all histograms, as a distribution of one of them: what is no spike among
/// the bins of its own may tower over the others, and would keep the scale from ending below the spike of another.
std::optional<double> clipping_level(const std::vector<const Values*>& histograms);

}  // namespace gpuhisto::plot
