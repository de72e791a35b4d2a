// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The columns of the CSV, which are the keys of the JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "gpuhisto/bench_report.hpp"
#include "report/fields.hpp"

namespace gpuhisto::bench {

using Cell = std::variant<std::string, Value>;  ///< an empty text or value is absent
void for_each_column(const Group& group, const Line& line,
                     const std::function<void(std::string_view name, const Cell& cell)>& use);

}  // namespace gpuhisto::bench
