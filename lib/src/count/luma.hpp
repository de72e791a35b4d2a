// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpuhisto/histogram.hpp"

namespace gpuhisto::count {

/// A weighted sum of R, G, B: (red R + green G + blue B + half) >> shift, half = 1 << (shift - 1).
struct LumaWeights {
  std::int32_t red, green, blue;
  int shift;
};

/// Of the three weighted rules.
constexpr LumaWeights luma_weights(LumaRule rule) {
  if (rule == LumaRule::kBt709) return {6966, 23436, 2366, 15};
  if (rule == LumaRule::kYcrcb14) return {4899, 9617, 1868, 14};
  return {9798, 19235, 3735, 15};
}

/// The one scalar definition; every vector path is compared with it.
template <LumaRule kRule>
constexpr std::uint8_t luma_value(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  if constexpr (kRule == LumaRule::kAverage) return static_cast<std::uint8_t>((red + green + blue + 1) / 3);
  if constexpr (kRule == LumaRule::kValue) return std::max({red, green, blue});
  constexpr LumaWeights kW = luma_weights(kRule);
  return static_cast<std::uint8_t>((kW.red * red + kW.green * green + kW.blue * blue + (1 << (kW.shift - 1))) >>
                                   kW.shift);
}

/// Calls `call` with the rule as a compile-time constant: call.template operator()<LumaRule::…>().
template <class Call>
decltype(auto) with_luma_rule(LumaRule rule, Call&& call) {
  switch (rule) {
    case LumaRule::kBt709:
      return call.template operator()<LumaRule::kBt709>();
    case LumaRule::kAverage:
      return call.template operator()<LumaRule::kAverage>();
    case LumaRule::kValue:
      return call.template operator()<LumaRule::kValue>();
    case LumaRule::kYcrcb14:
      return call.template operator()<LumaRule::kYcrcb14>();
    case LumaRule::kBt601:
      break;
  }
  return call.template operator()<LumaRule::kBt601>();
}

}  // namespace gpuhisto::count
