// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// CLAHE of any image, grid and limit: every CPU kernel, any number of threads and both emulated devices give what the
// plain definition gives, and touch nothing else.
#include "device/module_device.hpp"
#include "emulated/config.hpp"
#include "fuzz/fuzz.hpp"
#include "gpuhisto/backend.hpp"
#include "kernels/plugin.h"
#include "ops/clahe_map.hpp"
#include "ops/clahe_oracle.hpp"

extern "C" const gpuhisto_plugin_table* gpuhisto_plugin(std::uint32_t abi_version);

namespace gpuhisto::fuzz {
namespace {

ClaheOptions choose_options(Choices& choices) {
  constexpr double kClips[] = {2, 0, 0.01, 1, 3.5, 40, 255.9, 1e300};
  ClaheOptions options;
  options.clip_limit = kClips[choices.below(std::size(kClips))];
  options.tiles_across = 1 + choices.below(12);
  options.tiles_down = 1 + choices.below(12);
  options.threads = 1 + static_cast<int>(choices.below(4));
  return options;
}

test::PaddedImage choose_image(Choices& choices) {
  const unsigned shape = choices.below(3);
  const std::size_t width = 1 + choices.below(shape == 0 ? 60u : shape == 1 ? 700u : 6u);
  const std::size_t height = 1 + choices.below(shape == 0 ? 60u : shape == 1 ? 5u : 700u);
  const int channels = 1 + static_cast<int>(choices.below(4));
  const std::size_t offset = choices.below(64), padding = choices.below(9);
  test::PaddedImage image(width, height, channels, offset, padding);
  const Bytes rest = choices.rest();
  for (std::size_t i = 0; i < image.buffer.size(); ++i)
    image.buffer[i] = rest.empty() ? static_cast<std::uint8_t>(i / 3) : rest[i % rest.size()];
  return image;
}

Device& device_of(int index) {
  static const std::shared_ptr<Device> devices[] = {make_module_device(*gpuhisto_plugin(GPUHISTO_PLUGIN_ABI), {}),
                                                    make_module_device(*gpuhisto_plugin(GPUHISTO_PLUGIN_ABI), [] {
                                                      DeviceInfo info;
                                                      info.index = 1;
                                                      return info;
                                                    }())};
  return *devices[index];
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto;
  using namespace gpuhisto::fuzz;
  Choices choices({data, size});
  const int index = static_cast<int>(choices.below(emulated::kDevices));
  emulated::device_config(index).order = static_cast<emulated::LaneOrder>(choices.below(3));
  const ClaheOptions options = choose_options(choices);
  const test::PaddedImage image = choose_image(choices);
  test::PaddedImage expected = image;
  test::slow_clahe(expected.view, options);
  for (const ops::Kernels& kernels : ops::kernels()) {
    test::PaddedImage mapped = image;
    ops::clahe(mapped.view, options, kernels);
    require(mapped.buffer == expected.buffer, "every kernel of the CPU gives what is defined");
  }
  test::PaddedImage mapped = image;
  require(device_of(index).clahe(image.view, mapped.view, options), "a device holds a small image");
  require(mapped.buffer == expected.buffer, "a device gives what is defined");
  require(emulated::take_faults().empty(), "kernels do nothing that a device forbids");
  return 0;
}
