// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Any image, counted in every way there is on the CPU and by every method of the emulated devices, must give what one
// count after another gives.
#include "count/pixel_counter.hpp"
#include "fuzz/counting.hpp"

namespace gpuhisto::fuzz {
namespace {

bool same(const ImageHistogram& counted, const test::Bins& expected) {
  for (const Channel c : kChannels)
    if (counted[c] != expected[static_cast<std::size_t>(c)]) return false;
  return true;
}

/// Whole, in strips, with threads.
void check_cpu(const Image& image, const test::Bins& expected) {
  const ImageView view = image.view();
  for (const std::size_t rows : {view.height, std::size_t{3}, std::size_t{1}}) {
    const auto counter = make_cpu_histogrammer(view.channels, image.spec(), rows == 3 ? 3 : 1);
    for (std::size_t y = 0; y < view.height; y += rows)
      counter->count(view.rows(y, std::min(rows, view.height - y)), y);
    require(same(counter->finish(), expected), "the CPU counts exactly");
  }
}

/// With each split of pixels into planes, and tables that change often.
void check_splits(const Image& image, const test::Bins& expected, Choices& choices) {
  const ImageView view = image.view();
  count::PixelCounter::Settings settings;
  settings.channels = view.channels;
  settings.wanted = ChannelSet::of_image(view.channels);
  settings.luma = image.luma;
  settings.policy = {1 + choices.below(1000), choices.below(1000), 512u + choices.below(1000)};
  for (const auto split : {&count::split_portable, count::avx2_split()}) {
    if (!split) continue;
    settings.split = split;
    count::PixelCounter counter(settings);
    for (std::size_t y = 0; y < view.height; ++y) counter.add(view.row(y), view.width);
    ImageHistogram counted;
    counter.drain(counted);
    require(same(counted, expected), "each split and table counts exactly");
  }
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto::fuzz;
  Choices choices({data, size});
  const std::string policy = choose_policy(choices);
  const DeviceChoice device = choose_device(choices);
  const Image image(choices);
  const auto expected = image.oracle();
  check_cpu(image, expected);
  if (image.counts_all()) check_splits(image, expected, choices);
  for (const auto& method : exact_methods()) {
    const auto counted = count_on_device(image, device, method, policy);
    require(!counted || *counted == expected, (method + " counts exactly").c_str());
  }
  return 0;
}
