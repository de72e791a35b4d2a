// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <utility>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

void on_device_alone(Device& device, Image& image, const ClaheOptions& options) {
  try {
    if (device.clahe(image.view(), image.view(), options)) return;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kUnsupported) throw Error(ErrorKind::kDevice, error.what());
    throw;
  }
  throw Error(ErrorKind::kDevice, "the device cannot hold the whole image");
}

}  // namespace

void clahe_on_device(Device& device, Image& image, const ClaheOptions& options,
                     const std::function<void(const std::string& why)>& on_lost) {
  if (!on_lost) return on_device_alone(device, image, options);
  try {
    Image mapped(image.width(), image.height(), image.channels());  // a device that fails spoils this one
    if (device.clahe(image.view(), mapped.view(), options)) {
      image = std::move(mapped);
      return;
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kDevice)
      on_lost(error.what());
    else if (error.kind() != ErrorKind::kUnsupported)
      throw;
  }
  clahe(image.view(), options);
}

}  // namespace gpuhisto
