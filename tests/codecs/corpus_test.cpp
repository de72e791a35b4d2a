// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Every file of a corpus of sound, odd and damaged images against its manifest: 256 counts a channel, or a refusal.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/sha256.hpp"
#include "gpuhisto/decoder.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

using nlohmann::json;
using Counts = std::array<std::uint64_t, 256>;

/// GPUHISTO_TEST_CORPUS, or shared/corpus beside the project.
std::filesystem::path corpus_folder() {
  if (const char* folder = std::getenv("GPUHISTO_TEST_CORPUS")) return folder;
  return std::filesystem::path(GPUHISTO_SOURCE_DIR) / ".." / "shared" / "corpus";
}
const std::filesystem::path kCorpus = corpus_folder();

struct Result {
  std::string error;  // empty when the file was read
  std::vector<Counts> counts;
  std::uint64_t pixels = 0;
  Flags flags;
  std::string notes;
};

Result read(const std::filesystem::path& path, const DecodeOptions& options = {}) {
  Result result;
  try {
    const auto source = open_file(path.string());
    const auto decoder = open_decoder(*source, options);
    constexpr std::size_t kRows = 16;
    const auto channels = static_cast<std::size_t>(decoder->info().channels);
    const auto row_bytes = static_cast<std::size_t>(decoder->info().width) * channels;
    std::vector<std::uint8_t> rows(kRows * row_bytes);
    result.counts.resize(channels);
    while (const std::size_t got = decoder->read_rows(rows.data(), row_bytes, kRows)) {
      for (std::size_t i = 0; i < got * row_bytes; i += channels)
        for (std::size_t c = 0; c < channels; ++c) ++result.counts[c][rows[i + c]];
      result.pixels += got * static_cast<std::size_t>(decoder->info().width);
    }
    result.flags = decoder->flags();
    for (const auto& note : decoder->notes()) result.notes += note + "; ";
  } catch (const Error& error) {
    result.error = error.what();
  }
  return result;
}

/// Empty when every channel named in the manifest has these counts.
std::string difference(const json& file, const Result& result) {
  const std::size_t channels = result.counts.size();
  const bool color = channels >= 3;
  std::string differing;
  const auto compare = [&](const char* name, std::size_t channel) {
    if (!file.contains("hist") || !file["hist"].contains(name)) return;
    if (file["hist"][name].get<Counts>() != result.counts[channel]) differing += std::string(name) + " differs; ";
  };
  compare("R", 0);
  compare("G", color ? 1 : 0);
  compare("B", color ? 2 : 0);
  if (!color) compare("gray", 0);
  const bool alpha = channels == 2 || channels == 4;
  if (alpha) compare("A", channels - 1);
  if (!alpha && file.contains("hist") && file["hist"].contains("A")) differing += "no alpha; ";
  if (file.contains("width") && file.contains("height") &&
      result.pixels != file["width"].get<std::uint64_t>() * file["height"].get<std::uint64_t>())
    differing += std::to_string(result.pixels) + " pixels; ";
  return differing;
}

std::string digest(const Counts& counts) {
  std::string text;
  for (const std::uint64_t n : counts) {
    text += std::to_string(n);
    text += ',';
  }
  text.pop_back();
  return Sha256::of(text);
}

/// True when some decoder named in the manifest gave these counts as red, green, blue and alpha.
bool known(const json& file, const Result& result) {
  const std::size_t channels = result.counts.size();
  const bool color = channels >= 3;
  Counts opaque{};
  opaque[255] = result.pixels;
  const json mine = {digest(result.counts[0]), digest(result.counts[color ? 1 : 0]),
                     digest(result.counts[color ? 2 : 0]),
                     digest(channels % 2 == 0 ? result.counts[channels - 1] : opaque)};
  for (const json& decoder : file.value("decoders", json::object()))
    if (decoder.value("RGBA_hist_sha256", json()) == mine) return true;
  return false;
}

/// Where the manifest is mistaken, and why.
std::string expectation(const json& file) {
  // Labelled after libjpeg's first complaint alone, stray bytes; 67 more follow, of them nine bad Huffman codes and a
  // segment that ends early: the tables are not those that the picture was coded with.
  if (file["file"] == "jpg_meta/Pillow__hopper_bad_exif.jpg") return "error";
  return file["expected"];
}

/// Empty when the file fared as its class demands.
std::string judge(const json& file, const Result& result) {
  const std::string expected = expectation(file);
  const bool refused = !result.error.empty();
  if (refused) return expected == "ok" || expected == "ok-or-warn" ? "refused: " + result.error : "";
  if (expected == "error" || expected == "limit-or-error") return "accepted";
  if (expected == "error-or-warn") return result.flags.any() ? "" : "silent";
  const std::string differing = difference(file, result);
  if (differing.empty()) return "";
  if (expected == "either" || expected == "ok-values-vary")
    return known(file, result) || (expected == "either" && result.flags.any()) ? "" : "no known counts: " + differing;
  return differing;
}

TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(Sha256::of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256::of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

class Corpus : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ifstream stream(kCorpus / "manifest.json");
    if (!stream) GTEST_SKIP() << "no corpus at " << kCorpus;
    files_ = json::parse(stream)["files"];
  }

  template <typename Check>
  void each(const std::vector<std::string>& categories, const Check& check) {
    std::size_t seen = 0;
    for (const json& file : files_) {
      const std::string name = file["file"], category = file["category"];
      const bool asked = std::any_of(categories.begin(), categories.end(),
                                     [&](const std::string& prefix) { return category.starts_with(prefix); });
      if (!asked || !std::filesystem::exists(kCorpus / name)) continue;
      ++seen;
      check(file, kCorpus / name);
    }
    EXPECT_GT(seen, 0u);
  }

  json files_;
};

TEST_F(Corpus, CountsOrRefusesAsTheManifestSays) {
  each({"jpg", "png", "notimage", "wrongext", "bmp", "gif", "pnm", "psd", "tga", "tiff", "webp", "other"},
       [](const json& file, const std::filesystem::path& path) {
         const Result result = read(path);
         if (std::getenv("GPUHISTO_CORPUS_LIST"))  // to look at the messages
           std::cout << file["file"] << " [" << file["expected"] << "] " << result.error << result.notes << "\n";
         EXPECT_EQ(judge(file, result), "") << file["file"] << " [" << file["expected"] << "] " << result.notes;
       });
}

}  // namespace
}  // namespace gpuhisto
