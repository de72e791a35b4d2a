// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gpuhisto::app {

/// A command adds its options to the program's parser and returns what runs once they are parsed. `tail` holds the
/// arguments after "--", which are never options.
using Run = std::function<int(const std::vector<std::string>& tail)>;

Run add_stats(CLI::App& app);
Run add_hist(CLI::App& app);
Run add_equalize(CLI::App& app);
Run add_stretch(CLI::App& app);
Run add_match(CLI::App& app);
Run add_plot(CLI::App& app);
Run add_bench(CLI::App& app);
Run add_compare(CLI::App& app);
Run add_merge(CLI::App& app);
Run add_devices(CLI::App& app);

}  // namespace gpuhisto::app
