// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Counts an image that lies in memory, once as pixels and once as a file, and lists the modules in a folder.
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/histogram.hpp"
#include "gpuhisto/module.hpp"
#include "gpuhisto/pipeline.hpp"
#include "gpuhisto/statistics.hpp"

int main() {
  const std::vector<std::uint8_t> pixels = {10, 20, 20, 250};
  const gpuhisto::ImageHistogram counts = gpuhisto::count_image({pixels.data(), 2, 2, 1, 2}, {}, 1);
  const auto& luma = counts[gpuhisto::Channel::kLuma];
  std::printf("pixels %d, of value 20: %d, mean %g\n", static_cast<int>(counts.pixels), static_cast<int>(luma[20]),
              gpuhisto::compute_statistics(luma, {}).mean.value());

  const std::string file = "P6 1 1 255\n\xff\x80\x01";
  const auto source = gpuhisto::open_memory({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
  const auto decoder = gpuhisto::open_decoder(*source, {});
  const auto of_file = gpuhisto::count_rows(*decoder, {}, 1);
  std::printf("%s, green 128: %d\n", std::string(gpuhisto::format_name(decoder->info().format)).c_str(),
              static_cast<int>(of_file[gpuhisto::Channel::kGreen][128]));

  gpuhisto::set_module_path({MODULE_DIR});
  std::printf("modules:");
  for (const auto& name : gpuhisto::installed_modules()) std::printf(" %s", name.c_str());
  std::printf("\n");
}
