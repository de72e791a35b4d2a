// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace gpuhisto {

/// Compares with tests/plot/golden/NAME; GPUHISTO_UPDATE_GOLDEN=1 writes the file instead, and fails to say so.
inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(GPUHISTO_SOURCE_DIR) + "/tests/plot/golden/" + name;
  if (std::getenv("GPUHISTO_UPDATE_GOLDEN")) {
    std::ofstream(path, std::ios::binary) << actual;
    FAIL() << path << " written, look at it";
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path;
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(expected, actual) << name;
}

}  // namespace gpuhisto
