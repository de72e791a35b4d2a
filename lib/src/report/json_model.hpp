// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// The objects of the JSON schema, keys in their documented order.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gpuhisto/report.hpp"

namespace gpuhisto {

using Json = nlohmann::ordered_json;

inline constexpr int kSchema = 1;

Json counting_json(const Counting& counting);
Json result_json(const FileResult& result, const ReportOptions& options);
Json total_json(const Total& total, const ReportOptions& options);  ///< always with histograms
std::string to_text(const Json& json);                              ///< one line, valid UTF-8

}  // namespace gpuhisto
