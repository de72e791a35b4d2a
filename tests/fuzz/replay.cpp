// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Runs a target on files and on the files of folders, as libFuzzer's main() does, for compilers without libFuzzer.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/fuzz.hpp"

namespace fs = std::filesystem;

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i]))
      files.push_back(fs::absolute(argv[i]));
    else
      for (const auto& entry : fs::directory_iterator(fs::absolute(argv[i]))) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::fprintf(stderr, "%s\n", file.c_str());  // the last one named is the one that crashed
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in) return std::fprintf(stderr, "cannot be read\n"), 1;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::fprintf(stderr, "%zu inputs replayed\n", files.size());
  return files.empty() ? 1 : 0;
}
