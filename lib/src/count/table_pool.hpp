// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "count/tables.hpp"

namespace gpuhisto::count {

struct FreeTable {
  void operator()(void* table) const { std::free(table); }
};
/// kPairTableSize counters, aligned to a page.
template <class T>
using PairTable = std::unique_ptr<T[], FreeTable>;

/// Tables of zeros, kept between images: the first touch of fresh memory costs several times what clearing does, and a
/// batch counts one image after another. Safe to use from several threads. T: std::uint32_t or std::uint8_t.
template <class T>
PairTable<T> take_table();
/// Takes back a table that is all zeros again; null is ignored. A bounded number is kept.
template <class T>
void return_table(PairTable<T> table);

}  // namespace gpuhisto::count
