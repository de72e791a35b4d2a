// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Lookup tables applied to pixels, byte-identical with the CPU.
#pragma once

#include "device/pixel_reader.hpp"
#include "plugin.h"
#include "runtime/device.hpp"
#include "runtime/stream.hpp"

namespace gpuhisto::kernels {

inline constexpr unsigned kTableBytes = 256;

struct ApplyTask {
  PixelView from;  ///< as in counting: one row when there are no gaps in either image
  std::uint8_t* to = nullptr;
  std::size_t to_pitch = 0;
  unsigned channels = 1;
  gpuhisto_apply_kind kind = GPUHISTO_APPLY_ONE;
  bool skip_transparent = false;
  const std::uint8_t* tables = nullptr;  ///< device: 4 of 256 bytes, by channel of the pixel; of luma the first alone
};

/// Applies tables[c] to channel c of each pixel. The alpha table is the identity.
void apply_tables(const ApplyTask& task, const DeviceTraits& device, const Stream& stream);
/// Y of the 14-bit YCrCb goes through tables[0]; 3 or 4 channels.
void apply_luma(const ApplyTask& task, const DeviceTraits& device, const Stream& stream);

/// Whether whole vectors can be read and written: no gaps, and both images equally far from a 16-byte boundary.
inline bool in_step(const ApplyTask& task) {
  const auto phase = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16; };
  return task.from.rows == 1 && phase(task.from.data) == phase(task.to);
}

}  // namespace gpuhisto::kernels
