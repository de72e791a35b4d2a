// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The device that the kernel tests run on: the emulated one that they are linked with, or, if GPUHISTO_TEST_MODULE
// names a module, the first device of that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin.h"

namespace gpuhisto::test {

/// The table of functions. Ends the program with a message if the module does not load.
const gpuhisto_plugin_table& plugin();
/// What the module's entry gives for a version of the interface; null when it does not know it.
const gpuhisto_plugin_table* plugin_of_version(std::uint32_t abi_version);
/// True for the linked-in emulation, whose configuration tests may change.
bool emulated();

/// An open device.
class Device {
 public:
  explicit Device(int index = 0);
  ~Device() { plugin().close_device(handle_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  gpuhisto_device* get() const { return handle_; }

 private:
  gpuhisto_device* handle_ = nullptr;
};

/// Device memory that holds a copy of bytes, `offset` bytes past an allocation's start.
class OnDevice {
 public:
  OnDevice(const Device& device, const std::vector<std::uint8_t>& bytes, std::size_t offset);
  ~OnDevice() { plugin().release(device_.get(), memory_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  std::uint8_t* data() const { return static_cast<std::uint8_t*>(memory_) + offset_; }
  std::vector<std::uint8_t> fetch() const;

 private:
  const Device& device_;
  std::size_t offset_, size_;
  void* memory_ = nullptr;
};

struct MethodName {
  std::string name;
  bool exact;
};
std::vector<MethodName> method_names();

}  // namespace gpuhisto::test
