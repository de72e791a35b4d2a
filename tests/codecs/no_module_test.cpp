// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// A program of its own, in a folder that has no modules beside it.
#include "codecs/decode_helpers.hpp"

namespace gpuhisto::testing {
namespace {

TEST(NoModule, SaysThatTheModuleIsMissing) {
  for (const auto& [bytes, name] :
       {std::pair{bytes_of(std::string("II*\0\0\0\0\0", 8)), "TIFF"}, {bytes_of("RIFFxxxxWEBPVP8 "), "WebP"}}) {
    const auto failure = failure_of(bytes);
    EXPECT_EQ(failure.kind, ErrorKind::kUnsupported);
    EXPECT_NE(failure.text.find(name), std::string::npos) << failure.text;
    EXPECT_NE(failure.text.find("gpuhisto_codecs.so"), std::string::npos) << failure.text;
  }
}

}  // namespace
}  // namespace gpuhisto::testing
