// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpuhisto {

/// A choice about how a device's method launches its kernels. A policy is text, "key=value,…", over the method's own.
struct PolicyKey {
  std::string_view name;
  std::string_view meaning;                  ///< one line for help and documentation
  std::span<const std::string_view> values;  ///< empty: a number, where 0 is the method's own
};
/// All that any method knows.
std::span<const PolicyKey> policy_keys();

/// Throws Error(kUsage), naming the nearest that there is, for a key or value that no method knows, and for a comma
/// with nothing before or after it or a key given twice. Whether a device can run the policy is the device's to say.
void check_policy(const std::string& text);

}  // namespace gpuhisto
