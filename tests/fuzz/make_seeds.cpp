// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Writes first inputs for every fuzz target, made by what makes the tests' own files: make_seeds FOLDER. What the
// fuzzers made of them is in seeds/.
#include <webp/encode.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "codecs/jpeg_maker.hpp"
#include "codecs/png_maker.hpp"
#include "codecs/stb_files.hpp"
#include "codecs/tiff_maker.hpp"
#include "fuzz/command_lines.hpp"
#include "fuzz/rendering.hpp"
#include "metadata/blocks.hpp"

namespace gpuhisto::testing {
namespace {

using Files = std::vector<Bytes>;

Files jpegs() {
  Files files;
  for (const bool progressive : {false, true})
    for (const auto& [input, stored] :
         {std::pair{JCS_GRAYSCALE, JCS_GRAYSCALE}, {JCS_RGB, JCS_YCbCr}, {JCS_CMYK, JCS_YCCK}})
      for (const int sampling : {1, 2})
        files.push_back(make_jpeg({.width = 19,
                                   .height = 23,
                                   .input = input,
                                   .stored = stored,
                                   .horizontal = sampling,
                                   .vertical = sampling,
                                   .restart_rows = sampling - 1,
                                   .progressive = progressive}));
  files.push_back(make_jpeg({.width = 19, .height = 23, .arithmetic = true}));
  return files;
}

Files pngs() {
  Files files;
  for (const bool interlaced : {false, true})
    for (const auto& [type, depth] : kPngKinds) {
      files.push_back(make_png({.type = type, .depth = depth, .interlaced = interlaced}).bytes);
      if (type == 0)
        files.push_back(
            make_png({.type = type, .depth = depth, .interlaced = interlaced, .transparency = {0, 1}}).bytes);
      if (type == 3)
        files.push_back(
            make_png({.type = type, .depth = depth, .interlaced = interlaced, .transparency = {0, 128}}).bytes);
    }
  files.push_back(make_png({.before = {{"tEXt", bytes_of("a\0b")}, {"gAMA", {0, 0, 1, 2}}},
                            .after = {{"tEXt", bytes_of("c\0d")}},
                            .surplus = {1, 2}})
                      .bytes);
  return files;
}

Files pnms() {
  Files files;
  for (const char* text : {"P1\n# c\n3 2\n1 0 1\n0 1 0\n", "P2 3 2 7\n1 2 3 4 5 6\n", "P3 1 2 255 1 2 3 4 5 6 ",
                           "P4 9 2\nabcd", "P5 3 2 255\nabcdef", "P5 3 1 30000\nabcdef", "P6 1 2 200\nabcdef",
                           "P7\nWIDTH 1\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcdefgh",
                           "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 30000\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\nabcdefgh",
                           "P5 1 1 255\naP5 1 1 255\nb"})
    files.push_back(bytes_of(text));
  return files;
}

Files bmps() {
  Files files;
  for (const std::uint32_t header : {12u, 40u, 108u})
    for (const std::uint32_t bits : {1u, 4u, 8u, 16u, 24u, 32u}) {
      if (header == 12 && (bits == 16 || bits == 32)) continue;
      const std::size_t colors = bits <= 8 ? std::size_t{1} << bits : 0, row = (5 * bits + 31) / 32 * 4;
      files.push_back(bmp_file({.width = 5,
                                .height = 3,
                                .bits = bits,
                                .header = header,
                                .top_down = header == 40,
                                .palette = random_bytes(colors * (header == 12 ? 3 : 4), bits)},
                               random_bytes(3 * row, bits)));
    }
  files.push_back(bmp_file({.width = 5, .height = 2, .bits = 16, .compression = 3, .masks = {0xF800, 0x7E0, 0x1F}},
                           random_bytes(24, 1)));
  files.push_back(bmp_file({.width = 5, .height = 2, .bits = 8, .compression = 1, .palette = random_bytes(1024, 1)},
                           {3, 7, 0, 2, 0, 0, 0, 3, 1, 2, 3, 0, 2, 9, 0, 1}));
  files.push_back(bmp_file({.width = 5, .height = 2, .bits = 4, .compression = 2, .palette = random_bytes(64, 1)},
                           {5, 0x71, 0, 0, 0, 5, 0x12, 0x34, 0x50, 0, 0, 1}));
  return files;
}

Files tgas() {
  Files files;
  for (const std::uint32_t bits : {8u, 15u, 16u, 24u, 32u}) {
    const std::size_t bytes = (bits + 7) / 8;
    const Bytes pixels = random_bytes(15 * bytes, bits, 3);
    const std::uint32_t type = bits == 8 ? 3 : 2;
    files.push_back(
        tga_file({.width = 5, .height = 3, .type = type, .bits = bits, .descriptor = bits == 32 ? 8u : 0x20u}, pixels));
    files.push_back(tga_file({.width = 5, .height = 3, .type = type + 8, .bits = bits}, tga_packets(pixels, bytes, 4)));
    if (bits > 8)
      files.push_back(tga_file({.width = 5,
                                .height = 3,
                                .type = 1,
                                .bits = 8,
                                .map_count = 4,
                                .map_bits = bits,
                                .id = {1, 2},
                                .map = random_bytes(4 * bytes, 9)},
                               random_bytes(15, 1, 4)));
  }
  return files;
}

Files psds() {
  Files files;
  for (const std::uint32_t channels : {3u, 4u})
    for (const std::uint32_t depth : {8u, 16u})
      for (const bool packed : {false, true})
        files.push_back(psd_file({.width = 5, .height = 3, .channels = channels, .depth = depth, .packed = packed},
                                 random_bytes(15 * channels * depth / 8, depth, 4)));
  return files;
}

Files gifs() {
  Files files;
  for (const unsigned bits : {1u, 2u, 8u})
    for (const bool interlaced : {false, true}) {
      const GifSpec spec = {.width = 7,
                            .height = 9,
                            .left = interlaced ? 1u : 0u,
                            .canvas_width = 9,
                            .canvas_height = 9,
                            .bits = bits,
                            .interlaced = interlaced,
                            .transparent = interlaced ? 1 : -1};
      const Bytes frame = gif_frame(spec, random_bytes(63, bits, 1u << bits));
      files.push_back(gif_head(spec, random_bytes(std::size_t{3} << bits, 3)) + frame + (interlaced ? frame : Bytes{}) +
                      Bytes{0x3B});
    }
  return files;
}

Files tiffs() {
  Files files;
  for (const char* mode : {"wl", "wb", "w8"})
    for (const auto compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS})
      for (const unsigned samples : {1u, 3u, 4u})
        for (const unsigned bits : {1u, 4u, 8u, 16u}) {
          if (samples > 1 && bits < 8) continue;
          TiffSpec spec = {.width = 17,
                           .height = 5,
                           .bits = bits,
                           .samples = samples,
                           .compression = static_cast<std::uint16_t>(compression)};
          if (samples > 1) spec.photometric = PHOTOMETRIC_RGB;
          if (samples == 4) spec.extra = {EXTRASAMPLE_UNASSALPHA};
          if (mode[1] == 'b' && bits >= 8) spec.planar = PLANARCONFIG_SEPARATE;
          if (mode[1] == '8') spec.tile = 16;
          files.push_back(tiff_of(spec, random_values(spec, samples), mode));
        }
  return files;
}

Files webps() {
  Files files;
  const Bytes pixels = random_bytes(19 * 11 * 4, 1);
  const auto take = [&](std::uint8_t* data, std::size_t size) {
    files.emplace_back(data, data + size);
    WebPFree(data);
  };
  std::uint8_t* data = nullptr;
  std::size_t size = WebPEncodeLosslessRGBA(pixels.data(), 19, 11, 76, &data);
  take(data, size);
  size = WebPEncodeLosslessRGB(pixels.data(), 19, 11, 57, &data);
  take(data, size);
  size = WebPEncodeRGBA(pixels.data(), 19, 11, 76, 60, &data);
  take(data, size);
  size = WebPEncodeRGB(pixels.data(), 19, 11, 57, 60, &data);
  take(data, size);
  return files;
}

/// What hist and stats write of two made-up images, of which the second has so many channels.
Files tables(const std::vector<ReportFormat>& formats, int channels, bool shards) {
  std::vector<FileResult> results(2);
  Total total;
  for (int i = 0; i < 2; ++i) {
    auto& r = results[static_cast<std::size_t>(i)];
    r.input = i == 0 ? "a.png" : "\xFF\"b,\n";
    r.width = 3;
    r.height = 100;
    r.histogram.pixels = 300;
    r.histogram.channels = ChannelSet::of_image(i == 0 ? 1 : channels);
    for (const Channel c : kChannels)
      if (r.histogram.channels.has(c)) r.histogram[c][i == 0 ? 7 : 250] = 300;
    total.add(r);
  }
  if (shards) total.shard = ShardSet{{1}, 2, 4, std::string(64, 'a'), "slurm"};
  Files files;
  for (const ReportFormat format : formats)
    for (const fuzz::Kind kind : {fuzz::Kind::kHist, fuzz::Kind::kStats})
      files.push_back(bytes_of(fuzz::render(kind, format, {.histograms = true}, results, total)));
  return files;
}

Files merges() {
  Files files;
  for (const bool shards : {false, true})
    for (const Bytes& table : tables({ReportFormat::kJson, ReportFormat::kJsonl}, shards ? 1 : 2, shards)) {
      files.push_back(Bytes{0} + table);
      files.push_back(Bytes{1} + table + Bytes{0} + table);
    }
  return files;
}

Files metadata() {
  Files files;
  const Bytes xmp =
      bytes_of("<a tiff:Orientation=\"6\" exif:PixelXDimension='40'><tiff:ImageWidth>40</tiff:ImageWidth>");
  for (std::uint8_t from = 0; from < 2; ++from)
    for (std::uint8_t to = 0; to < 4; ++to) {
      const bool color = to % 2 == 1;
      const Bytes exif = make_exif({.big = color, .orientation = 5u + to % 3, .thumbnail = Bytes(to * 10, 1)});
      const Bytes icc = make_icc(color ? "RGB " : "GRAY", 160);
      Bytes file = {from, to, color, from};
      put16be(file, static_cast<std::uint32_t>(exif.size()));
      put16be(file, static_cast<std::uint32_t>(icc.size()));
      files.push_back(file + exif + icc + xmp);
    }
  return files;
}

Files command_lines() {
  Files files;
  for (const char* text : fuzz::kCommandLines) files.push_back(bytes_of(text));
  return files;
}

Files images() {
  Files files;
  for (std::uint32_t seed = 0; seed < 60; ++seed) files.push_back(random_bytes(24 + seed * 8, seed));
  return files;
}

}  // namespace
}  // namespace gpuhisto::testing

int main(int argc, char** argv) {
  using namespace gpuhisto::testing;
  using gpuhisto::ReportFormat;
  if (argc != 2) return 2;
  std::map<std::string, Files> seeds = {{"jpeg", jpegs()}, {"png", pngs()},   {"pnm", pnms()},
                                        {"bmp", bmps()},   {"tga", tgas()},   {"psd", psds()},
                                        {"gif", gifs()},   {"tiff", tiffs()}, {"webp", webps()}};
  Files any;  // some of each format, behind the choices that `stats` takes: a report's format, and the usual options
  for (const auto& [format, files] : seeds)
    for (std::size_t i = 0; i < files.size(); i += 3)
      any.push_back(Bytes{static_cast<std::uint8_t>(i)} + Bytes(15, 0) + files[i]);
  seeds["stats"] = any;
  seeds["tables"] = tables({ReportFormat::kCsv, ReportFormat::kJson, ReportFormat::kJsonl}, 1, false);
  const Files color = tables({ReportFormat::kCsv}, 4, false);
  seeds["tables"].insert(seeds["tables"].end(), color.begin(), color.end());
  seeds["merge"] = merges();
  seeds["metadata"] = metadata();
  seeds["arguments"] = command_lines();
  seeds["methods_agree"] = seeds["clahe"] = images();
  for (const auto& [target, files] : seeds) {
    const auto folder = std::filesystem::path(argv[1]) / target;
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < files.size(); ++i)
      std::ofstream(folder / ("made-" + std::to_string(i)), std::ios::binary)
          .write(reinterpret_cast<const char*>(files[i].data()), static_cast<std::streamsize>(files[i].size()));
  }
  return 0;
}
