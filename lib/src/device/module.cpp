// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/module.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>

#include "gpuhisto/error.hpp"
#include "gpuhisto/version.hpp"

namespace gpuhisto {
namespace {

namespace fs = std::filesystem;

std::mutex mutex;
std::vector<std::string> extra_folders;

std::vector<fs::path> folders() {
  std::vector<fs::path> list;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) list.push_back((program.parent_path().parent_path() / "lib" / "gpuhisto"));
  list.insert(list.end(), extra_folders.begin(), extra_folders.end());
  return list;
}

/// False for a file that ends before its segments do: the loader would map it and die of SIGBUS.
bool is_whole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  ElfW(Ehdr) header{};
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || !file.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr))) return false;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment{};
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return false;
    if (segment.p_filesz > size || segment.p_offset > size - segment.p_filesz) return false;
  }
  return true;
}

/// The package that has a module (cmake/package.cmake).
std::string package_of(const std::string& module) {
  for (const char* part : {"draw", "cuda", "hip"})
    if (module == std::string("gpuhisto_") + part) return std::string("gpuhisto-") + part;
  return "gpuhisto";
}

std::string listed(const std::vector<fs::path>& list) {
  std::string text;
  for (const auto& folder : list) text += (text.empty() ? "" : ", ") + folder.string();
  return text;
}

}  // namespace

void set_module_path(std::vector<std::string> list) {
  std::lock_guard lock(mutex);
  extra_folders = std::move(list);
}

const Module& Module::open(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Module>> modules;
  std::lock_guard lock(mutex);
  if (const auto known = modules.find(name); known != modules.end()) return *known->second;
  const auto where = folders();
  for (const auto& folder : where) {
    const fs::path path = folder / (name + ".so");
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    if (!is_whole(path))
      throw Error(ErrorKind::kUnsupported, "the module does not load: " + path.string() + " is damaged or cut short");
    void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw Error(ErrorKind::kUnsupported, std::string("the module does not load: ") + ::dlerror());
    using Version = const char*();
    auto* told = reinterpret_cast<Version*>(::dlsym(handle, "gpuhisto_module_version"));
    const std::string theirs = told ? told() : "unknown";
    if (theirs != version()) {
      ::dlclose(handle);
      throw Error(ErrorKind::kUnsupported,
                  path.string() + " belongs to version " + theirs + ", this is version " + std::string(version()));
    }
    auto& slot = modules[name];
    slot.reset(new Module(handle, path.string()));
    return *slot;
  }
  throw Error(ErrorKind::kUnsupported, "the module " + name + ".so is not installed (package " + package_of(name) +
                                           "; looked in " + listed(where) + ")");
}

void* Module::symbol(const char* name) const {
  void* address = ::dlsym(handle_, name);
  if (!address) throw Error(ErrorKind::kUnsupported, path_ + " has no function " + name);
  return address;
}

std::vector<std::string> installed_modules() {
  std::lock_guard lock(mutex);
  std::vector<std::string> names;
  for (const auto& folder : folders()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".so") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace gpuhisto
