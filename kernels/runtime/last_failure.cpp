// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A key of the system and not thread_local: a module that is opened late has thread_local memory allocated on a
// thread's first use, and where there is none the C library ends the program.
#include "runtime/last_failure.hpp"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>

namespace gpuhisto::kernels {
namespace {

constexpr std::size_t kMostBytes = 1024;

struct Key {
  pthread_key_t key{};
  const bool usable = pthread_key_create(&key, std::free) == 0;
};
const Key texts;

char* memory() noexcept {
  if (!texts.usable) return nullptr;
  if (void* known = pthread_getspecific(texts.key)) return static_cast<char*>(known);
  char* fresh = static_cast<char*>(std::malloc(kMostBytes));
  if (!fresh || pthread_setspecific(texts.key, fresh) == 0) return fresh;
  std::free(fresh);
  return nullptr;
}

}  // namespace

void set_last_failure(const char* text) noexcept {
  if (char* to = memory()) std::snprintf(to, kMostBytes, "%s", text);
}

const char* last_failure() noexcept {
  const void* text = texts.usable ? pthread_getspecific(texts.key) : nullptr;
  return text ? static_cast<const char*>(text) : "not enough memory to tell what failed";
}

}  // namespace gpuhisto::kernels
