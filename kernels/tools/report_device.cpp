// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "tools/report_device.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "gpuhisto/pattern.hpp"
#include "tools/scalar_maps.hpp"

namespace gpuhisto::report {
namespace {

constexpr std::size_t kSlack = 4096;  // past the pixels, for offsets

unsigned luma_of(gpuhisto_luma rule, unsigned r, unsigned g, unsigned b) {
  if (rule == GPUHISTO_LUMA_BT709) return (6966 * r + 23436 * g + 2366 * b + 16384) >> 15;
  return (9798 * r + 19235 * g + 3735 * b + 16384) >> 15;
}

void count_pixel(const std::uint8_t* p, const Shape& shape, std::uint64_t* bins) {
  if (shape.channels % 2 == 0) ++bins[4 * 256 + p[shape.channels - 1]];
  if (shape.channels < 3) {
    ++bins[p[0]];
    return;
  }
  for (unsigned c = 0; c < 3; ++c) ++bins[(1 + c) * 256 + p[c]];
  if (shape.luma != GPUHISTO_LUMA_NONE) ++bins[luma_of(shape.luma, p[0], p[1], p[2])];
}

}  // namespace

unsigned parallel_parts() { return std::max(1u, std::thread::hardware_concurrency()); }

void stop(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

void in_parallel(std::uint64_t n, const std::function<void(unsigned, std::uint64_t, std::uint64_t)>& work) {
  const unsigned threads = parallel_parts();
  std::vector<std::thread> pool;
  for (unsigned t = 0; t < threads; ++t) pool.emplace_back([=] { work(t, n * t / threads, n * (t + 1) / threads); });
  for (auto& thread : pool) thread.join();
}

double median(std::vector<float>& milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  return milliseconds[milliseconds.size() / 2] / 1e3;
}

Shape flat(unsigned channels, std::uint64_t pixels, gpuhisto_luma luma, std::size_t offset) {
  return {channels, pixels, 1, pixels * channels, offset, luma};
}

ReportDevice::ReportDevice(const char* path) {
  void* module = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!module) stop(::dlerror());
  auto* entry = reinterpret_cast<gpuhisto_plugin_entry*>(::dlsym(module, GPUHISTO_PLUGIN_ENTRY));
  table_ = entry ? entry(GPUHISTO_PLUGIN_ABI) : nullptr;
  if (!table_) stop("the module does not know this version");
  if (table_->open_device(0, &device_) != GPUHISTO_OK) stop(table_->last_error());
}

void ReportDevice::reserve() {
  if (image_) return;
  if (table_->allocate(device_, kBytes + kSlack, &image_) != GPUHISTO_OK ||
      table_->allocate(device_, kBytes + kSlack, &mapped_) != GPUHISTO_OK)
    stop(table_->last_error());
  host_.resize(kBytes + kSlack);
}

ReportDevice::~ReportDevice() {
  if (image_) table_->release(device_, image_);
  if (mapped_) table_->release(device_, mapped_);
  table_->close_device(device_);
}

std::string ReportDevice::title() const {
  gpuhisto_device_info info = {};
  info.size = sizeof info;
  std::uint32_t count = 0;
  (void)table_->list_devices(&info, 1, &count);
  return std::string(table_->platform) + ": " + info.name + ", " + std::to_string(info.multiprocessors) +
         " multiprocessors, " + std::to_string(info.shared_bytes / 1024) + " KiB of shared memory a block";
}

std::vector<gpuhisto_method_info> ReportDevice::methods() const {
  std::vector<gpuhisto_method_info> infos(32);
  for (auto& info : infos) info.size = sizeof info;
  std::uint32_t count = 0;
  (void)table_->list_methods(infos.data(), 32, &count);
  infos.resize(count);
  return infos;
}

void ReportDevice::fill(const char* pattern) {
  reserve();
  known_.clear();
  for (const auto& named : kPatterns) {
    if (std::strcmp(named.name, pattern) != 0) continue;
    const gpuhisto_fill fill = {sizeof(gpuhisto_fill),
                                static_cast<std::uint32_t>(named.spec.pattern),
                                named.spec.entropy_k,
                                0,
                                std::random_device{}(),
                                0,
                                image_,
                                kBytes + kSlack,
                                0};
    if (table_->fill(device_, &fill) != GPUHISTO_OK ||
        table_->download(device_, host_.data(), image_, host_.size()) != GPUHISTO_OK)
      stop(table_->last_error());
    return;
  }
  stop(std::string("no pattern ") + pattern);
}

const Bins& ReportDevice::oracle(const Shape& shape) {
  const std::string key = std::to_string(shape.channels) + '/' + std::to_string(shape.width) + '/' +
                          std::to_string(shape.height) + '/' + std::to_string(shape.row_bytes) + '/' +
                          std::to_string(shape.offset) + '/' + std::to_string(shape.luma);
  for (const Known& known : known_)
    if (known.key == key) return known.bins;
  std::vector<Bins> parts(parallel_parts(), Bins(5 * 256));
  in_parallel(shape.pixels(), [&](unsigned t, std::uint64_t begin, std::uint64_t end) {
    Bins own(5 * 256);
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t y = shape.height == 1 ? 0 : i / shape.width, x = i - y * shape.width;
      count_pixel(host_.data() + shape.offset + y * shape.row_bytes + x * shape.channels, shape, own.data());
    }
    parts[t] = own;
  });
  Bins sum(5 * 256);
  for (const Bins& part : parts)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  known_.push_back({key, sum});
  return known_.back().bins;
}

gpuhisto_strip ReportDevice::strip(const Shape& shape) const {
  return {static_cast<std::uint8_t*>(image_) + shape.offset,
          shape.width,
          shape.height,
          shape.row_bytes,
          nullptr,
          0,
          nullptr};
}

gpuhisto_count ReportDevice::request(const Shape& shape, const gpuhisto_strip& strip, const char* method,
                                     const char* policy) const {
  gpuhisto_count count = {};
  count.size = sizeof count;
  count.channels = shape.channels;
  count.luma = shape.luma;
  count.strips_count = 1;
  count.strips = &strip;
  count.method = method;
  count.policy = policy;
  return count;
}

Timing ReportDevice::measure(gpuhisto_measure request, unsigned rounds) {
  std::vector<float> milliseconds(rounds);
  request.size = sizeof request;
  request.rounds = rounds;
  request.milliseconds = milliseconds.data();
  const gpuhisto_status status = table_->measure(device_, &request);
  Timing timing;
  if (status == GPUHISTO_UNSUPPORTED) {
    timing.note = table_->last_error();
    return timing;
  }
  if (status != GPUHISTO_OK) stop(table_->last_error());
  timing.seconds = median(milliseconds);
  timing.second_kernel = request.second_kernel;
  if (request.what == GPUHISTO_MEASURE_METHOD || request.what == GPUHISTO_MEASURE_APPLY) ++timed_;
  return timing;
}

double ReportDevice::seconds_of(const gpuhisto_measure& request) {
  const Timing timing = measure(request);
  if (!timing.note.empty()) stop(timing.note);
  return timing.seconds;
}

Timing ReportDevice::time(const Shape& shape, const char* method, const char* policy, unsigned burst) {
  const gpuhisto_strip one = strip(shape);
  const gpuhisto_count count = request(shape, one, method, policy);
  Bins bins(5 * 256, 0xABABABAB);
  gpuhisto_measure measured = {};
  measured.what = GPUHISTO_MEASURE_METHOD;
  measured.burst = burst;
  measured.count = &count;
  measured.stride = burst > 1 ? shape.bytes() : 0;
  measured.bins = bins.data();
  Timing timing = measure(measured);
  if (!timing.note.empty()) return timing;
  Shape last = shape;
  last.offset += (burst - 1) * measured.stride;
  timing.exact = bins == oracle(last);
  return timing;
}

double ReportDevice::time_read(const Shape& shape, unsigned burst) {
  const gpuhisto_strip one = strip(shape);
  const gpuhisto_count count = request(shape, one, "per-block", "");
  gpuhisto_measure measured = {};
  measured.what = GPUHISTO_MEASURE_READ;
  measured.burst = burst;
  measured.count = &count;
  measured.stride = burst > 1 ? shape.bytes() : 0;
  return seconds_of(measured);
}

gpuhisto_apply apply_request(const gpuhisto_apply_strip& strip, unsigned channels) {
  gpuhisto_apply apply = {};
  apply.size = sizeof apply;
  apply.channels = channels;
  apply.memory = GPUHISTO_ON_DEVICE;
  apply.strips_count = 1;
  apply.strips = &strip;
  return apply;
}

Timing ReportDevice::time_apply(const Shape& shape, gpuhisto_apply_kind kind) {
  std::uint8_t tables[256];
  std::mt19937 random(std::random_device{}());
  for (auto& entry : tables) entry = static_cast<std::uint8_t>(random());
  const gpuhisto_apply_strip one = {image_, mapped_, shape.width, 1, shape.bytes(), shape.bytes()};
  gpuhisto_apply apply = apply_request(one, shape.channels);
  apply.kind = static_cast<std::uint32_t>(kind);
  apply.tables = tables;
  gpuhisto_measure measured = {};
  measured.what = GPUHISTO_MEASURE_APPLY;
  measured.apply = &apply;
  Timing timing = measure(measured);
  if (!timing.note.empty()) return timing;
  std::vector<std::uint8_t> result(shape.bytes());
  if (table_->download(device_, result.data(), mapped_, result.size()) != GPUHISTO_OK) stop(table_->last_error());
  std::vector<int> wrong(parallel_parts());
  in_parallel(shape.pixels(), [&](unsigned t, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint8_t* p = host_.data() + i * shape.channels;
      std::uint8_t expected[3] = {tables[p[0]]};
      if (kind == GPUHISTO_APPLY_YCRCB_LUMA) replace_y(p, tables[scalar_y(p)], expected);
      if (std::memcmp(expected, result.data() + i * shape.channels, shape.channels) != 0) wrong[t] = 1;
    }
  });
  timing.exact = std::none_of(wrong.begin(), wrong.end(), [](int w) { return w != 0; });
  return timing;
}

double ReportDevice::time_copy(std::uint64_t bytes) {
  const gpuhisto_apply_strip one = {image_, mapped_, bytes, 1, bytes, bytes};
  const gpuhisto_apply apply = apply_request(one, 1);
  gpuhisto_measure measured = {};
  measured.what = GPUHISTO_MEASURE_COPY;
  measured.apply = &apply;
  return seconds_of(measured);
}

gpuhisto_description ReportDevice::describe(const Shape& shape, const char* method, const char* policy) const {
  const gpuhisto_strip one = strip(shape);
  const gpuhisto_count count = request(shape, one, method, policy);
  gpuhisto_description d = {};
  d.size = sizeof d;
  if (table_->describe(device_, &count, &d) != GPUHISTO_OK) d.block_threads = 0;
  return d;
}

std::string ReportDevice::description(const Shape& shape, const char* method, const char* policy) const {
  const gpuhisto_description d = describe(shape, method, policy);
  if (d.block_threads == 0) return table_->last_error();
  char text[512];
  std::snprintf(text, sizeof text,
                "%s<<<%u,%u,%u>>> %u registers, %u bytes spilled, %u blocks resident, occupancy %.2f, %u passes; %s",
                d.kernel, d.blocks, d.block_threads, d.shared_bytes, d.registers, d.spilled_bytes, d.resident_blocks,
                static_cast<double>(d.occupancy), d.passes, d.policy);
  return text;
}

}  // namespace gpuhisto::report
