// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "kernels/device_under_test.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

extern "C" const gpuhisto_plugin_table* gpuhisto_plugin(uint32_t abi_version);

namespace gpuhisto::test {
namespace {

constexpr std::uint8_t kPoison = 0xEE;
constexpr std::size_t kGuard = 64;  // poison behind the pixels

gpuhisto_plugin_entry* load(const char* path) {
  void* module = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    std::fprintf(stderr, "%s\n", ::dlerror());
    std::exit(2);
  }
  return reinterpret_cast<gpuhisto_plugin_entry*>(::dlsym(module, GPUHISTO_PLUGIN_ENTRY));
}

}  // namespace

bool emulated() { return std::getenv("GPUHISTO_TEST_MODULE") == nullptr; }

const gpuhisto_plugin_table* plugin_of_version(std::uint32_t abi_version) {
  static gpuhisto_plugin_entry* const entry = emulated() ? gpuhisto_plugin : load(std::getenv("GPUHISTO_TEST_MODULE"));
  return entry(abi_version);
}

const gpuhisto_plugin_table& plugin() {
  static const gpuhisto_plugin_table* table = plugin_of_version(GPUHISTO_PLUGIN_ABI);
  return *table;
}

Device::Device(int index) {
  if (plugin().open_device(index, &handle_) != GPUHISTO_OK) {
    std::fprintf(stderr, "device %d: %s\n", index, plugin().last_error());
    std::exit(2);
  }
}

OnDevice::OnDevice(const Device& device, const std::vector<std::uint8_t>& bytes, std::size_t offset)
    : device_(device), offset_(offset), size_(bytes.size()) {
  std::vector<std::uint8_t> padded(offset + size_ + kGuard, kPoison);
  std::copy(bytes.begin(), bytes.end(), padded.begin() + static_cast<std::ptrdiff_t>(offset));
  EXPECT_EQ(plugin().allocate(device.get(), padded.size(), &memory_), GPUHISTO_OK) << plugin().last_error();
  EXPECT_EQ(plugin().upload(device.get(), memory_, padded.data(), padded.size()), GPUHISTO_OK);
}

std::vector<std::uint8_t> OnDevice::fetch() const {
  std::vector<std::uint8_t> all(offset_ + size_ + kGuard);
  EXPECT_EQ(plugin().download(device_.get(), all.data(), memory_, all.size()), GPUHISTO_OK);
  for (std::size_t i = 0; i < offset_; ++i) EXPECT_EQ(all[i], kPoison) << "before the pixels";
  for (std::size_t i = offset_ + size_; i < all.size(); ++i) EXPECT_EQ(all[i], kPoison) << "behind the pixels";
  return {all.begin() + static_cast<std::ptrdiff_t>(offset_), all.end() - kGuard};
}

std::vector<MethodName> method_names() {
  gpuhisto_method_info infos[32] = {};
  for (auto& info : infos) info.size = sizeof info;
  std::uint32_t count = 0;
  EXPECT_EQ(plugin().list_methods(infos, 32, &count), GPUHISTO_OK);
  std::vector<MethodName> names;
  for (std::uint32_t i = 0; i < count; ++i) names.push_back({infos[i].name, infos[i].exact != 0});
  return names;
}

}  // namespace gpuhisto::test
