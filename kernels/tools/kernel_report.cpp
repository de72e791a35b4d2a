// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// kernel_report MODULE.so [SECTION...]: checks and times every kernel of a module on its first device, against a kernel
// that only reads. Sections: gray, color, layout, small, tables, clahe, keys, batch, policies, tuning, slow; all
// without one. Every timed run is verified against a scalar count; a line that ends in WRONG is, and the status is 5.
// What the device cannot do is told in its line; any other failure ends the report with 1, as does a report that timed
// nothing. A section of its own,
// launches, times nothing: it tells, for programs, how each method launches,
// "launch|method|channels|luma|kernel|threads|shared".
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tools/report_keys.hpp"

namespace gpuhisto::report {
namespace {

constexpr const char* kPatternNames[] = {"uniform", "constant",        "two-level", "photo",
                                         "gauss",   "every-4th-fixed", "hot-90",    "ramp"};
constexpr std::uint64_t kLarge = std::uint64_t{1} << 30;
constexpr std::uint64_t kColorBytes = ReportDevice::kBytes;  // of RGB 2^29 pixels
bool all_right = true;

const char* verdict(const Timing& timing) {
  if (timing.exact) return "";
  all_right = false;
  return " WRONG";
}

void line(const std::string& what, const Shape& shape, const Timing& timing, double read_rate) {
  if (!timing.note.empty()) {
    std::printf("  %-58s %s\n", what.c_str(), timing.note.c_str());
    return;
  }
  const double rate = static_cast<double>(shape.bytes()) / timing.seconds;
  std::printf("  %-58s %7.1f Gpix/s %7.1f GB/s %5.1f %%%s", what.c_str(),
              static_cast<double>(shape.pixels()) / timing.seconds / 1e9, rate / 1e9, 100 * rate / read_rate,
              verdict(timing));
  if (timing.second_kernel > 0)
    std::printf(" (second kernel %.1f %%)", 100 * static_cast<double>(timing.second_kernel));
  std::printf("\n");
}

double read_rate(ReportDevice& device, const Shape& shape) {
  const Shape whole = flat(1, shape.bytes());
  const double rate = static_cast<double>(whole.bytes()) / device.time_read(whole);
  std::printf("  %-58s %7s        %7.1f GB/s\n", "read", "", rate / 1e9);
  return rate;
}

void gray(ReportDevice& device) {
  const Shape shape = flat(1, kLarge);
  std::printf("gray, 2^30 pixels\n  %s\n  %s\n", device.description(shape, "per-block", "").c_str(),
              device.description(shape, "per-thread", "").c_str());
  for (const char* pattern : kPatternNames) {
    device.fill(pattern);
    std::printf(" %s\n", pattern);
    const double read = read_rate(device, shape);
    line("per-block", shape, device.time(shape, "per-block", ""), read);
    line("per-block-partial", shape, device.time(shape, "per-block-partial", ""), read);
    line("per-thread check", shape, device.time(shape, "per-thread", ""), read);
    line("per-thread periodic-merge", shape, device.time(shape, "per-thread", "overflow=periodic-merge"), read);
    line("per-thread avoid", shape, device.time(shape, "per-thread", "overflow=avoid"), read);
    line("vendor", shape, device.time(shape, "vendor", ""), read);
    line(
        "unsafe-nonatomic (meant to be wrong)", shape,
        [&] {
          Timing timing = device.time(shape, "unsafe-nonatomic", "");
          std::printf("%s", timing.exact ? "  unsafe-nonatomic lost nothing this time\n" : "");
          timing.exact = true;
          return timing;
        }(),
        read);
  }
}

void policies(ReportDevice& device) {
  const Shape shape = flat(1, kLarge);
  for (const char* pattern : {"uniform", "constant", "photo", "ramp"}) {
    device.fill(pattern);
    std::printf("policies, %s\n", pattern);
    const double read = read_rate(device, shape);
    for (const char* replicas : {"1", "2", "4", "8", "16", "32"}) {
      const std::string policy = std::string("block=1024,replicas=") + replicas;
      line("per-block " + policy, shape, device.time(shape, "per-block", policy.c_str()), read);
    }
    for (const char* layout : {"byte-per-lane", "interleaved", "column", "row"})
      for (const char* overflow : {"check", "periodic-merge", "avoid"}) {
        const std::string policy = std::string("layout=") + layout + ",overflow=" + overflow;
        line("per-thread " + policy, shape, device.time(shape, "per-thread", policy.c_str()), read);
      }
  }
}

void color(ReportDevice& device) {
  const std::uint64_t rgb = kColorBytes / 3, rgba = kColorBytes / 4;
  std::printf("color, 1.5 GiB\n  %s\n  %s\n",
              device.description(flat(3, rgb, GPUHISTO_LUMA_BT601), "per-block", "").c_str(),
              device.description(flat(4, rgba, GPUHISTO_LUMA_BT601), "per-block", "").c_str());
  for (const char* pattern : kPatternNames) {
    device.fill(pattern);
    std::printf(" %s\n", pattern);
    const double read = read_rate(device, flat(1, kColorBytes));
    const auto show = [&](const char* what, const Shape& shape, const char* policy) {
      line(what, shape, device.time(shape, "per-block", policy), read);
    };
    show("RGB", flat(3, rgb), "");
    show("RGB + luma", flat(3, rgb, GPUHISTO_LUMA_BT601), "");
    show("RGB + luma, base + 1", flat(3, rgb, GPUHISTO_LUMA_BT601, 1), "");
    show("RGB + luma, base + 50", flat(3, rgb, GPUHISTO_LUMA_BT601, 50), "");
    show("RGBA + luma", flat(4, rgba, GPUHISTO_LUMA_BT601), "");
    show("gray + alpha", flat(2, kColorBytes / 2), "");
  }
}

/// Policies that were tried for color; the tuned ones come from here.
void tuning(ReportDevice& device) {
  const Shape rgb = flat(3, kColorBytes / 3), luma = flat(3, kColorBytes / 3, GPUHISTO_LUMA_BT601);
  const Shape rgba = flat(4, kColorBytes / 4, GPUHISTO_LUMA_BT601);
  for (const char* pattern : {"uniform", "constant", "photo"}) {
    device.fill(pattern);
    std::printf("tuning, %s\n", pattern);
    const double read = read_rate(device, flat(1, kColorBytes));
    const auto show = [&](const char* what, const Shape& shape, const std::string& policy) {
      line(what + policy, shape, device.time(shape, "per-block", policy.c_str()), read);
    };
    for (const char* block : {"512", "768", "1024"})
      for (const char* loads : {"1", "2"})
        show("RGB + luma ", luma, std::string("blocks=1,replicas=32,block=") + block + ",loads=" + loads);
    for (const char* blocks : {"1", "2"}) show("RGB ", rgb, std::string("replicas=32,block=1024,blocks=") + blocks);
    for (const char* block : {"768", "1024"})
      for (const char* loads : {"2", "4", "8"})
        show("RGBA + luma ", rgba, std::string("blocks=1,replicas=32,block=") + block + ",loads=" + loads);
    const Shape gray = flat(1, kLarge);
    for (const char* loads : {"1", "2", "4"})
      show("gray ", gray, std::string("block=1024,blocks=2,replicas=32,loads=") + loads);
    show("gray ", gray, "block=512,blocks=4,replicas=32,loads=2");
    for (const char* lanes : {"16", "32", "64"}) {
      show("1921 of 1927 ", {1, 1921, kLarge / 1927, 1927, 3, GPUHISTO_LUMA_NONE}, std::string("lanes=") + lanes);
      show("1001 of 1003 ", {1, 1001, kLarge / 1003, 1003, 5, GPUHISTO_LUMA_NONE}, std::string("lanes=") + lanes);
    }
  }
}

void layout(ReportDevice& device) {
  device.fill("uniform");
  std::printf("layout, uniform\n");
  const double read = read_rate(device, flat(1, kLarge));
  const auto rows = [&](std::uint64_t width, std::uint64_t pitch, std::size_t offset) {
    Shape shape = {1, width, kLarge / pitch, pitch, offset, GPUHISTO_LUMA_NONE};
    line("gray " + std::to_string(width) + " of " + std::to_string(pitch) + ", base + " + std::to_string(offset), shape,
         device.time(shape, "per-block", ""), read);
  };
  for (const std::size_t offset : {0u, 1u, 8u, 15u})
    line("gray flat, base + " + std::to_string(offset), flat(1, kLarge, GPUHISTO_LUMA_NONE, offset),
         device.time(flat(1, kLarge, GPUHISTO_LUMA_NONE, offset), "per-block", ""), read);
  rows(8191, 8192, 0);
  rows(1920, 2048, 0);
  rows(1921, 1927, 3);
  rows(1000, 1024, 0);
  rows(1001, 1003, 5);
  rows(255, 257, 1);
  Shape rgb = {3, 1000, kColorBytes / 3007, 3007, 1, GPUHISTO_LUMA_BT601};
  line("RGB + luma 1000 pixels of 3007 bytes, base + 1", rgb, device.time(rgb, "per-block", ""), read);
}

void small(ReportDevice& device) {
  constexpr unsigned kBurst = 40;
  device.fill("uniform");
  std::printf("small gray images, microseconds each, %u different ones in a stream\n  %10s %8s %8s %8s\n", kBurst,
              "pixels", "read", "fused", "vendor");
  for (unsigned bits = 12; bits <= 24; bits += 2) {
    const Shape shape = flat(1, std::uint64_t{1} << bits);
    const double read = device.time_read(shape, kBurst);
    const Timing fused = device.time(shape, "per-block", "", kBurst), vendor = device.time(shape, "vendor", "", kBurst);
    std::printf("  2^%-8u %8.2f %8.2f %8.2f   %.2f of read, %.2f of vendor%s%s\n", bits, read * 1e6,
                fused.seconds * 1e6, vendor.seconds * 1e6, fused.seconds / read, fused.seconds / vendor.seconds,
                verdict(fused), vendor.note.empty() ? verdict(vendor) : "");
  }
}

void tables(ReportDevice& device) {
  for (const char* pattern : {"uniform", "constant", "photo"}) {
    device.fill(pattern);
    std::printf("tables, %s: bytes read and written, share of a copy\n", pattern);
    const double copy = 2.0 * static_cast<double>(kLarge) / device.time_copy(kLarge);
    std::printf("  %-58s %7.1f GB/s\n", "copy", copy / 1e9);
    const auto show = [&](const char* what, const Shape& shape, gpuhisto_apply_kind kind) {
      const Timing timing = device.time_apply(shape, kind);
      const double rate = 2.0 * static_cast<double>(shape.bytes()) / timing.seconds;
      std::printf("  %-58s %7.1f GB/s %5.1f %%%s\n", what, rate / 1e9, 100 * rate / copy, verdict(timing));
    };
    show("LUT on gray", flat(1, kLarge), GPUHISTO_APPLY_ONE);
    show("luma equalisation of RGB", flat(3, kColorBytes / 3), GPUHISTO_APPLY_YCRCB_LUMA);
  }
}

void clahe(ReportDevice& device) { all_right = report_clahe(device) && all_right; }

void keys(ReportDevice& device) { all_right = report_keys(device) && all_right; }

void batch(ReportDevice& device) { all_right = report_batch(device) && all_right; }

void slow(ReportDevice& device) {
  const Shape shape = flat(1, std::uint64_t{1} << 26);
  for (const char* pattern : kPatternNames) {
    device.fill(pattern);
    std::printf("global atomics, 2^26 pixels, %s\n", pattern);
    const double read = read_rate(device, shape);
    for (const char* method : {"per-grid", "per-grid-vec4", "wave-aggregated"})
      line(method, shape, device.time(shape, method, ""), read);
  }
}

void launches(ReportDevice& device) {
  for (const auto& method : device.methods())
    for (unsigned channels = 1; channels <= 4; ++channels)
      for (const auto luma : {GPUHISTO_LUMA_NONE, GPUHISTO_LUMA_BT601})
        for (const std::uint64_t pixels : {std::uint64_t{1} << 14, std::uint64_t{1} << 28}) {
          if (channels < 3 && luma != GPUHISTO_LUMA_NONE) continue;
          const gpuhisto_description d = device.describe(flat(channels, pixels, luma), method.name, "");
          if (d.block_threads == 0) continue;
          std::printf("launch|%s|%u|%d|%s|%u|%u\n", method.name, channels, luma != GPUHISTO_LUMA_NONE, d.kernel,
                      d.block_threads, d.shared_bytes);
        }
}

}  // namespace
}  // namespace gpuhisto::report

namespace {

int usage() {
  std::fprintf(stderr,
               "usage: kernel_report MODULE.so "
               "[gray|color|layout|small|tables|clahe|keys|batch|policies|tuning|slow]...|launches\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gpuhisto::report;
  struct Section {
    std::string_view name;
    void (*run)(ReportDevice&);
  };
  constexpr Section kSections[] = {{"gray", gray},         {"color", color},   {"layout", layout}, {"small", small},
                                   {"tables", tables},     {"clahe", clahe},   {"keys", keys},     {"batch", batch},
                                   {"policies", policies}, {"tuning", tuning}, {"slow", slow}};
  if (argc < 2) return usage();
  const std::vector<std::string_view> names(argv + 2, argv + argc);
  const bool only_launches = names.size() == 1 && names[0] == "launches";
  for (const auto name : names)
    if (!only_launches &&
        std::none_of(std::begin(kSections), std::end(kSections), [&](const auto& s) { return s.name == name; }))
      return usage();
  ReportDevice device(argv[1]);
  if (only_launches) {
    launches(device);
    return 0;
  }
  std::printf("%s\n", device.title().c_str());
  for (const Section& section : kSections) {
    if (names.empty() || std::find(names.begin(), names.end(), section.name) != names.end()) section.run(device);
    std::fflush(stdout);
  }
  if (device.timed() == 0) stop("nothing was timed");
  std::printf("%s\n", all_right ? "every timed run counted right" : "SOME RUNS COUNTED WRONG");
  return all_right ? 0 : 5;
}
