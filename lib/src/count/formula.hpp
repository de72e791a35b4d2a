// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "count/luma.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto::count {

constexpr LumaFormula luma_formula(LumaRule rule) {
  switch (rule) {
    case LumaRule::kBt601:
      return {LumaKind::kWeighted, 9798, 19235, 3735, 15};
    case LumaRule::kBt709:
      return {LumaKind::kWeighted, 6966, 23436, 2366, 15};
    case LumaRule::kYcrcb14:
      return {LumaKind::kWeighted, 4899, 9617, 1868, 14};
    case LumaRule::kAverage:
      return {LumaKind::kAverage, 0, 0, 0, 0};
    case LumaRule::kValue:
      return {LumaKind::kMaximum, 0, 0, 0, 0};
  }
  return {};
}

}  // namespace gpuhisto::count
