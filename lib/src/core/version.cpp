// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/version.hpp"

namespace gpuhisto {

std::string_view version() { return GPUHISTO_VERSION; }

}  // namespace gpuhisto
