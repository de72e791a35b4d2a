// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Kernels that count nothing: test patterns, and reading as the roofline of measurements.
#pragma once

#include "plugin.h"
#include "runtime/buffer.hpp"
#include "runtime/device.hpp"
#include "runtime/stream.hpp"

namespace gpuhisto::kernels {

/// Throws DeviceError where the current device cannot run the module's kernels, as when it holds no code for it: as
/// long as no kernel is wanted, runtimes do not tell.
void check_code(const DeviceTraits& device);

/// Fills device memory with values [first_index, first_index + bytes) of a pattern. `tables` is kept by the caller
/// between calls and filled on the first.
void fill_pattern(const gpuhisto_fill& fill, DeviceBuffer& tables, const DeviceTraits& device, const Stream& stream);

/// The same with keys; one of zipf makes its table first. Throws DeviceError for a range or a pattern that has no keys.
void fill_keys(const gpuhisto_fill& fill, const DeviceTraits& device, const Stream& stream);

/// Reads the whole vectors among `bytes` bytes and does nothing else that takes time; `sink` is 4 bytes of device
/// memory.
void read_bytes(const std::uint8_t* data, std::size_t bytes, std::uint32_t* sink, const DeviceTraits& device,
                const Stream& stream);

}  // namespace gpuhisto::kernels
