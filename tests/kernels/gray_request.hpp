// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Requests for one gray strip on the host, which must stay.
#pragma once

#include <cstdint>

#include "plugin.h"

namespace gpuhisto::test {

inline gpuhisto_count gray_request(const gpuhisto_strip& strip, const char* method, const char* policy) {
  gpuhisto_count request = {};
  request.size = sizeof request;
  request.channels = 1;
  request.memory = GPUHISTO_ON_HOST;
  request.strips_count = 1;
  request.strips = &strip;
  request.method = method;
  request.policy = policy;
  return request;
}

/// Tables and tiles are left to the caller.
inline gpuhisto_apply gray_apply(const gpuhisto_apply_strip& strip, std::uint32_t kind) {
  gpuhisto_apply request = {};
  request.size = sizeof request;
  request.kind = kind;
  request.channels = 1;
  request.memory = GPUHISTO_ON_HOST;
  request.strips_count = 1;
  request.strips = &strip;
  return request;
}

}  // namespace gpuhisto::test
