// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Which net catches which bug: each planted bug is run in a process of its own, and what notices it must be what the
// table says for this kind of build. Over the three kinds every bug is caught.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>

namespace gpuhisto::test {
namespace {

enum class Net { kNothing, kResult, kFault, kSanitizer, kLuck };

std::ostream& operator<<(std::ostream& out, Net net) {
  static constexpr const char* kNames[] = {"nothing", "a wrong result", "a fault of the emulated device",
                                           "a sanitizer"};
  return out << kNames[static_cast<int>(net)];
}

struct Row {
  const char* bug;
  Net plain, address, thread;
};
constexpr Row kMatrix[] = {
    {"none", Net::kNothing, Net::kNothing, Net::kNothing},
    {"uninitialised-shared", Net::kResult, Net::kResult, Net::kResult},
    {"missing-barrier", Net::kResult, Net::kResult, Net::kSanitizer},
    {"non-atomic-increment", Net::kNothing, Net::kNothing, Net::kSanitizer},
    {"shared-bounds", Net::kFault, Net::kSanitizer, Net::kFault},
    {"global-bounds", Net::kResult, Net::kSanitizer, Net::kResult},
    {"misaligned-load", Net::kLuck, Net::kSanitizer, Net::kLuck},
    {"divergent-barrier", Net::kFault, Net::kFault, Net::kFault},
    {"unsafe-nonatomic", Net::kNothing, Net::kNothing, Net::kSanitizer},
    {"block-race", Net::kNothing, Net::kNothing, Net::kSanitizer},
    {"hard-coded-wave-32", Net::kResult, Net::kResult, Net::kResult},
    {"eight-bit-overflow", Net::kResult, Net::kResult, Net::kSanitizer},
};

Net expected(const Row& row) {
#if defined(__SANITIZE_ADDRESS__)
  return row.address;
#elif defined(__SANITIZE_THREAD__)
  return row.thread;
#else
  return row.plain;
#endif
}

struct Outcome {
  int code = 0;
  std::string output;
};

Outcome run(const std::string& bug) {
  const std::string command =
      std::string("TSAN_OPTIONS=halt_on_error=1 '") + GPUHISTO_PLANTED_BUGS + "' " + bug + " 2>&1";
  Outcome result;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return {-1, "the program does not start"};
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) result.output.append(buffer, got);
  const int status = ::pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

Net caught_by(const Outcome& run) {
  if (run.output.find("Sanitizer") != std::string::npos || run.output.find("runtime error") != std::string::npos)
    return Net::kSanitizer;
  if (run.code == 0) return Net::kNothing;
  if (run.code == 10) return Net::kResult;
  EXPECT_EQ(run.code, 11) << run.output;
  return Net::kFault;
}

class PlantedBugs : public ::testing::TestWithParam<Row> {};

TEST_P(PlantedBugs, AreCaughtAsTheTableSays) {
  const Outcome result = run(GetParam().bug);
  if (expected(GetParam()) == Net::kLuck) {
    EXPECT_NE(result.code, 10) << result.output;
    return;
  }
  EXPECT_EQ(caught_by(result), expected(GetParam())) << result.output;
}

TEST(PlantedBugMatrix, DivergentBarrierIsNamedWithFileAndLine) {
  const Outcome result = run("divergent-barrier");
  EXPECT_NE(result.output.find("planted_bugs.cpp:"), std::string::npos) << result.output;
}

// Every bug has a net.
static_assert(std::all_of(std::begin(kMatrix), std::end(kMatrix), [](const Row& row) {
  return std::string_view(row.bug) == "none" || row.plain != Net::kNothing || row.address != Net::kNothing ||
         row.thread != Net::kNothing;
}));

std::string test_name(const ::testing::TestParamInfo<Row>& row) {
  std::string name = row.param.bug;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Matrix, PlantedBugs, ::testing::ValuesIn(kMatrix), test_name);

}  // namespace
}  // namespace gpuhisto::test
