// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Choosing cells of a large cross of dimensions.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <vector>

namespace gpuhisto::test {

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// GPUHISTO_TEST_SEED, or a fresh one; printed, so that a failure can be run again.
inline std::uint64_t seed_of_run() {
  const std::uint64_t seed = number_from("GPUHISTO_TEST_SEED", std::random_device{}());
  std::printf("GPUHISTO_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

using Cell = std::vector<unsigned>;  // one value for each dimension

/// A random cell of a cross whose dimensions have that many values.
inline Cell draw_cell(const std::vector<unsigned>& sizes, std::mt19937& random) {
  Cell cell;
  for (const unsigned size : sizes) cell.push_back(static_cast<unsigned>(random() % size));
  return cell;
}

/// Few cells in which every pair of values of every two dimensions occurs: greedily, the best of some random cells that
/// start from a pair still missing.
inline std::vector<Cell> all_pairs(const std::vector<unsigned>& sizes, std::mt19937& random) {
  struct Pair {
    unsigned a, x, b, y;
    auto operator<=>(const Pair&) const = default;
  };
  std::set<Pair> missing;
  for (unsigned a = 0; a < sizes.size(); ++a)
    for (unsigned b = a + 1; b < sizes.size(); ++b)
      for (unsigned x = 0; x < sizes[a]; ++x)
        for (unsigned y = 0; y < sizes[b]; ++y) missing.insert({a, x, b, y});
  const auto covered = [&](const Cell& cell) {
    std::vector<Pair> pairs;
    for (unsigned a = 0; a < cell.size(); ++a)
      for (unsigned b = a + 1; b < cell.size(); ++b)
        if (missing.contains({a, cell[a], b, cell[b]})) pairs.push_back({a, cell[a], b, cell[b]});
    return pairs;
  };
  std::vector<Cell> cells;
  while (!missing.empty()) {
    Cell best;
    std::vector<Pair> most;
    for (int candidate = 0; candidate < 20; ++candidate) {
      Cell cell = draw_cell(sizes, random);
      const Pair seed = *missing.begin();
      cell[seed.a] = seed.x;
      cell[seed.b] = seed.y;
      if (auto pairs = covered(cell); pairs.size() > most.size()) {
        best = cell;
        most = pairs;
      }
    }
    for (const Pair& pair : most) missing.erase(pair);
    cells.push_back(best);
  }
  return cells;
}

}  // namespace gpuhisto::test
