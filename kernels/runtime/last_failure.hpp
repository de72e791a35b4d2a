// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

namespace gpuhisto::kernels {

/// Keeps what failed last on the calling thread; of long texts the beginning. Throws nothing.
void set_last_failure(const char* text) noexcept;
/// The text. Where there was no memory to keep it, that.
const char* last_failure() noexcept;

}  // namespace gpuhisto::kernels
