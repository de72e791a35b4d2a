// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The report's sections beyond one 8-bit image. Each returns whether every run counted right.
#pragma once

#include "tools/report_device.hpp"

namespace gpuhisto::report {

/// 2^26 32-bit keys in 256 and 4096 bins, odd and large numbers of bins, 2^24 keys in 2^24 bins.
bool report_keys(ReportDevice& device);
/// 4096 images of 256x256 in one launch.
bool report_batch(ReportDevice& device);
/// CLAHE of images of 12 and 100 Mpix.
bool report_clahe(ReportDevice& device);

}  // namespace gpuhisto::report
