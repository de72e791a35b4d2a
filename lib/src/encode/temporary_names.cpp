// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "encode/temporary_names.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "gpuhisto/encoder.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

// A file may come into being while its slot is kMaking; a handler on another thread waits for that to end. It moves a
// kArmed slot to kTaken, and such a slot is never used again: the handler may still be reading it.
enum : int { kFree, kMaking, kArmed, kTaken };

struct Slot {
  std::atomic<int> state{kFree};
  int folder = -1;
  std::array<char, NAME_MAX + 1> name{};
};
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers need lock-free atomics");

constexpr std::size_t kSlots = 1024;
constinit std::array<Slot, kSlots> g_slots;

// Set for ever by remove_temporary_files(): what is made afterwards nobody would remove.
constinit std::atomic<bool> g_ending{false};
// A disk that hangs must not keep a program from dying.
constexpr int kMostWaits = 1000;  // of a millisecond

std::size_t take_slot() {
  for (std::size_t i = 0; i < kSlots; ++i) {
    int expected = kFree;
    if (g_slots[i].state.compare_exchange_strong(expected, kMaking)) return i;
  }
  throw Error(ErrorKind::kLimit, "more than " + std::to_string(kSlots) + " outputs are open at once");
}

}  // namespace

TemporaryName::TemporaryName(int folder, const std::string& name) {
  if (name.size() > NAME_MAX) throw Error(ErrorKind::kIo, "file name too long");
  sigset_t all;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  try {
    slot_ = take_slot();
  } catch (...) {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    throw;
  }
  Slot& slot = g_slots[slot_];
  slot.folder = folder;
  std::memcpy(slot.name.data(), name.c_str(), name.size() + 1);
  // Either this sees that the program ends, or the handler sees the slot: both orders are sequentially consistent.
  if (g_ending.load()) {
    slot.state.store(kFree);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    throw Error(ErrorKind::kInterrupted, "interrupted");
  }
  making_ = true;
}

void TemporaryName::made() {
  g_slots[slot_].state.store(kArmed);
  making_ = false;
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool TemporaryName::removed() const { return g_slots[slot_].state.load() == kTaken; }

TemporaryName::~TemporaryName() {
  int expected = making_ ? kMaking : kArmed;
  g_slots[slot_].state.compare_exchange_strong(expected, kFree);
  if (making_) ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void remove_temporary_files() noexcept {
  const int saved = errno;
  g_ending.store(true);
  int waits = 0;
  for (Slot& slot : g_slots) {
    while (slot.state.load() == kMaking && waits++ < kMostWaits) ::poll(nullptr, 0, 1);
    int expected = kArmed;
    if (slot.state.compare_exchange_strong(expected, kTaken)) ::unlinkat(slot.folder, slot.name.data(), 0);
  }
  errno = saved;
}

}  // namespace gpuhisto
