// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The way of pixels to a device. Each histogrammer fills pieces of pinned memory; full ones are copied and counted in
// the device's lanes, while others are filled. Small images, of whatever histogrammers, share a piece: one copy, one
// launch. There is no thread behind it: whoever needs a free piece or a result sees to the oldest count that is under
// way.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {

class DeviceQueue {
 public:
  static constexpr std::size_t kPieceBytes = std::size_t{4} << 20;  // copies of this size reach the full rate
  static constexpr std::size_t kSmallBytes = std::size_t{256}
                                             << 10;  // images that share a piece are this large at most

  explicit DeviceQueue(Device& device);
  ~DeviceQueue();

  /// An image that is being counted. Its owner may read it after wait().
  struct Image {
    Device::CountFormat format;
    OnDeviceFailure on_failure = OnDeviceFailure::kThrow;
    ImageHistogram counts;
    std::exception_ptr error;
    std::optional<std::string> lost;  ///< the device was, and the CPU counted; why
    unsigned pieces = 0;              ///< not yet counted
    const void* gathered_in = nullptr;
  };
  using ImagePointer = std::shared_ptr<Image>;

  /// Memory to fill.
  struct Piece {
    std::uint8_t* data = nullptr;
    bool pinned = false;
    std::size_t used = 0;
    Device::CountFormat format;
    struct Part {
      ImagePointer image;
      std::size_t at = 0;
      std::uint64_t pixels = 0;
    };
    std::vector<Part> parts;
    int writers = 0;                     ///< that copy into it
    bool leaves = false;                 ///< once they are done
    std::vector<Device::Pixels> pixels;  ///< of the parts, while they are counted
  };

  /// A piece for the caller alone, to be given to submit() or give_back(). Callers hold one at a time.
  Piece& acquire();
  void give_back(Piece& piece);
  /// Counts piece.used bytes of one image. If it throws, for want of memory, the piece is still the caller's.
  void submit(Piece& piece, const ImagePointer& image);
  /// Copies a whole small image and counts it together with others.
  void gather(const ImagePointer& image, const std::uint8_t* data, std::uint64_t pixels);
  /// Until the image is counted. Throws what its counting threw.
  void wait(Image& image);

 private:
  struct Flight {
    unsigned lane = 0;
    Piece* piece = nullptr;
  };
  using Lock = std::unique_lock<std::mutex>;

  // All with the lock held; those that take it may let go of it meanwhile. What a piece's way throws goes to its
  // images, whoever they belong to: send(), finish_oldest(), fail() and settle() throw nothing.
  Piece& free_piece(Lock& lock);
  Piece& gathering(const Device::CountFormat& format, std::size_t bytes, Lock& lock);
  void send(Piece& piece, Lock& lock);
  bool start(Piece& piece, Lock& lock);
  void finish_oldest(Lock& lock);
  void count_at_once(Piece& piece);
  void fail(Piece& piece, const std::exception_ptr& thrown);
  void settle(Piece& piece);

  Device& device_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Piece>> pieces_;
  // These have room for all there are, so that nothing gets lost between them.
  std::vector<Piece*> free_;
  std::vector<Piece*> gathering_;  ///< pieces that small images are put into, one a format
  std::vector<Flight> flights_;    ///< the oldest first, without those that somebody waits for
  std::vector<unsigned> idle_;     ///< lanes
  std::optional<Error> lost_;
};

}  // namespace gpuhisto
