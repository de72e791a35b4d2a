// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "tiff_inflate.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

// What all streams together may hold beyond the pixels: a small file could make work without end.
constexpr std::uint64_t kMostSurplus = std::uint64_t{1} << 28;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // zlib counts in 32 bits

template <typename Sample>
void add_up(Sample* samples, std::size_t count, std::size_t step) {
  const auto run = [&](auto by) {
    for (std::size_t i = by; i < count; ++i) samples[i] = static_cast<Sample>(samples[i] + samples[i - by]);
  };
  // A step known to the compiler keeps the sums in registers.
  if (step == 1) return run(std::integral_constant<std::size_t, 1>{});
  if (step == 3) return run(std::integral_constant<std::size_t, 3>{});
  if (step == 4) return run(std::integral_constant<std::size_t, 4>{});
  run(step);
}

}  // namespace

bool TiffInflater::reads(const TiffFile& file, const TiffLayout& layout) {
  const auto compression = file.field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  if (compression != COMPRESSION_ADOBE_DEFLATE && compression != COMPRESSION_DEFLATE) return false;
  const auto predictor = file.field<std::uint16_t>(TIFFTAG_PREDICTOR, PREDICTOR_NONE);
  return file.field<std::uint16_t>(TIFFTAG_FILLORDER, FILLORDER_MSB2LSB) == FILLORDER_MSB2LSB &&
         (predictor == PREDICTOR_NONE || (predictor == PREDICTOR_HORIZONTAL && layout.bits >= 8));
}

TiffInflater::TiffInflater(const TiffFile& file, const TiffLayout& layout)
    : file_(file),
      bits_(layout.bits),
      step_(layout.samples_a_plane()),
      differences_(file.field<std::uint16_t>(TIFFTAG_PREDICTOR, PREDICTOR_NONE) == PREDICTOR_HORIZONTAL),
      swapped_(layout.bits == 16 && TIFFIsByteSwapped(file.get()) != 0),
      surplus_left_(kMostSurplus) {
  if (inflateInit(&stream_) != Z_OK) throw Error(ErrorKind::kLimit, "not enough memory for zlib");
}

TiffInflater::~TiffInflater() { inflateEnd(&stream_); }

void TiffInflater::open(std::uint32_t part) {
  const std::span<const std::uint8_t> all = file_.all_bytes();
  const std::uint64_t at = TIFFGetStrileOffset(file_.get(), part), size = TIFFGetStrileByteCount(file_.get(), part);
  if (at > all.size() || size > all.size() - at)
    throw Error(ErrorKind::kInput, "a strip or tile reaches beyond the end of the file");
  rest_ = all.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
  inflateReset(&stream_);
  stream_.avail_in = 0;
}

int TiffInflater::inflate_some() {
  if (stream_.avail_in == 0) {
    const std::span<const std::uint8_t> next = rest_.first(std::min(rest_.size(), kMostAtOnce));
    rest_ = rest_.subspan(next.size());
    stream_.next_in = const_cast<Bytef*>(next.data());
    stream_.avail_in = static_cast<uInt>(next.size());
  }
  const int answer = inflate(&stream_, Z_NO_FLUSH);
  if (answer == Z_OK || answer == Z_STREAM_END) return answer;
  const bool cut = answer == Z_BUF_ERROR || stream_.msg == nullptr;
  throw Error(ErrorKind::kInput, "zlib: " + std::string(cut ? "the pixels are truncated" : stream_.msg));
}

void TiffInflater::read(std::span<std::uint8_t> to, std::size_t row_bytes) {
  for (std::span<std::uint8_t> left = to; !left.empty();) {
    const std::size_t wanted = std::min(left.size(), kMostAtOnce);
    stream_.next_out = left.data();
    stream_.avail_out = static_cast<uInt>(wanted);
    const int answer = inflate_some();
    left = left.subspan(wanted - stream_.avail_out);
    if (answer == Z_STREAM_END && !left.empty()) throw Error(ErrorKind::kInput, "zlib: the pixels are truncated");
  }
  if (differences_ || swapped_)
    for (std::size_t at = 0; at < to.size(); at += row_bytes) undo_predictor(to.subspan(at, row_bytes));
}

void TiffInflater::undo_predictor(std::span<std::uint8_t> row) const {
  if (bits_ == 8) return add_up(row.data(), row.size(), step_);
  auto* const words = static_cast<std::uint16_t*>(static_cast<void*>(row.data()));
  if (swapped_) TIFFSwabArrayOfShort(words, static_cast<tmsize_t>(row.size() / 2));
  if (differences_) add_up(words, row.size() / 2, step_);
}

void TiffInflater::close(const TimeLimit& limit) {
  std::array<std::uint8_t, 1 << 15> surplus;
  do {
    stream_.next_out = surplus.data();
    stream_.avail_out = surplus.size();
    if (inflate_some() == Z_STREAM_END) return;
    limit.check();
    surplus_left_ -= std::min<std::uint64_t>(surplus_left_, surplus.size() - stream_.avail_out);
  } while (surplus_left_ > 0);
  throw Error(ErrorKind::kInput, "zlib: far more data than pixels");
}

}  // namespace gpuhisto
