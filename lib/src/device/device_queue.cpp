// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "device/device_queue.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace gpuhisto {
namespace {

// How long a small image may wait for company, when its result is wanted: less than anyone notices, enough for the
// thumbnails of a millisecond to share a launch.
constexpr std::chrono::microseconds kLinger{300};
constexpr std::size_t kAlign = 128;  // of images in a piece

std::size_t rounded(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

ImageView view_of(const Device::Pixels& pixels, const Device::CountFormat& format) {
  const auto width = static_cast<std::size_t>(pixels.count);
  return {pixels.data, width, 1, format.image_channels, width * static_cast<std::size_t>(format.image_channels)};
}

void count_on_cpu(const Device::Pixels& pixels, const Device::CountFormat& format) {
  CountSpec spec;
  spec.channels = format.channels;
  spec.luma = format.luma;
  spec.predicate.skip_transparent = format.skip_transparent;
  pixels.histogram->add(count_image(view_of(pixels, format), spec, 1));
}

/// What was thrown, if it tells that the device failed.
std::optional<Error> device_failure(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kDevice) return error;
  } catch (...) {
  }
  return std::nullopt;
}

}  // namespace

DeviceQueue::DeviceQueue(Device& device) : device_(device) {
  flights_.reserve(device.lanes());
  for (unsigned lane = 0; lane < device.lanes(); ++lane) idle_.push_back(lane);
}

DeviceQueue::~DeviceQueue() {
  for (const auto& piece : pieces_) {
    if (piece->pinned)
      device_.release_pinned(piece->data);
    else
      delete[] piece->data;
  }
}

DeviceQueue::Piece& DeviceQueue::acquire() {
  Lock lock(mutex_);
  return free_piece(lock);
}

void DeviceQueue::give_back(Piece& piece) {
  std::lock_guard lock(mutex_);
  piece.used = 0;
  free_.push_back(&piece);
}

/// With all lanes at work, there are enough pieces under way: the oldest one's is waited for. So there are never more
/// than lanes, formats and callers.
DeviceQueue::Piece& DeviceQueue::free_piece(Lock& lock) {
  if (free_.empty() && idle_.empty() && !flights_.empty()) finish_oldest(lock);
  if (free_.empty()) {
    auto piece = std::make_unique<Piece>();
    const std::size_t all = pieces_.size() + 1;
    for (auto* list : {&free_, &gathering_}) list->reserve(all);
    pieces_.reserve(all);
    piece->data = lost_ ? nullptr : device_.allocate_pinned(kPieceBytes);
    piece->pinned = piece->data != nullptr;
    if (!piece->pinned) piece->data = new std::uint8_t[kPieceBytes];
    pieces_.push_back(std::move(piece));
    return *pieces_.back();
  }
  Piece& piece = *free_.back();
  free_.pop_back();
  return piece;
}

void DeviceQueue::submit(Piece& piece, const ImagePointer& image) {
  Lock lock(mutex_);
  piece.format = image->format;
  piece.parts.push_back({image, 0, piece.used / static_cast<std::size_t>(image->format.image_channels)});
  ++image->pieces;
  send(piece, lock);
}

void DeviceQueue::gather(const ImagePointer& image, const std::uint8_t* data, std::uint64_t pixels) {
  const std::size_t bytes = static_cast<std::size_t>(pixels) * static_cast<std::size_t>(image->format.image_channels);
  Lock lock(mutex_);
  Piece& piece = gathering(image->format, bytes, lock);
  const std::size_t at = piece.used;
  piece.parts.push_back({image, at, pixels});
  piece.used += rounded(bytes);
  ++image->pieces;
  image->gathered_in = &piece;
  ++piece.writers;
  lock.unlock();
  std::memcpy(piece.data + at, data, bytes);
  lock.lock();
  if (--piece.writers == 0 && piece.leaves)
    changed_.notify_all();  // waking somebody for each image costs more than counting
}

/// The piece for images of that format, with room for one more.
DeviceQueue::Piece& DeviceQueue::gathering(const Device::CountFormat& format, std::size_t bytes, Lock& lock) {
  const auto find = [&] {
    return std::find_if(gathering_.begin(), gathering_.end(), [&](const Piece* p) { return p->format == format; });
  };
  if (const auto known = find(); known != gathering_.end()) {
    Piece& piece = **known;
    if (piece.parts.size() < Device::kMostImages && piece.used + bytes <= kPieceBytes) return piece;
    send(piece, lock);
  }
  Piece& fresh = free_piece(lock);
  if (const auto known = find(); known != gathering_.end()) {  // somebody was quicker
    free_.push_back(&fresh);
    return gathering(format, bytes, lock);
  }
  try {
    fresh.format = format;
  } catch (...) {
    free_.push_back(&fresh);
    throw;
  }
  gathering_.push_back(&fresh);
  return fresh;
}

void DeviceQueue::wait(Image& image) {
  Lock lock(mutex_);
  const auto on_its_way = [&] { return !image.gathered_in; };
  if (!on_its_way() && !changed_.wait_for(lock, kLinger, on_its_way)) {
    const auto piece = std::find(gathering_.begin(), gathering_.end(), image.gathered_in);
    if (piece != gathering_.end()) send(**piece, lock);
  }
  while (image.pieces > 0) {
    if (flights_.empty())
      changed_.wait(lock);  // somebody else sees to it
    else
      finish_oldest(lock);
  }
  if (image.error) std::rethrow_exception(image.error);
}

/// Puts the piece into a lane, or counts it here and now where that cannot be.
void DeviceQueue::send(Piece& piece, Lock& lock) {
  std::erase(gathering_, &piece);  // from here on nobody begins to write
  piece.leaves = true;
  changed_.wait(lock, [&] { return piece.writers == 0; });
  piece.leaves = false;
  for (const auto& part : piece.parts) part.image->gathered_in = nullptr;
  bool under_way = false;
  try {
    piece.pixels.clear();
    for (const auto& part : piece.parts)
      piece.pixels.push_back({piece.data + part.at, part.pixels, &part.image->counts});
    under_way = start(piece, lock);
    if (!under_way) count_at_once(piece);
  } catch (...) {
    fail(piece, std::current_exception());
  }
  if (!under_way) settle(piece);
  changed_.notify_all();
}

/// False when the device has no lanes, or too little memory for the piece.
bool DeviceQueue::start(Piece& piece, Lock& lock) {
  if (!piece.pinned) return false;
  while (idle_.empty() && !lost_) {
    if (flights_.empty())
      changed_.wait(lock);
    else
      finish_oldest(lock);
  }
  if (lost_) return false;
  const unsigned lane = idle_.back();
  if (!device_.start(lane, piece.format, piece.pixels)) return false;
  idle_.pop_back();
  flights_.push_back({lane, &piece});
  return true;
}

void DeviceQueue::finish_oldest(Lock& lock) {
  const Flight flight = flights_.front();
  flights_.erase(flights_.begin());
  std::exception_ptr failure;
  lock.unlock();
  try {
    device_.finish(flight.lane);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  try {
    if (!failure) device_.collect(flight.lane);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) fail(*flight.piece, failure);
  idle_.push_back(flight.lane);
  settle(*flight.piece);
  changed_.notify_all();
}

void DeviceQueue::count_at_once(Piece& piece) {
  if (lost_) throw Error(*lost_);
  const Device::CountFormat& format = piece.format;
  for (auto& pixels : piece.pixels) {
    device_.count({.image = view_of(pixels, format),
                   .skip_transparent = format.skip_transparent,
                   .method = format.method,
                   .policy = format.policy},
                  format.channels, format.luma, *pixels.histogram);
    pixels.count = 0;  // need not be counted again should the device fail now
  }
}

/// Nothing of the piece is counted, but for what has no pixels any more: the CPU does it, or the images have an error.
void DeviceQueue::fail(Piece& piece, const std::exception_ptr& thrown) {
  const auto device = device_failure(thrown);
  if (device) lost_ = device;
  for (std::size_t i = 0; i < piece.parts.size(); ++i) {
    Image& image = *piece.parts[i].image;
    if (!device || image.on_failure == OnDeviceFailure::kThrow) {
      image.error = thrown;
      continue;
    }
    if (piece.pixels[i].count == 0) continue;
    try {
      image.lost = device->what();
      count_on_cpu(piece.pixels[i], piece.format);
    } catch (...) {
      image.error = std::current_exception();
    }
  }
}

/// The piece is done with.
void DeviceQueue::settle(Piece& piece) {
  for (const auto& part : piece.parts) --part.image->pieces;
  piece.parts.clear();
  piece.used = 0;
  free_.push_back(&piece);
}

Device::Device() = default;
Device::~Device() = default;

DeviceQueue& Device::queue() {
  const std::lock_guard lock(queue_mutex_);  // std::call_once ends the program where memory is short
  if (!queue_) queue_ = std::make_unique<DeviceQueue>(*this);
  return *queue_;
}

void Device::close_queue() { queue_.reset(); }

}  // namespace gpuhisto
