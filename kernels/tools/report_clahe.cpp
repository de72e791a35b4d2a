// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <cstdio>
#include <string>

#include "tools/report_keys.hpp"
#include "tools/scalar_maps.hpp"

namespace gpuhisto::report {
namespace {

struct Image {
  unsigned channels;
  std::uint64_t width, height;
  std::uint32_t tiles;  ///< in each direction
};

/// With the tiles as OpenCV makes them, and its limit of 2.
gpuhisto_apply request_for(const gpuhisto_apply_strip& strip, const Image& image) {
  gpuhisto_apply request = apply_request(strip, image.channels);
  request.kind = GPUHISTO_APPLY_TILES;
  request.tiles_across = request.tiles_down = image.tiles;
  const bool divisible = image.width % image.tiles == 0 && image.height % image.tiles == 0;
  request.tile_width = image.width / image.tiles + (divisible ? 0 : 1);
  request.tile_height = image.height / image.tiles + (divisible ? 0 : 1);
  request.bin_limit = std::max<std::uint64_t>(1, 2 * request.tile_width * request.tile_height / 256);
  return request;
}

bool report_one(ReportDevice& device, const Image& image) {
  const std::uint64_t bytes = image.width * image.height * image.channels, row = image.width * image.channels;
  const gpuhisto_apply_strip strip = {device.image(), device.mapped(), image.width, image.height, row, row};
  const gpuhisto_apply request = request_for(strip, image);
  gpuhisto_measure measured = {};
  measured.what = GPUHISTO_MEASURE_APPLY;
  measured.apply = &request;
  const gpuhisto_plugin_table& table = device.table();
  const Timing timing = device.measure(measured);
  if (!timing.note.empty()) stop(timing.note);
  const double copy = device.time_copy(bytes);
  // The copy has overwritten the result.
  if (table.apply(device.handle(), &request) != GPUHISTO_OK) stop(table.last_error());
  std::vector<std::uint8_t> result(bytes);
  if (table.download(device.handle(), result.data(), device.mapped(), bytes) != GPUHISTO_OK) stop(table.last_error());
  const bool exact = result == scalar_clahe(device.host().data(), request);
  const std::string size = std::to_string(image.width) + " x " + std::to_string(image.height);
  const std::string tiles = std::to_string(image.tiles) + " x " + std::to_string(image.tiles);
  const std::string what = std::string("CLAHE of ") + (image.channels == 1 ? "gray " : "RGB ") + size + ", " + tiles;
  std::printf("  %-58s %7.1f GB/s %5.1f %%%s (second kernel %.1f %%)\n", (what + " tiles").c_str(),
              2e-9 * static_cast<double>(bytes) / timing.seconds, 100 * copy / timing.seconds, exact ? "" : " WRONG",
              100 * static_cast<double>(timing.second_kernel));
  return exact;
}

}  // namespace

bool report_clahe(ReportDevice& device) {
  bool all_right = true;
  for (const char* pattern : {"uniform", "constant", "photo"}) {
    device.fill(pattern);
    std::printf("CLAHE, %s: bytes read and written, share of a copy; the second kernel maps\n", pattern);
    for (const Image& image :
         {Image{1, 10000, 10000, 8}, Image{1, 11584, 8640, 8}, Image{1, 10001, 9999, 8}, Image{1, 10000, 10000, 32},
          Image{1, 10000, 10000, 64}, Image{1, 4032, 3024, 8}, Image{3, 10000, 10000, 8}, Image{3, 4032, 3024, 8}})
      all_right = report_one(device, image) && all_right;
  }
  return all_right;
}

}  // namespace gpuhisto::report
