// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

std::atomic<int> starting{0};

/// Opened, and its kernels loaded, by a count of one pixel.
std::shared_ptr<Device> warm_device(const std::string& id) {
  auto device = open_device(id);
  const std::uint8_t pixel = 0;
  ImageHistogram unused;
  Device::CountRequest request;
  request.image = {&pixel, 1, 1, 1, 1};
  device->count(request, ChannelSet::all(), LumaRule::kBt601, unused);
  return device;
}

}  // namespace

struct DeviceStart::State {
  std::mutex mutex;
  std::shared_ptr<Device> device;
  std::exception_ptr failure;  // its text is made by whoever asks: that can throw
  std::atomic<bool> ended{false};
};

DeviceStart::DeviceStart(const std::string& id) : state_(std::make_shared<State>()) {
  const auto run = [id, state = state_] {
    std::shared_ptr<Device> device;
    std::exception_ptr failure;
    try {
      device = warm_device(id);
    } catch (...) {
      failure = std::current_exception();
    }
    {
      std::lock_guard lock(state->mutex);
      state->device = std::move(device);
      state->failure = failure;
    }
    state->ended = true;
    --starting;
  };
  ++starting;
  try {
    std::thread(run).detach();
  } catch (...) {  // a limit on threads, or no memory for one: the CPU does it all
    state_->failure = std::current_exception();
    state_->ended = true;
    --starting;
  }
}

bool DeviceStart::ended() const { return state_->ended; }

std::shared_ptr<Device> DeviceStart::device() const {
  if (!ended()) return nullptr;
  std::lock_guard lock(state_->mutex);
  return state_->device;
}

std::string DeviceStart::why_not() const {
  std::lock_guard lock(state_->mutex);
  if (!state_->failure) return "";
  try {
    std::rethrow_exception(state_->failure);
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

bool a_device_is_starting() { return starting > 0; }

}  // namespace gpuhisto
