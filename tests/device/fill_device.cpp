// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// fill_device MODULE MIB COMMAND...: runs COMMAND while all but about MIB MiB of the memory of the module's first
// device are taken, and exits with its code.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "plugin.h"

namespace {

constexpr std::uint64_t kMib = 1024 * 1024;

[[noreturn]] void fail(const char* text) {
  std::fprintf(stderr, "fill_device: %s\n", text);
  std::exit(2);
}

/// Takes memory in pieces of `piece` bytes until there is none.
void take_all(const gpuhisto_plugin_table& table, gpuhisto_device* device, std::uint64_t piece,
              std::vector<void*>& pieces) {
  void* memory = nullptr;
  while (table.allocate(device, piece, &memory) == GPUHISTO_OK) pieces.push_back(memory);
}

int run(char** command) {
  const pid_t child = ::fork();
  if (child < 0) fail("cannot start the command");
  if (child == 0) {
    ::execvp(command[0], command);
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) fail("MODULE MIB COMMAND...");
  void* module = ::dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!module) fail(::dlerror());
  const auto entry = reinterpret_cast<gpuhisto_plugin_entry*>(::dlsym(module, GPUHISTO_PLUGIN_ENTRY));
  const gpuhisto_plugin_table* table = entry ? entry(GPUHISTO_PLUGIN_ABI) : nullptr;
  gpuhisto_device* device = nullptr;
  if (!table || table->open_device(0, &device) != GPUHISTO_OK) fail("the device cannot be opened");

  std::vector<void*> reserve, rest;
  void* memory = nullptr;
  for (long i = std::atol(argv[2]); i > 0; --i)
    if (table->allocate(device, kMib, &memory) == GPUHISTO_OK) reserve.push_back(memory);
  for (std::uint64_t piece = 4096 * kMib; piece >= kMib; piece /= 4) take_all(*table, device, piece, rest);
  for (void* piece : reserve) table->release(device, piece);
  return run(argv + 3);
}
