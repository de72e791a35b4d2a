// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <array>
#include <string>

#include "encode/encoders.hpp"

namespace gpuhisto {
namespace {

void write_rows(const ImageView& image, ByteSink& sink) {
  const std::size_t bytes = image.width * static_cast<std::size_t>(image.channels);
  // Rows without gaps go out in one piece: a system call per row costs more than the copy.
  if (image.row_bytes == bytes) return sink.write(image.data, bytes * image.height);
  constexpr std::size_t kBufferBytes = 256 * 1024;
  std::string buffer;
  for (std::size_t y = 0; y < image.height; ++y) {
    buffer.append(reinterpret_cast<const char*>(image.row(y)), bytes);
    if (buffer.size() < kBufferBytes && y + 1 < image.height) continue;
    sink.write(buffer.data(), buffer.size());
    buffer.clear();
  }
}

}  // namespace

void encode_pnm(const ImageView& image, ByteSink& sink) {
  const std::string header = std::string(image.channels == 1 ? "P5" : "P6") + "\n" + std::to_string(image.width) + " " +
                             std::to_string(image.height) + "\n255\n";
  sink.write(header.data(), header.size());
  write_rows(image, sink);
}

void encode_pam(const ImageView& image, ByteSink& sink) {
  constexpr std::array kTupleTypes = {"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
  const std::string header = "P7\nWIDTH " + std::to_string(image.width) + "\nHEIGHT " + std::to_string(image.height) +
                             "\nDEPTH " + std::to_string(image.channels) + "\nMAXVAL 255\nTUPLTYPE " +
                             kTupleTypes[static_cast<std::size_t>(image.channels - 1)] + "\nENDHDR\n";
  sink.write(header.data(), header.size());
  write_rows(image, sink);
}

}  // namespace gpuhisto
