// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The C ABI over the engine: checks sizes, turns exceptions into status codes.
#include "plugin.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "engine/engine.hpp"
#include "runtime/last_failure.hpp"

struct gpuhisto_device {
  gpuhisto::kernels::Engine engine;
};

namespace gpuhisto::kernels {
namespace {

gpuhisto_status fail(gpuhisto_status status, const char* text) {
  set_last_failure(text);
  return status;
}

/// Runs `work` and maps what it throws.
template <typename Work>
gpuhisto_status guarded(Work work) {
  try {
    work();
    return GPUHISTO_OK;
  } catch (const DeviceError& error) {
    return fail(static_cast<gpuhisto_status>(error.failure()), error.what());
  } catch (const std::bad_alloc&) {
    return fail(GPUHISTO_OUT_OF_HOST_MEMORY, "not enough memory");
  } catch (const std::exception& error) {
    return fail(GPUHISTO_DEVICE_FAILED, error.what());
  }
}

/// The same for an open device and a struct of at least `least` bytes: this version's, or those of the first.
template <typename Struct, typename Work>
gpuhisto_status guarded(gpuhisto_device* device, Struct* request, Work work, std::size_t least = sizeof(Struct)) {
  if (!device || !request) return fail(GPUHISTO_BAD_REQUEST, "no device, or no request");
  if (request->size < least) return fail(GPUHISTO_BAD_REQUEST, "the request is smaller than this version's");
  return guarded([&] {
    device->engine.select();
    work(device->engine, *request);
  });
}

/// A device that fails is no reason not to tell of the others.
void tell(int index, gpuhisto_device_info& info) {
  info = {};
  info.size = sizeof info;
  info.index = index;
  try {
    const DeviceTraits traits = device_traits(index);
    std::snprintf(info.name, sizeof info.name, "%s", traits.name.c_str());
    info.memory_bytes = traits.memory_bytes;
    info.multiprocessors = traits.multiprocessors;
    info.wave_size = traits.wave_size;
    info.shared_bytes = static_cast<uint32_t>(traits.shared_per_block);
  } catch (const DeviceError& error) {
    std::snprintf(info.failure, sizeof info.failure, "%s", error.what());
  }
}

gpuhisto_status list_devices(gpuhisto_device_info* infos, uint32_t capacity, uint32_t* count) {
  *count = 0;
  return guarded([&] {
    const int devices = device_count();
    for (int i = 0; i < devices && *count < capacity; ++i, ++*count) {
      if (infos[i].size < sizeof infos[i])
        throw DeviceError(Failure::kRequest, "the entry is smaller than this version's");
      tell(i, infos[i]);
    }
    *count = static_cast<uint32_t>(devices);
  });
}

gpuhisto_status list_methods(gpuhisto_method_info* infos, uint32_t capacity, uint32_t* count) {
  return guarded([&] {
    const auto methods = all_methods();
    *count = static_cast<uint32_t>(methods.size());
    for (uint32_t i = 0; i < *count && i < capacity; ++i) {
      if (infos[i].size < sizeof infos[i])
        throw DeviceError(Failure::kRequest, "the entry is smaller than this version's");
      infos[i].exact = methods[i]->exact;
      infos[i].hidden = !methods[i]->exact;
      std::snprintf(infos[i].name, sizeof infos[i].name, "%s", methods[i]->name);
      std::snprintf(infos[i].summary, sizeof infos[i].summary, "%s", methods[i]->summary);
    }
  });
}

gpuhisto_status open_device(int32_t index, gpuhisto_device** device) {
  *device = nullptr;
  return guarded([&] { *device = new gpuhisto_device{Engine(index)}; });
}

void close_device(gpuhisto_device* device) {
  if (!device) return;
  (void)guarded([&] { device->engine.select(); });
  delete device;
}

gpuhisto_status allocate(gpuhisto_device* device, uint64_t bytes, void** memory) {
  return guarded([&] {
    device->engine.select();
    *memory = device->engine.allocate(bytes);
  });
}

void release(gpuhisto_device* device, void* memory) {
  (void)guarded([&] {
    device->engine.select();
    device->engine.release(memory);
  });
}

gpuhisto_status upload(gpuhisto_device* device, void* to, const void* from, uint64_t bytes) {
  return guarded([&] {
    device->engine.select();
    device->engine.upload(to, from, bytes);
  });
}

gpuhisto_status download(gpuhisto_device* device, void* to, const void* from, uint64_t bytes) {
  return guarded([&] {
    device->engine.select();
    device->engine.download(to, from, bytes);
  });
}

gpuhisto_status fill(gpuhisto_device* device, const gpuhisto_fill* request) {
  return guarded(device, request, [](Engine& engine, const gpuhisto_fill& r) { engine.fill(r); });
}

void refuse_inexact(const gpuhisto_count& request) {
  if (request.method && !find_method(request.method).exact)
    throw DeviceError(Failure::kUnsupported,
                      std::string(request.method) + " loses counts: it runs in measurements only");
}

gpuhisto_status count(gpuhisto_device* device, gpuhisto_count* request) {
  return guarded(device, request, [](Engine& engine, gpuhisto_count& r) {
    refuse_inexact(r);
    engine.count(r);
  });
}

gpuhisto_status allocate_pinned(gpuhisto_device* device, uint64_t bytes, void** memory) {
  return guarded([&] {
    device->engine.select();
    *memory = device->engine.allocate_pinned(bytes);
  });
}

void release_pinned(gpuhisto_device* device, void* memory) {
  (void)guarded([&] {
    device->engine.select();
    device->engine.release_pinned(memory);
  });
}

gpuhisto_status start_count(gpuhisto_device* device, gpuhisto_count* request, uint32_t lane) {
  return guarded(device, request, [lane](Engine& engine, gpuhisto_count& r) {
    refuse_inexact(r);
    check_request(r);
    engine.queue().start(r, lane);
  });
}

gpuhisto_status finish_count(gpuhisto_device* device, uint32_t lane) {
  return guarded([&] {
    device->engine.select();
    device->engine.queue().finish(lane);
  });
}

constexpr std::size_t kFirstApply = offsetof(gpuhisto_apply, tiles_across);

/// A request of any version, what it does not cover zero.
gpuhisto_apply completed(const gpuhisto_apply& request) {
  if (request.size < kFirstApply) throw DeviceError(Failure::kRequest, "the request is smaller than any version's");
  gpuhisto_apply whole = {};
  std::memcpy(&whole, &request, std::min<std::size_t>(request.size, sizeof whole));
  return whole;
}

gpuhisto_status apply(gpuhisto_device* device, const gpuhisto_apply* request) {
  return guarded(
      device, request, [](Engine& engine, const gpuhisto_apply& r) { engine.apply(completed(r)); }, kFirstApply);
}

gpuhisto_status measure(gpuhisto_device* device, gpuhisto_measure* request) {
  return guarded(device, request, [](Engine& engine, gpuhisto_measure& r) {
    if (!r.apply) return engine.measure(r);
    const gpuhisto_apply apply = completed(*r.apply);
    gpuhisto_measure with_apply = r;
    with_apply.apply = &apply;
    engine.measure(with_apply);
    r.second_kernel = with_apply.second_kernel;
  });
}

gpuhisto_status describe(gpuhisto_device* device, const gpuhisto_count* request, gpuhisto_description* description) {
  return guarded(device, description, [&](Engine& engine, gpuhisto_description& d) {
    if (!request || request->size < sizeof *request)
      throw DeviceError(Failure::kRequest, "the request is smaller than this version's");
    engine.describe(*request, d);
  });
}

const char* last_error() { return last_failure(); }

}  // namespace
}  // namespace gpuhisto::kernels

extern "C" __attribute__((visibility("default"))) const gpuhisto_plugin_table* gpuhisto_plugin(uint32_t abi_version) {
  using namespace gpuhisto::kernels;
  static const gpuhisto_plugin_table table = {sizeof(gpuhisto_plugin_table),
                                              GPUHISTO_PLUGIN_ABI,
                                              platform_name(),
                                              list_devices,
                                              list_methods,
                                              open_device,
                                              close_device,
                                              allocate,
                                              release,
                                              upload,
                                              download,
                                              fill,
                                              count,
                                              apply,
                                              measure,
                                              describe,
                                              last_error,
                                              allocate_pinned,
                                              release_pinned,
                                              start_count,
                                              finish_count};
  return abi_version == GPUHISTO_PLUGIN_ABI ? &table : nullptr;
}
