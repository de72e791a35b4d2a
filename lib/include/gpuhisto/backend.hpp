// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gpuhisto/clahe.hpp"
#include "gpuhisto/histogram.hpp"
#include "gpuhisto/tone.hpp"

namespace gpuhisto {

/// A device that a module offers.
struct DeviceInfo {
  std::string id;        ///< what --device takes: "gpu:0", "gpu:1", …, "emulated"
  std::string platform;  ///< "hip", "cuda", "emulated"
  std::string name;      ///< the maker's
  std::string module;    ///< the file that offers it, without ".so": "gpuhisto_cuda"
  int index = 0;         ///< within its module
  std::uint64_t memory_bytes = 0;
  unsigned multiprocessors = 0;
  unsigned wave_size = 0;          ///< threads that run in step: 32 or 64
  std::uint64_t shared_bytes = 0;  ///< shared memory that one block can have
};
/// Why a module offers none, or not one of its devices: it is not installed, the driver is missing, the GPU fails.
struct MissingDevices {
  std::string module;
  std::string reason;      ///< of a single device "ID: why"
  bool gpu_fails = false;  ///< a GPU, its driver or its module is there and does not work
};
/// What list_devices() found.
struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::vector<MissingDevices> missing;
};
/// "MODULE: REASON" of each installed module that does not load, all of them opened for it.
std::vector<std::string> modules_that_do_not_load();
/// Opens every device module, and each device for a moment. GPUs are numbered through: AMD's first, then NVIDIA's; one
/// that fails keeps its number.
DeviceList list_devices();

class DeviceQueue;

/// An open device. Calls from several threads wait for each other.
class Device {
 public:
  Device();
  virtual ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual const DeviceInfo& info() const = 0;  ///< as list_devices() tells it

  /// What to count, and how.
  struct CountRequest {
    ImageView image;                     ///< in host memory
    const std::uint8_t* mask = nullptr;  ///< a byte a pixel, rows of image.width; non-zero counts
    bool skip_transparent = false;       ///< pixels of alpha 0 do not count
    std::string method = "auto";         ///< or the name of a method that needs a GPU, of methods()
    std::string policy;                  ///< "key=value,…" over the method's own
  };
  /// Adds the counts to `histogram`, all of them or, if it throws, none. `luma` counts only when the channels hold it.
  /// Throws Error(kDevice) when the device fails, Error(kUsage) for an unknown method or policy, Error(kUnsupported)
  /// for a method or policy that it cannot run for pixels of this kind, with the limit named.
  virtual void count(const CountRequest& request, ChannelSet channels, LumaRule luma, ImageHistogram& histogram) = 0;

  /// Counts in the background that can be under way at a time; 0: this device has none, and the calls below do nothing.
  virtual unsigned lanes() const { return 0; }
  /// Memory that the device copies from at full speed; null when there is no more.
  virtual std::uint8_t* allocate_pinned(std::size_t) { return nullptr; }
  /// Gives back what allocate_pinned() gave.
  virtual void release_pinned(std::uint8_t*) {}
  /// What the images of one call have in common.
  struct CountFormat {
    int image_channels = 1;  ///< interleaved in a pixel
    ChannelSet channels;     ///< those wanted
    LumaRule luma = LumaRule::kBt601;
    bool skip_transparent = false;        ///< pixels of alpha 0 do not count
    std::string method = "auto", policy;  ///< as in CountRequest
    bool operator==(const CountFormat&) const = default;
  };
  /// One image of a call.
  struct Pixels {
    const std::uint8_t* data = nullptr;   ///< without gaps, in one piece of pinned memory with the others
    std::uint64_t count = 0;              ///< of pixels
    ImageHistogram* histogram = nullptr;  ///< the counts are added, by collect()
  };
  static constexpr std::size_t kMostImages = 256;  ///< of one start()
  /// Starts counting in an idle lane; memory and histograms must stay until collect(). False when device memory is
  /// short: count() takes smaller pieces. Throws as count() does; the lane is idle then.
  virtual bool start(unsigned, const CountFormat&, std::span<const Pixels>) { return false; }
  /// Waits for what was started; nothing else waits for it. Throws Error(kDevice); the lane is idle then, and its
  /// counts are lost.
  virtual void finish(unsigned) {}
  /// After finish(): adds the counts; throws for want of memory alone. The lane is idle then.
  virtual void collect(unsigned) {}

  /// What to map, and how.
  struct MapRequest {
    MutableImageView image;         ///< in host memory
    ToneMap map;                    ///< not kNone
    bool keep_transparent = false;  ///< pixels of alpha 0 keep their values
  };
  /// Maps the pixels in place; alpha stays. Byte-identical with the CPU. Throws Error(kDevice); the image is then
  /// spoilt.
  virtual void map(const MapRequest& request) = 0;

  /// clahe() from one image into another of its size, or in place. Byte-identical with the CPU. False, and nothing has
  /// changed, when the device cannot hold the image. Throws Error(kUnsupported) for tiles beyond what devices count, so
  /// too without a change, and Error(kDevice); `to` is then spoilt.
  virtual bool clahe(const ImageView& /*from*/, const MutableImageView& /*to*/, const ClaheOptions&) { return false; }

  /// What all histogrammers of this device share.
  DeviceQueue& queue();

 protected:
  /// To be called by the destructor of a class whose pinned memory is released with it.
  void close_queue();

 private:
  std::mutex queue_mutex_;
  std::unique_ptr<DeviceQueue> queue_;
};

/// Opens "gpu:N" or "emulated". Devices stay open until the program ends. Throws Error(kDevice) saying why not.
std::shared_ptr<Device> open_device(const std::string& id);

/// Opens a device on a thread of its own, so that the CPU can begin meanwhile. The thread may outlive this object.
class DeviceStart {
 public:
  /// Begins to open "gpu:N" or "emulated". Throws nothing about the device: see why_not().
  explicit DeviceStart(const std::string& id);
  /// Whether it is known by now if there is a device.
  bool ended() const;
  /// The device once it can count; null until then, and if it never can.
  std::shared_ptr<Device> device() const;
  /// Once ended: why there is none, or "".
  std::string why_not() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};
/// While one is, the program must not run its destructors: those of a GPU's runtime do not wait for its start.
bool a_device_is_starting();

/// What happens when the device fails amid an image.
enum class OnDeviceFailure {
  kThrow,   ///< Error(kDevice)
  kUseCpu,  ///< the CPU counts the rest, from what was not yet counted
};

/// Which device counts, and how.
struct DeviceCounting {
  std::shared_ptr<Device> device;
  std::string method = "auto";
  std::string policy;
  OnDeviceFailure on_failure = OnDeviceFailure::kThrow;
  /// Told at the end of an image that the CPU had to finish; may be empty.
  std::function<void(const std::string& why)> on_lost;
};
/// Counts on a device, in the background: pixels are gathered in pieces of some megabytes, small images together, so
/// that copy and launch are worth their cost. What it throws about the device may come as late as finish().
std::unique_ptr<Histogrammer> make_device_histogrammer(int channels, const CountSpec& spec,
                                                       const DeviceCounting& counting);

/// apply_tone_map() on a device; equal to it byte for byte. Where a rectangle or a mask chooses the pixels that change,
/// the CPU maps. With `on_lost`, should the device fail, it is told why and the CPU maps the rest.
void apply_tone_map_on_device(Device& device, const MutableImageView& image, const ToneMap& map,
                              const PixelPredicate& predicate, int threads,
                              const std::function<void(const std::string& why)>& on_lost = {});

/// clahe() on a device; equal to it byte for byte. Without `on_lost`, throws Error(kDevice) when the device fails or
/// cannot hold the image, or it is beyond what devices do. With it the CPU maps then, and of a failure it is told why;
/// a second image is held meanwhile.
void clahe_on_device(Device& device, Image& image, const ClaheOptions& options,
                     const std::function<void(const std::string& why)>& on_lost = {});

}  // namespace gpuhisto
