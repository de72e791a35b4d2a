// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <functional>

namespace gpuhisto {

/// Fork/join: calls part(i, begin, end) for i in [0, parts) with begin = i*n/parts and end = (i+1)*n/parts, the last
/// part on the calling thread, and returns when all are done. The first exception is rethrown after the join. Parts
/// with begin == end are not called. Threads are kept between calls; after fork() the child starts its own.
void fork_join(std::size_t n, int parts, const std::function<void(int part, std::size_t begin, std::size_t end)>& work);

int hardware_threads();  ///< cores this process may use (its affinity mask), at least 1

}  // namespace gpuhisto
