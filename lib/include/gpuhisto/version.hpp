// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string_view>

/// Exact 256-bin histograms of 8-bit images, on the CPU and on GPUs, and what is made of them. The library never
/// prints, reads arguments or the environment, or ends the program: it throws Error. Functions may be called from any
/// thread; an object belongs to one thread at a time unless its class says more.
namespace gpuhisto {

/// "MAJOR.MINOR.PATCH" of the library, as in semver.org: before 1.0.0 a minor version may change the interface. Modules
/// must be of the same version.
std::string_view version();

}  // namespace gpuhisto
