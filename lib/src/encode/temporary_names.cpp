// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "encode/temporary_names.hpp"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "gpuhisto/encoder.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

// A slot is written while kFilling, read by a signal handler only after it moved kArmed to kTaken. A taken slot is
// never used again: the handler may still be reading it on another thread.
enum : int { kFree, kFilling, kArmed, kTaken };

struct Slot {
  std::atomic<int> state{kFree};
  int folder = -1;
  std::array<char, NAME_MAX + 1> name{};
};
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers need lock-free atomics");

constexpr std::size_t kSlots = 1024;
constinit std::array<Slot, kSlots> g_slots;

}  // namespace

TemporaryName::TemporaryName(int folder, const std::string& name) : slot_(0) {
  if (name.size() > NAME_MAX) throw Error(ErrorKind::kIo, "file name too long");
  for (; slot_ < kSlots; ++slot_) {
    int expected = kFree;
    if (!g_slots[slot_].state.compare_exchange_strong(expected, kFilling, std::memory_order_acquire)) continue;
    Slot& slot = g_slots[slot_];
    slot.folder = folder;
    std::memcpy(slot.name.data(), name.c_str(), name.size() + 1);
    slot.state.store(kArmed, std::memory_order_release);
    return;
  }
  throw Error(ErrorKind::kLimit, "more than " + std::to_string(kSlots) + " outputs are open at once");
}

TemporaryName::~TemporaryName() {
  int expected = kArmed;
  g_slots[slot_].state.compare_exchange_strong(expected, kFree, std::memory_order_release, std::memory_order_relaxed);
}

void remove_temporary_files() noexcept {
  const int saved = errno;
  for (Slot& slot : g_slots) {
    int expected = kArmed;
    if (slot.state.compare_exchange_strong(expected, kTaken, std::memory_order_acquire))
      ::unlinkat(slot.folder, slot.name.data(), 0);
  }
  errno = saved;
}

}  // namespace gpuhisto
