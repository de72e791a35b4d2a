// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// One maker for each reporter of comparisons.
#pragma once

#include <memory>

#include "gpuhisto/compare.hpp"

namespace gpuhisto {

std::unique_ptr<CompareReporter> make_compare_text(const CompareOptions& options, std::ostream& out);
std::unique_ptr<CompareReporter> make_compare_csv(const CompareOptions& options, std::ostream& out);
std::unique_ptr<CompareReporter> make_compare_json(const CompareOptions& options, std::ostream& out);
std::unique_ptr<CompareReporter> make_compare_jsonl(const CompareOptions& options, std::ostream& out);

}  // namespace gpuhisto
