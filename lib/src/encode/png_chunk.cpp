// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "encode/png_chunk.hpp"

#include <libdeflate.h>

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "codecs/byte_fields.hpp"
#include "gpuhisto/error.hpp"
#include "metadata/resolution.hpp"

namespace gpuhisto {
namespace {

using Buffer = std::vector<std::uint8_t>;

constexpr std::size_t kChunkHead = 8;  // length and type, before the data
constexpr std::size_t kMaxChunk = 0x7fffffff;
constexpr int kProfileLevel = 9;  // of libdeflate: profiles are small

void append(Buffer& to, std::string_view text) { to.insert(to.end(), text.begin(), text.end()); }

void append_chunk(Buffer& to, std::uint32_t type, const Buffer& data) {
  Buffer chunk;
  begin_png_chunk(chunk, type);
  chunk.insert(chunk.end(), data.begin(), data.end());
  end_png_chunk(chunk);
  to.insert(to.end(), chunk.begin(), chunk.end());
}

/// A name, 0 for zlib, the stream.
Buffer profile_data(const Buffer& profile) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      libdeflate_alloc_compressor(kProfileLevel), libdeflate_free_compressor);
  if (!compressor) throw Error(ErrorKind::kLimit, "not enough memory for libdeflate");
  Buffer data;
  append(data, {"ICC profile\0\0", 13});
  const std::size_t head = data.size();
  data.resize(head + libdeflate_zlib_compress_bound(compressor.get(), profile.size()));
  data.resize(head + libdeflate_zlib_compress(compressor.get(), profile.data(), profile.size(), data.data() + head,
                                              data.size() - head));
  return data;
}

/// A keyword, not compressed, no language, no translated keyword, the text.
Buffer xmp_data(const Buffer& xmp) {
  Buffer data;
  append(data, {"XML:com.adobe.xmp\0\0\0\0\0", 22});
  data.insert(data.end(), xmp.begin(), xmp.end());
  return data;
}

Buffer resolution_data(const Resolution& resolution) {
  const std::optional<PerMetre> metric = per_metre(resolution), numbers = metric ? metric : pixel_shape(resolution);
  Buffer data;
  put32be(data, numbers ? numbers->x : 1);
  put32be(data, numbers ? numbers->y : 1);
  data.push_back(metric ? 1 : 0);
  return data;
}

}  // namespace

void begin_png_chunk(Buffer& chunk, std::uint32_t type) {
  chunk.assign(kChunkHead - 4, 0);
  put32be(chunk, type);
}

void end_png_chunk(Buffer& chunk) {
  const std::size_t length = chunk.size() - kChunkHead;
  if (length > kMaxChunk) throw Error(ErrorKind::kUnsupported, "a row is too long for one PNG chunk; PAM allows more");
  for (std::size_t i = 0; i < 4; ++i) chunk[i] = static_cast<std::uint8_t>(length >> (24 - 8 * i));
  put32be(chunk, libdeflate_crc32(0, chunk.data() + 4, chunk.size() - 4));
}

Buffer png_metadata_chunks(const Metadata& metadata) {
  Buffer chunks;
  const bool profile = !metadata.icc.empty();
  if (profile) append_chunk(chunks, png_chunk_type("iCCP"), profile_data(metadata.icc));
  for (const MetadataBlock& block : metadata.png_chunks)
    // A profile and sRGB exclude each other.
    if (!profile || block.type != png_chunk_type("sRGB")) append_chunk(chunks, block.type, block.bytes);
  if (metadata.resolution) append_chunk(chunks, png_chunk_type("pHYs"), resolution_data(*metadata.resolution));
  if (!metadata.exif.empty()) append_chunk(chunks, png_chunk_type("eXIf"), metadata.exif);
  if (!metadata.xmp.empty()) append_chunk(chunks, png_chunk_type("iTXt"), xmp_data(metadata.xmp));
  return chunks;
}

}  // namespace gpuhisto
