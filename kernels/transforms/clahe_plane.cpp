// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Gray values out of pixels and back. A thread has four pixels of a row: one word of the plane, and two to four of the
// image, where its rows start at multiples of 4 bytes, else bytes. What is gray already only moves.
#include <algorithm>

#include "transforms/clahe.hpp"
#include "transforms/luma_pixel.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr unsigned kThreads = 256;
[[maybe_unused]] constexpr unsigned kResident = 4;  // not every compiler asks for it
constexpr unsigned kBlocks = 32;                    // a multiprocessor

struct PlaneArguments {
  PixelView pixels;
  std::uint8_t* plane = nullptr;  ///< written by take_gray, read by put_gray
  std::size_t plane_pitch = 0;
  std::uint8_t* to = nullptr;  ///< of put_gray
  std::size_t to_pitch = 0;
  unsigned whole_words = 0;  ///< rows of the image start at multiples of 4 bytes
};

/// Four pixels, word by word as they lie in memory.
template <unsigned kChannels>
struct Four {
  std::uint32_t word[kChannels];
};

/// `count` pixels, the rest 0.
template <unsigned kChannels>
__device__ __forceinline__ Four<kChannels> load_four(const std::uint8_t* at, std::uint32_t count, bool whole_words) {
  Four<kChannels> four;
#pragma unroll
  for (unsigned i = 0; i < kChannels; ++i) {
    if (whole_words && count == 4) {
      four.word[i] = reinterpret_cast<const std::uint32_t*>(at)[i];
      continue;
    }
    four.word[i] = 0;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (4 * i + k < count * kChannels) four.word[i] |= static_cast<std::uint32_t>(at[4 * i + k]) << (8 * k);
  }
  return four;
}

template <unsigned kChannels>
__device__ __forceinline__ void store_four(const Four<kChannels>& four, std::uint8_t* at, std::uint32_t count,
                                           bool whole_words) {
#pragma unroll
  for (unsigned i = 0; i < kChannels; ++i) {
    if (whole_words && count == 4) {
      reinterpret_cast<std::uint32_t*>(at)[i] = four.word[i];
      continue;
    }
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (4 * i + k < count * kChannels) at[4 * i + k] = static_cast<std::uint8_t>(four.word[i] >> (8 * k));
  }
}

__device__ __forceinline__ std::uint32_t gray_of(const Four<2>& four, const WeightedLuma&) {
  const std::uint32_t a = four.word[0], b = four.word[1];
  return byte_of<0>(a) | byte_of<2>(a) << 8 | byte_of<0>(b) << 16 | byte_of<2>(b) << 24;
}
__device__ __forceinline__ std::uint32_t gray_of(const Four<3>& four, const WeightedLuma& luma) {
  const std::uint32_t a = four.word[0], b = four.word[1], c = four.word[2];
  return pack_bytes2(luma.of<0>(a, 0), luma.of<3>(a, b), luma.of<2>(b, c), luma.of<1>(c, 0));
}
__device__ __forceinline__ std::uint32_t gray_of(const Four<4>& four, const WeightedLuma& luma) {
  return pack_bytes2(luma.of<0>(four.word[0], 0), luma.of<0>(four.word[1], 0), luma.of<0>(four.word[2], 0),
                     luma.of<0>(four.word[3], 0));
}

__device__ __forceinline__ void set_gray(Four<2>& four, std::uint32_t gray, const WeightedLuma&) {
  four.word[0] = (four.word[0] & 0xff00ff00u) | byte_of<0>(gray) | byte_of<1>(gray) << 16;
  four.word[1] = (four.word[1] & 0xff00ff00u) | byte_of<2>(gray) | byte_of<3>(gray) << 16;
}

/// The pixel whose red is byte kByte of `low`, with byte kGray of `gray` as its Y.
template <int kByte, int kGray>
__device__ __forceinline__ Rgb with_gray(std::uint32_t low, std::uint32_t high, std::uint32_t gray,
                                         const WeightedLuma& luma) {
  return replace_luma<kByte>(low, high, byte_of<2>(luma.of<kByte>(low, high)), fixed_luma(byte_of<kGray>(gray)));
}
__device__ __forceinline__ void set_gray(Four<3>& four, std::uint32_t gray, const WeightedLuma& luma) {
  const std::uint32_t a = four.word[0], b = four.word[1], c = four.word[2];
  const Rgb p = with_gray<0, 0>(a, 0, gray, luma), q = with_gray<3, 1>(a, b, gray, luma);
  const Rgb r = with_gray<2, 2>(b, c, gray, luma), s = with_gray<1, 3>(c, 0, gray, luma);
  four.word[0] = pack_bytes2(p.red, p.green, p.blue, q.red);
  four.word[1] = pack_bytes2(q.green, q.blue, r.red, r.green);
  four.word[2] = pack_bytes2(r.blue, s.red, s.green, s.blue);
}
__device__ __forceinline__ std::uint32_t with_alpha(const Rgb& color, std::uint32_t pixel) {
  return (pack_bytes2(color.red, color.green, color.blue, 0) & 0x00ffffffu) | (pixel & 0xff000000u);
}
__device__ __forceinline__ void set_gray(Four<4>& four, std::uint32_t gray, const WeightedLuma& luma) {
  four.word[0] = with_alpha(with_gray<0, 0>(four.word[0], 0, gray, luma), four.word[0]);
  four.word[1] = with_alpha(with_gray<0, 1>(four.word[1], 0, gray, luma), four.word[1]);
  four.word[2] = with_alpha(with_gray<0, 2>(four.word[2], 0, gray, luma), four.word[2]);
  four.word[3] = with_alpha(with_gray<0, 3>(four.word[3], 0, gray, luma), four.word[3]);
}

/// Calls use(column, row, count) for each four pixels of this thread; the last ones of a row are fewer.
template <typename Use>
__device__ __forceinline__ void for_each_four(const PixelView& pixels, Use use) {
  const PixelView words = {nullptr, (pixels.width + 3) / 4, pixels.rows, 0};
  PixelWalk walk(words, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  for (; walk.inside(); walk.next()) {
    const std::uint32_t left = pixels.width - 4 * walk.column();
    use(4 * walk.column(), walk.row(), left < 4 ? left : 4);
  }
}

template <unsigned kChannels>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, kResident) take_gray_kernel(PlaneArguments a) {
  const WeightedLuma luma = ycrcb_luma();
  for_each_four(a.pixels, [&](std::uint32_t x, std::uint32_t y, std::uint32_t count) {
    const auto four = load_four<kChannels>(a.pixels.row(y) + std::size_t{x} * kChannels, count, a.whole_words != 0);
    store_four<1>({{gray_of(four, luma)}}, a.plane + y * a.plane_pitch + x, count, true);
  });
}

template <unsigned kChannels>
__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, kResident) put_gray_kernel(PlaneArguments a) {
  const WeightedLuma luma = ycrcb_luma();
  for_each_four(a.pixels, [&](std::uint32_t x, std::uint32_t y, std::uint32_t count) {
    const std::size_t column = std::size_t{x} * kChannels;
    auto four = load_four<kChannels>(a.pixels.row(y) + column, count, a.whole_words != 0);
    set_gray(four, load_four<1>(a.plane + y * a.plane_pitch + x, count, true).word[0], luma);
    store_four(four, a.to + y * a.to_pitch + column, count, a.whole_words != 0);
  });
}

bool starts_at_words(const void* data, std::size_t pitch) {
  return (reinterpret_cast<std::uintptr_t>(data) | pitch) % 4 == 0;
}

/// Gray rows that start anywhere, from one place to another. A thread writes whole vectors of what it writes to, out of
/// the words of what it reads that hold these bytes; at the ends of a row, bytes.
__global__ void GPUHISTO_LAUNCH_BOUNDS(kThreads, kResident)
    move_gray_kernel(PixelView from, std::uint8_t* to, std::size_t to_pitch) {
  constexpr std::uint32_t kVector = sizeof(uint4);
  const PixelView vectors = {nullptr, from.width / kVector + 2, from.rows, 0};
  PixelWalk walk(vectors, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);
  for (; walk.inside(); walk.next()) {
    const std::uint8_t* source = from.row(walk.row());
    std::uint8_t* target = to + walk.row() * to_pitch;
    // The first vector may begin before the row.
    const auto before = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target) % kVector);
    const std::int64_t first = std::int64_t{kVector} * walk.column() - before;
    if (first < 4 || first + kVector + 4 > from.width) {
      for (std::int64_t x = first; x < first + kVector; ++x)
        if (x >= 0 && x < from.width) target[x] = source[x];
      continue;
    }
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(source + first) % 4);
    const auto* words = reinterpret_cast<const std::uint32_t*>(source + first - skew);
    std::uint32_t word[5];
#pragma unroll
    for (unsigned k = 0; k < 5; ++k) word[k] = words[k];
    *reinterpret_cast<uint4*>(target + first) =
        make_uint4(align_bits(word[0], word[1], 8 * skew), align_bits(word[1], word[2], 8 * skew),
                   align_bits(word[2], word[3], 8 * skew), align_bits(word[3], word[4], 8 * skew));
  }
}

LaunchShape shape_for(const PixelView& pixels, const DeviceTraits& device) {
  const std::uint64_t words = std::uint64_t{(pixels.width + 3) / 4} * pixels.rows;
  const std::uint64_t needed = (words + kThreads - 1) / kThreads,
                      most = std::uint64_t{kBlocks} * device.multiprocessors;
  return {static_cast<unsigned>(std::min(needed, most)), kThreads, 0};
}

}  // namespace

void move_gray(const PixelView& from, std::uint8_t* to, std::size_t to_pitch, const DeviceTraits& device,
               const Stream& stream) {
  launch(move_gray_kernel, shape_for(from, device), stream.get(), from, to, to_pitch);
}

void take_gray(const PixelView& pixels, unsigned channels, std::uint8_t* plane, std::size_t plane_pitch,
               const DeviceTraits& device, const Stream& stream) {
  if (channels == 1) return move_gray(pixels, plane, plane_pitch, device, stream);
  constexpr decltype(&take_gray_kernel<2>) kKernels[] = {take_gray_kernel<2>, take_gray_kernel<3>, take_gray_kernel<4>};
  PlaneArguments a;
  a.pixels = pixels;
  a.plane = plane;
  a.plane_pitch = plane_pitch;
  a.whole_words = starts_at_words(pixels.data, pixels.pitch);
  launch(kKernels[channels - 2], shape_for(pixels, device), stream.get(), a);
}

void put_gray(const PixelView& pixels, unsigned channels, const GrayPlane& plane, std::uint8_t* to,
              std::size_t to_pitch, const DeviceTraits& device, const Stream& stream) {
  if (channels == 1)
    return move_gray({plane.data, pixels.width, pixels.rows, plane.pitch}, to, to_pitch, device, stream);
  constexpr decltype(&put_gray_kernel<2>) kKernels[] = {put_gray_kernel<2>, put_gray_kernel<3>, put_gray_kernel<4>};
  PlaneArguments a;
  a.pixels = pixels;
  a.plane = const_cast<std::uint8_t*>(plane.data);
  a.plane_pitch = plane.pitch;
  a.to = to;
  a.to_pitch = to_pitch;
  a.whole_words = starts_at_words(pixels.data, pixels.pitch) && starts_at_words(to, to_pitch);
  launch(kKernels[channels - 2], shape_for(pixels, device), stream.get(), a);
}

}  // namespace gpuhisto::kernels
