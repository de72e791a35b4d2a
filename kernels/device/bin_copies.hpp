// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Counters in shared memory in several copies: copy c of row r is the word r * replicas + c. Here they are cleared and
// added up.
#pragma once

#include "runtime/gpu.hpp"

namespace gpuhisto::kernels {

/// So few are emitted sooner than put into place.
inline constexpr std::uint32_t kFewRows = 256;

/// Sets all copies of all rows to 0; a barrier must follow.
__device__ __forceinline__ void clear_copies(uint4* shared, std::uint32_t rows, unsigned replicas) {
  const std::uint32_t vectors = (rows * replicas + 3) / 4;
  for (std::uint32_t i = threadIdx.x; i < vectors; i += blockDim.x) shared[i] = make_uint4(0, 0, 0, 0);
}

/// Calls emit(row, sum_of(row)) for each row, neighbouring threads with neighbouring rows. Blocks start at different
/// rows, so that they do not meet in memory.
template <typename Sum, typename Emit>
__device__ __forceinline__ void emit_rows(std::uint32_t rows, Sum sum_of, Emit emit) {
  const std::uint32_t start = blockIdx.x * 64 % rows;
  for (std::uint32_t i = threadIdx.x; i < rows; i += blockDim.x) {
    const std::uint32_t row = i + start < rows ? i + start : i + start - rows;
    emit(row, sum_of(row));
  }
}

/// Calls use(row, part, sum) in every lane: replicas / 4 neighbours share a row, one vector (part) each, and add up by
/// shuffles that all lanes take part in.
template <typename Use>
__device__ __forceinline__ void sum_vectors(const uint4* shared, std::uint32_t rows, unsigned replicas, Use use) {
  const unsigned lanes = replicas / 4;
  const std::uint32_t vectors = rows * lanes;
  for (std::uint32_t round = 0; round < vectors; round += blockDim.x) {
    const std::uint32_t i = round + threadIdx.x;
    const uint4 vector = i < vectors ? shared[i] : make_uint4(0, 0, 0, 0);
    std::uint32_t sum = vector.x + vector.y + vector.z + vector.w;
    for (unsigned step = 1; step < lanes; step *= 2) sum += wave_shuffle_xor(sum, step);
    if (i < vectors) use(i / lanes, i % lanes, sum);
  }
}

/// Calls emit(row, sum over the copies) once for each row; a barrier must have preceded. The copies are used up. Blocks
/// of whole waves only.
template <typename Emit>
__device__ __forceinline__ void merge_copies(uint4* shared, std::uint32_t rows, unsigned replicas, Emit emit) {
  std::uint32_t* words = reinterpret_cast<std::uint32_t*>(shared);
  if (replicas < 4) {
    const auto sum_of = [&](std::uint32_t row) {
      std::uint32_t sum = 0;
      for (unsigned c = 0; c < replicas; ++c) sum += words[row * replicas + c];
      return sum;
    };
    return emit_rows(rows, sum_of, emit);
  }
  if (replicas <= 8 && rows <= kFewRows)
    return sum_vectors(shared, rows, replicas, [&](std::uint32_t row, unsigned part, std::uint32_t sum) {
      if (part == 0) emit(row, sum);
    });
  // With many copies few lanes of a wave would have a sum to emit, and memory would see a request for each. So a sum
  // first replaces one of the copies, another one for each row: lanes that read the sums of neighbouring rows then use
  // different banks. The lane stores it that has read the copy.
  const auto place = [&](std::uint32_t row) { return row * replicas + row % replicas; };
  sum_vectors(shared, rows, replicas, [&](std::uint32_t row, unsigned part, std::uint32_t sum) {
    if (part == row % replicas / 4) words[place(row)] = sum;
  });
  __syncthreads();
  emit_rows(
      rows, [&](std::uint32_t row) { return words[place(row)]; }, emit);
}

}  // namespace gpuhisto::kernels
