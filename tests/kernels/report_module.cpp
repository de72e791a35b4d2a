// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// A device that counts nothing: every measurement of a method comes to the status REPORT_TEST_STATUS.
#include <cstdlib>

#include "kernels/plugin.h"

namespace {

gpuhisto_status list_devices(gpuhisto_device_info*, uint32_t, uint32_t* count) {
  *count = 1;
  return GPUHISTO_OK;
}
gpuhisto_status open_device(int32_t, gpuhisto_device**) { return GPUHISTO_OK; }
void close_device(gpuhisto_device*) {}
gpuhisto_status allocate(gpuhisto_device*, uint64_t bytes, void** memory) {
  *memory = std::calloc(bytes, 1);
  return *memory ? GPUHISTO_OK : GPUHISTO_OUT_OF_MEMORY;
}
void release(gpuhisto_device*, void* memory) { std::free(memory); }
gpuhisto_status fill(gpuhisto_device*, const gpuhisto_fill*) { return GPUHISTO_OK; }  // with zeros, as the memory is
gpuhisto_status download(gpuhisto_device*, void*, const void*, uint64_t) { return GPUHISTO_OK; }
gpuhisto_status measure(gpuhisto_device*, gpuhisto_measure* request) {
  for (uint32_t i = 0; i < request->rounds; ++i) request->milliseconds[i] = 1;
  if (request->what != GPUHISTO_MEASURE_METHOD) return GPUHISTO_OK;
  const char* status = std::getenv("REPORT_TEST_STATUS");
  return static_cast<gpuhisto_status>(std::atoi(status ? status : "0"));
}
const char* last_error() { return "a planned failure"; }

}  // namespace

extern "C" __attribute__((visibility("default"))) const gpuhisto_plugin_table* gpuhisto_plugin(uint32_t) {
  static const gpuhisto_plugin_table table = [] {
    gpuhisto_plugin_table made = {};
    made.platform = "fake";
    made.list_devices = list_devices;
    made.open_device = open_device;
    made.close_device = close_device;
    made.allocate = allocate;
    made.release = release;
    made.fill = fill;
    made.download = download;
    made.measure = measure;
    made.last_error = last_error;
    return made;
  }();
  return &table;
}
