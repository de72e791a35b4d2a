// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "available_memory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

namespace gpuhisto::app {
namespace {

/// A system's files, as far as they tell of memory.
class AvailableMemory : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "/memoryXXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = root_ + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::optional<std::uint64_t> available() const { return available_memory(root_); }

  std::string root_;
};

TEST_F(AvailableMemory, IsThatOfTheMachineWithoutGroups) {
  EXPECT_EQ(available(), std::nullopt);
  write("/proc/meminfo", "MemTotal:  1000 kB\nMemAvailable:   700 kB\nBuffers: 9 kB\n");
  EXPECT_EQ(available(), 700u * 1024);
  write("/proc/self/cgroup", "0::/a/b\n");
  EXPECT_EQ(available(), 700u * 1024);
}

TEST_F(AvailableMemory, IsTheLeastThatAGroupOrOneAboveItLeaves) {
  write("/proc/meminfo", "MemAvailable:   1000000 kB\n");
  write("/proc/self/cgroup", "0::/pod/container\n");
  write("/sys/fs/cgroup/pod/container/memory.max", "max\n");
  write("/sys/fs/cgroup/pod/container/memory.current", "1000\n");
  EXPECT_EQ(available(), 1'024'000'000u);
  write("/sys/fs/cgroup/pod/memory.max", "500000\n");
  write("/sys/fs/cgroup/pod/memory.current", "300000\n");
  EXPECT_EQ(available(), 200'000u);
  write("/sys/fs/cgroup/pod/memory.stat", "anon 1\ninactive_file 100000\nactive_file 5\n");
  EXPECT_EQ(available(), 300'005u) << "what can be dropped is available";
  write("/sys/fs/cgroup/pod/container/memory.max", "1500\n");
  EXPECT_EQ(available(), 500u);
  write("/sys/fs/cgroup/pod/container/memory.current", "2000\n");
  EXPECT_EQ(available(), 0u) << "more is used than may be";
}

TEST_F(AvailableMemory, IsToldByVersion1Too) {
  write("/proc/meminfo", "MemAvailable:   1000000 kB\n");
  write("/proc/self/cgroup", "12:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/\n");
  // As a container sees it: its own group is the root of what is mounted.
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n");
  EXPECT_EQ(available(), 1'024'000'000u);
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "8000\n");
  write("/sys/fs/cgroup/memory/memory.stat", "inactive_file 77\ntotal_inactive_file 1000\ntotal_active_file 300\n");
  EXPECT_EQ(available(), 4300u);
}

}  // namespace
}  // namespace gpuhisto::app
