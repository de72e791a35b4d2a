// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Sentences about results that all reports share.
#include "bench/wording.hpp"

#include <algorithm>

#include "report/text_style.hpp"

namespace gpuhisto::bench {
namespace {

const char* channels_word(const Shape& shape) {
  if (shape.channels == 1) return "gray";
  if (shape.channels == 2) return "gray + alpha";
  if (shape.channels == 3) return shape.luma ? "RGB + luma" : "RGB";
  return shape.luma ? "RGBA + luma" : "RGBA";
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {" B", " KiB", " MiB", " GiB", " TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) value /= 1024;
  const bool whole = value >= 100 || value == static_cast<double>(static_cast<std::uint64_t>(value));
  return fixed(value, whole ? 0 : 1) + kUnits[unit];
}

std::string describe_input(const Group& group) {
  const Shape& shape = group.shape;
  std::string text = group.input.name + ", ";
  if (shape.keys == Keys::kU32)
    return text + std::to_string(shape.pixels()) + " 32-bit keys, " + std::to_string(shape.bins) +
           (shape.bins == 1 ? " bin" : " bins") + (shape.map == BinMap::kModulo ? " by modulo" : "") + " (" +
           bytes_text(shape.bytes()) + ")";
  if (shape.images != 1) text += std::to_string(shape.images) + " images of ";
  if (shape.images != 1 || shape.height != 1)
    text += std::to_string(shape.width) + " x " + std::to_string(shape.height) + " ";
  else
    text += std::to_string(shape.width) + " ";
  return text + channels_word(shape) + (shape.height == 1 && shape.width == 1 ? " pixel" : " pixels") + " (" +
         bytes_text(shape.bytes()) + ")";
}

std::string name_of(const Line& line) {
  if (line.method == "cpu") return "cpu, " + line.kernel;
  return line.method + (line.policy.empty() ? "" : " " + line.policy);
}

std::string describe_mismatch(const Line& line) {
  const Verification& check = line.verification;
  if (!check.first) return "";
  const Mismatch& at = *check.first;
  std::string where = "bin " + std::to_string(at.bin);
  if (at.channel) where += " of " + std::string(channel_name(*at.channel));
  if (at.image > 0) where += " of image " + std::to_string(at.image);
  return name_of(line) + ": " + where + " has " + std::to_string(at.got) + " instead of " +
         std::to_string(at.expected) + " (wrong in " + std::to_string(check.wrong) + " of " +
         std::to_string(check.rounds) + " rounds)";
}

std::vector<std::string> warnings(const Group& group) {
  std::string noisy;
  for (const Line& line : group.lines)
    if (line.kind == LineKind::kMethod && line.noisy()) noisy += (noisy.empty() ? "" : "; ") + name_of(line);
  if (noisy.empty()) return {};
  return {"rounds differ by more than " + std::to_string(static_cast<int>(kNoisySpread * 100)) + " % (" + noisy +
          "): let the machine do nothing else, take more --pixels, or --min-time 5"};
}

}  // namespace gpuhisto::bench
