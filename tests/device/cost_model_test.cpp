// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// What --device auto reckons: the choice for the jobs that people have, as docs/devices.md shows it, and the formula by
// hand on rates that make it easy.
#include "gpuhisto/cost_model.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "encode/temporary_folder.hpp"
#include "gpuhisto/method.hpp"

namespace gpuhisto {
namespace {

Work work_of(Coding coding, std::uint64_t files, double pixels_each) {
  Work work;
  work.files = files;
  const auto i = static_cast<std::size_t>(coding);
  work.bytes[i] = static_cast<double>(files) * pixels_each * CostRates().files[i].bytes_per_pixel;
  return work;
}

Work equalized(Work work) {
  work.equalizes = true;
  return work;
}

struct Case {
  const char* name;
  Work work;
  int threads;
  bool gpu_pays;
};

std::vector<Case> cases() {
  const Work gray = work_of(Coding::kGrayPnm, 20, 100e6), color = work_of(Coding::kColorPnm, 20, 100e6);
  const Work big = work_of(Coding::kColorPnm, 1, 4e9);
  return {
      {"one 12 Mpix JPEG", work_of(Coding::kJpeg, 1, 12e6), 2, false},
      {"100 camera JPEGs, 390 Mpix", work_of(Coding::kJpeg, 100, 3.9e6), 2, true},
      {"100 camera JPEGs, 390 Mpix", work_of(Coding::kJpeg, 100, 3.9e6), 16, false},
      {"10,000 camera JPEGs, 6.5 Gpix", work_of(Coding::kJpeg, 10000, 0.65e6), 16, true},
      {"10,000 JPEG thumbnails of 256 x 256", work_of(Coding::kJpeg, 10000, 65536), 2, false},
      {"1000 PNGs of 24 Mpix", work_of(Coding::kPng, 1000, 24e6), 1, false},
      {"20 PGMs of 100 Mpix", gray, 1, true},
      {"20 PGMs of 100 Mpix", gray, 16, false},
      {"2000 PGMs of 100 Mpix", work_of(Coding::kGrayPnm, 2000, 100e6), 16, true},
      {"20 PPMs of 100 Mpix", color, 1, true},
      {"20 PPMs of 100 Mpix", color, 2, true},
      {"1000 PPMs of 12 Mpix", work_of(Coding::kColorPnm, 1000, 12e6), 16, true},
      {"one PPM of 4 Gpix", big, 1, true},
      {"one PPM of 4 Gpix", big, 2, true},
      {"one PPM of 4 Gpix", big, 16, false},
      {"one PPM of 4 Gpix, equalised", equalized(big), 2, false},
  };
}

std::string row_of(const Case& row) {
  const Estimate seconds = estimate(row.work, row.threads);
  char text[160];
  std::snprintf(text, sizeof text, "| %s | %d | %.2f | %.2f | %s |", row.name, row.threads, seconds.cpu, seconds.gpu,
                seconds.gpu_pays() ? "GPU" : "CPU");
  return text;
}

TEST(CostModel, ChoosesAsTheDocumentSays) {
  std::ifstream file(GPUHISTO_SOURCE_DIR "/docs/devices.md");
  std::ostringstream document;
  document << file.rdbuf();
  for (const Case& row : cases()) {
    EXPECT_EQ(estimate(row.work, row.threads).gpu_pays(), row.gpu_pays) << row_of(row);
    EXPECT_NE(document.str().find(row_of(row) + "\n"), std::string::npos) << "docs/devices.md lacks\n" << row_of(row);
  }
}

TEST(CostModel, NothingThatACpuDoesBeforeAGpuHasStartedPays) {
  for (const bool equalizes : {false, true})
    for (std::size_t i = 0; i < kCodings; ++i)
      for (const int threads : {1, 2, 3, 16, 1000})
        for (const std::uint64_t files : {1u, 2u, 5u, 1000u}) {
          Work work = work_of(static_cast<Coding>(i), files, 1e6);
          work.equalizes = equalizes;
          const Estimate seconds = estimate(work, threads);
          EXPECT_GT(seconds.gpu, 0);
          if (seconds.cpu > CostRates().start) {
            EXPECT_GT(seconds.gpu, CostRates().start);
          }
          EXPECT_FALSE(seconds.cpu < CostRates().start && seconds.gpu_pays());
        }
}

/// One byte a pixel, one channel; decoding 1 s, counting 3 s for each gigapixel.
CostRates simple_rates() {
  CostRates rates;
  rates.files.fill({1, 1, 1000});
  rates.count_gray = 1000 / 3.0;
  rates.map = 0.5;
  rates.pinned = 4;
  rates.copy = rates.device = 8;
  rates.transfer = 4;
  rates.start = 1;
  rates.image = 0;
  return rates;
}

TEST(CostModel, OverlapsAsThePipelineDoes) {
  const auto seconds = [](std::uint64_t files, int threads) {
    Work work;
    work.files = files;
    work.bytes[0] = 1e9;
    return estimate(work, threads, simple_rates());
  };
  EXPECT_DOUBLE_EQ(seconds(1, 1).cpu, 4);    // one after the other
  EXPECT_DOUBLE_EQ(seconds(1, 2).cpu, 3);    // one decodes, one counts
  EXPECT_DOUBLE_EQ(seconds(1, 3).cpu, 1.5);  // two count
  EXPECT_DOUBLE_EQ(seconds(1, 9).cpu, 1);    // decoding is left
  EXPECT_DOUBLE_EQ(seconds(8, 2).cpu, 2);    // a file each
  EXPECT_DOUBLE_EQ(seconds(2, 4).cpu, 1.5);  // two files, each decoded by one and counted by another
  // A second until it has started, then the share that is left: decoding 1 s, into pinned memory 0.25 s more, copies
  // 0.25.
  EXPECT_DOUBLE_EQ(seconds(1, 1).gpu, 1 + 0.75 * 1.25);
  EXPECT_DOUBLE_EQ(seconds(1, 2).gpu, 1 + 2.0 / 3 * 1);  // behind decoding
  EXPECT_DOUBLE_EQ(seconds(2, 2).gpu, 1 + 0.5 * 0.625);  // a file each
  EXPECT_DOUBLE_EQ(seconds(8, 8).gpu, 0.5);              // done before it has started
  EXPECT_DOUBLE_EQ(seconds(3, 3).gpu, 1 + 0.25 * 1.25 / 3);
}

TEST(CostModel, NoDeviceIsQuickerThanTheWayToIt) {
  Work work;
  work.files = 100;
  work.bytes[0] = 100e9;
  CostRates rates = simple_rates();
  rates.start = 0;
  EXPECT_DOUBLE_EQ(estimate(work, 100, rates).gpu, 25);  // 100 GB at 4 GB/s, however many decode
}

TEST(CostModel, EveryImageCostsItsWay) {
  Work work;
  work.files = 1000;
  CostRates rates = simple_rates();
  rates.start = 0;
  rates.image = 0.001;
  EXPECT_DOUBLE_EQ(estimate(work, 1, rates).gpu, 0) << "nothing to do";
  work.bytes[0] = 1;
  EXPECT_NEAR(estimate(work, 1, rates).gpu, 1, 1e-6);
  EXPECT_NEAR(estimate(work, 4, rates).gpu, 0.25, 1e-6);
}

TEST(CostModel, EqualisingCopiesThereAndBack) {
  Work work;
  work.files = 1;
  work.bytes[0] = 1e9;
  work.equalizes = true;
  EXPECT_DOUBLE_EQ(estimate(work, 1, simple_rates()).cpu, 4 + 2);
  EXPECT_DOUBLE_EQ(estimate(work, 1, simple_rates()).gpu, 1 + 5.0 / 6 * (1.25 + 0.5 + 0.5 + 0.125));
}

TEST(CostModel, AGpuMustBeQuickerByATenth) {
  EXPECT_FALSE((Estimate{10, 9}).gpu_pays());
  EXPECT_TRUE((Estimate{10, 8.99}).gpu_pays());
  EXPECT_FALSE(Estimate{}.gpu_pays());
}

class KnownWork : public test::TemporaryFolder {
 protected:
  std::string file(const std::string& name, std::uintmax_t size) {
    put(name, "");
    std::filesystem::resize_file(path(name), size);
    return path(name);
  }
  static double bytes(const Work& work, Coding coding) { return work.bytes[static_cast<std::size_t>(coding)]; }
};

TEST_F(KnownWork, AddsSizesByExtension) {
  const std::vector<std::string> names = {file("a.jpg", 10),
                                          file("b.JPEG", 20),
                                          file("c.png", 5),
                                          file("d.ppm", 7),
                                          file("e.PGM", 9),
                                          file("f.bmp", 0),
                                          file("g.pnm", std::uintmax_t{13} << 30)};
  const auto work = known_work(names);
  ASSERT_TRUE(work);
  EXPECT_EQ(work->files, 7u);
  EXPECT_EQ(bytes(*work, Coding::kJpeg), 30);
  EXPECT_EQ(bytes(*work, Coding::kPng), 5);
  EXPECT_EQ(bytes(*work, Coding::kBmp), 0);
  EXPECT_EQ(bytes(*work, Coding::kGrayPnm), 9);
  EXPECT_EQ(bytes(*work, Coding::kColorPnm), 7 + (13.0 * (1 << 30)));
  EXPECT_FALSE(work->equalizes);
}

TEST_F(KnownWork, LeavesOutWhatIsNoFileOrOfAnotherFormat) {
  const std::string known = file("a.jpg", 10), folder = path("folder.png");
  std::filesystem::create_directory(folder);
  for (const std::string& other :
       {std::string("-"), folder, path("missing.png"), file("b.tif", 9), file("noextension", 9), file("c.webp", 9),
        std::string("/dev/null"), std::string()}) {
    const auto work = known_work(std::vector<std::string>{known, other});
    ASSERT_TRUE(work) << other;
    EXPECT_EQ(work->files, 1u);
    EXPECT_EQ(bytes(*work, Coding::kJpeg), 10);
    EXPECT_FALSE(known_work(std::vector<std::string>{other})) << other;
  }
}

TEST(ChooseExecution, AsksOnlyWhereTheFlagsLeaveTheChoiceOpen) {
  int asked = 0;
  const auto ask = [&]() -> std::optional<Estimate> { return ++asked, Estimate{1, 2}; };
  EXPECT_EQ(choose_execution({DeviceKind::kCpu, -1}, parse_method("auto"), "", ask).why, "");
  EXPECT_EQ(choose_execution({DeviceKind::kAuto, -1}, parse_method("cpu"), "", ask).why, "");
  EXPECT_EQ(asked, 0);
  // A GPU's module may be installed beside the tests, or none.
  const Execution open = choose_execution({DeviceKind::kAuto, -1}, parse_method("auto"), "", ask);
  EXPECT_EQ(open.why, asked ? "expects 1.00 s on the CPU, 2.00 s with a GPU" : "finds no module for GPUs");
  EXPECT_EQ(open.device, "cpu");
  EXPECT_EQ(open.start, "");
  EXPECT_EQ(open.note, "");
}

}  // namespace
}  // namespace gpuhisto
