// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "count/table_pool.hpp"

#include <cstring>
#include <mutex>
#include <new>
#include <vector>

namespace gpuhisto::count {
namespace {

constexpr std::size_t kKept = 16;  // four threads' RGB and luma; at most 4 MiB

template <class T>
struct Pool {
  std::mutex mutex;
  std::vector<PairTable<T>> tables;

  static Pool& instance() {
    static Pool& pool = *new Pool;  // never destroyed: a thread that outlives main() may count
    return pool;
  }
};

}  // namespace

template <class T>
PairTable<T> take_table() {
  auto& pool = Pool<T>::instance();
  {
    std::lock_guard lock(pool.mutex);
    if (!pool.tables.empty()) {
      auto table = std::move(pool.tables.back());
      pool.tables.pop_back();
      return table;
    }
  }
  PairTable<T> table(static_cast<T*>(std::aligned_alloc(4096, kPairTableSize * sizeof(T))));
  if (!table) throw std::bad_alloc();
  std::memset(table.get(), 0, kPairTableSize * sizeof(T));
  return table;
}

template <class T>
void return_table(PairTable<T> table) {
  if (!table) return;
  auto& pool = Pool<T>::instance();
  std::lock_guard lock(pool.mutex);
  if (pool.tables.size() < kKept) pool.tables.push_back(std::move(table));
}

template PairTable<std::uint32_t> take_table();
template PairTable<std::uint8_t> take_table();
template void return_table(PairTable<std::uint32_t>);
template void return_table(PairTable<std::uint8_t>);

}  // namespace gpuhisto::count
