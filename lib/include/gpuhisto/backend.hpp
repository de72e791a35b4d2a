// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpuhisto/equalize.hpp"
#include "gpuhisto/histogram.hpp"

namespace gpuhisto {

/// A device that a module offers.
struct DeviceInfo {
  std::string id;        ///< what --device takes: "gpu:0", "gpu:1", …, "emulated"
  std::string platform;  ///< "hip", "cuda", "emulated"
  std::string name;      ///< the maker's
  std::string module;
  int index = 0;  ///< within its module
  std::uint64_t memory_bytes = 0;
  unsigned multiprocessors = 0;
  unsigned wave_size = 0;
  std::uint64_t shared_bytes = 0;  ///< shared memory that one block can have
};
/// Why a module offers none: it is not installed, the driver is missing, there is no such device.
struct MissingDevices {
  std::string module;
  std::string reason;
};
struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::vector<MissingDevices> missing;
};
/// Opens every device module. GPUs are numbered through: AMD's first, then NVIDIA's.
DeviceList list_devices();

/// An open device. Calls from several threads wait for each other.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;

  /// What to count, and how.
  struct CountRequest {
    ImageView image;                     ///< in host memory
    const std::uint8_t* mask = nullptr;  ///< a byte a pixel, rows of image.width; non-zero counts
    bool skip_transparent = false;
    std::string method = "auto";
    std::string policy;  ///< "key=value,…" over the method's own
  };
  /// Adds the counts to `histogram`, all of them or, if it throws, none. `luma` counts only when the channels hold it.
  /// Throws Error(kDevice) when the device fails, Error(kUsage) for an unknown method or policy and for a policy that
  /// the device cannot run, Error(kUnsupported) for a method that it cannot; both with the limit named.
  virtual void count(const CountRequest& request, ChannelSet channels, LumaRule luma, ImageHistogram& histogram) = 0;

  enum class Map {
    kOne,        ///< tables[0] for every colour channel
    kEach,       ///< tables[c] for colour channel c
    kYcrcbLuma,  ///< tables[0] for Y of the 14-bit YCrCb
  };
  /// Maps the pixels in place; alpha stays, and with `keep_transparent` so do pixels of alpha 0. Byte-identical with
  /// the CPU. Throws Error(kDevice); the image is then spoilt.
  struct MapRequest {
    MutableImageView image;
    Map map = Map::kOne;
    bool keep_transparent = false;
    std::array<Lut, 3> tables{};
  };
  virtual void map(const MapRequest& request) = 0;
};

/// Opens "gpu:N" or "emulated". Devices stay open until the program ends. Throws Error(kDevice) saying why not.
std::shared_ptr<Device> open_device(const std::string& id);

/// What happens when the device fails amid an image.
enum class OnDeviceFailure {
  kThrow,   ///< Error(kDevice)
  kUseCpu,  ///< the CPU counts the rest, from what was not yet counted
};

/// Counts on a device. Rows are gathered into pieces of some megabytes, so that a launch is worth its cost.
struct DeviceCounting {
  std::shared_ptr<Device> device;
  std::string method = "auto";
  std::string policy;
  OnDeviceFailure on_failure = OnDeviceFailure::kThrow;
  std::function<void(const std::string& why)> on_lost;  ///< told once, when the CPU takes over; may be empty
};
std::unique_ptr<Histogrammer> make_device_histogrammer(int channels, const CountSpec& spec,
                                                       const DeviceCounting& counting);

/// equalize() with counting and mapping on a device; equal to it byte for byte.
ImageHistogram equalize_on_device(Device& device, const MutableImageView& image, const EqualizeOptions& options);
/// Its second half: the mapping, by counts made elsewhere. Where a rectangle or a mask chooses the pixels that change,
/// the CPU maps. With `on_lost`, should the device fail, it is told why and the CPU maps the rest.
void apply_equalization_on_device(Device& device, const MutableImageView& image, const ImageHistogram& counts,
                                  const EqualizeOptions& options,
                                  const std::function<void(const std::string& why)>& on_lost = {});

}  // namespace gpuhisto
