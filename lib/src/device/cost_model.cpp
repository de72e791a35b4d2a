// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/cost_model.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "gpuhisto/encoder.hpp"

namespace gpuhisto {
namespace {

std::optional<Coding> coding_of(const std::string& name) {
  const auto format = format_from_extension(name);
  if (format == Format::kJpeg) return Coding::kJpeg;
  if (format == Format::kPng) return Coding::kPng;
  if (format == Format::kBmp) return Coding::kBmp;
  if (format != Format::kPnm) return std::nullopt;
  const char kind = name[name.size() - 2];  // ".pgm" is gray, ".pnm" may be either
  return kind == 'g' || kind == 'G' ? Coding::kGrayPnm : Coding::kColorPnm;
}

}  // namespace

std::optional<Work> known_work(std::span<const std::string> names) {
  Work work;
  for (const auto& name : names) {
    std::error_code error;
    const auto coding = coding_of(name);
    if (!coding || !std::filesystem::is_regular_file(name, error)) continue;
    const auto bytes = std::filesystem::file_size(name, error);
    if (error) continue;
    ++work.files;
    work.bytes[static_cast<std::size_t>(*coding)] += static_cast<double>(bytes);
  }
  return work.files > 0 ? std::optional(work) : std::nullopt;
}

Estimate estimate(const Work& work, int threads, const CostRates& rates) {
  constexpr double kMega = 1e6, kGiga = 1e9;
  double decoding = 0, counting = 0, bytes = 0;  // seconds on one thread; bytes of decoded pixels
  for (std::size_t i = 0; i < kCodings; ++i) {
    const CostRates::File& file = rates.files[i];
    const double pixels = work.bytes[i] / file.bytes_per_pixel;
    decoding += pixels / (file.decode * kMega);
    counting += pixels / ((file.channels == 1 ? rates.count_gray : rates.count_color) * kMega);
    bytes += pixels * file.channels;
  }
  // As run_ordered() and stream_strips() share the threads out.
  const double at_once = std::clamp(static_cast<double>(work.files), 1.0, static_cast<double>(threads));
  const int others = static_cast<int>(threads / at_once) - 1;  // that help with each file
  const auto overlapped = [&](double consuming, int consumers) {
    if (others == 0) return (decoding + consuming) / at_once;
    return std::max(decoding, consuming / consumers) / at_once;
  };
  Estimate result;
  result.cpu = overlapped(counting, others);
  const double sending = bytes / (rates.pinned * kGiga) + static_cast<double>(work.files) * rates.image;
  double gpu = std::max(overlapped(sending, 1), bytes / kGiga / rates.transfer);
  if (work.equalizes) {
    // A piece is copied four times: out of the image, into pinned memory, and the same way back.
    result.cpu += bytes / (rates.map * kGiga) / threads;
    gpu += bytes / kGiga * (4 / rates.copy + 2 / rates.transfer + 1 / rates.device);
  }
  // While it starts, the CPU goes on.
  const double done = result.cpu > 0 ? std::min(1.0, rates.start / result.cpu) : 1;
  result.gpu = std::min(rates.start, result.cpu) + (1 - done) * gpu;
  return result;
}

}  // namespace gpuhisto
