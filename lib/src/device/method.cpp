// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/method.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <vector>

#include "device/unknown.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr MethodInfo kMethods[] = {
    {"auto", "the fastest for this input and machine", false},
    {"cpu", "fork/join over rows on the CPU", false},
#define GPUHISTO_METHOD(function, name, summary) {name, summary, true},
#define GPUHISTO_INEXACT_METHOD(function, name, summary)  // only measurements know it
#include "kernels/methods/methods.def"
#undef GPUHISTO_METHOD
#undef GPUHISTO_INEXACT_METHOD
};

constexpr std::array<std::string_view, 4> kDevices = {"auto", "cpu", "gpu", "emulated"};

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

void throw_unknown(const std::string& what, const std::string& text, std::span<const std::string_view> names) {
  const auto near = nearest(text, names);
  std::string list;
  for (const auto name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  throw Error(ErrorKind::kUsage,
              "unknown " + what + " '" + text + "'; " +
                  (near.empty() ? "known are " + list : "did you mean '" + std::string(near) + "'?"));
}

std::span<const MethodInfo> methods() { return kMethods; }

std::string_view nearest(std::string_view word, std::span<const std::string_view> names) {
  std::string_view best;
  // More than a third of the letters wrong is another word.
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

DeviceRequest parse_device(const std::string& text) {
  if (text == "auto") return {DeviceKind::kAuto, -1};
  if (text == "cpu") return {DeviceKind::kCpu, -1};
  if (text == "gpu") return {DeviceKind::kGpu, -1};
  if (text == "emulated") return {DeviceKind::kEmulated, -1};
  if (text.starts_with("gpu:")) {
    int index = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + 4, end, index);
    if (error == std::errc{} && rest == end && index >= 0) return {DeviceKind::kGpu, index};
    throw Error(ErrorKind::kUsage, "'" + text + "' is no device: gpu:N takes a number from 0 on");
  }
  throw_unknown("device", text, kDevices);
}

const MethodInfo& parse_method(const std::string& text) {
  for (const auto& method : kMethods)
    if (method.name == text) return method;
  std::vector<std::string_view> names;
  for (const auto& method : kMethods) names.push_back(method.name);
  throw_unknown("method", text, names);
}

std::string counting_method(const std::string& method, const PixelPredicate& predicate, int channels) {
  const bool sieved = predicate.skip_transparent && has_alpha(channels);
  return predicate.mask || (sieved && method == "vendor") ? "per-block" : method;
}

}  // namespace gpuhisto
