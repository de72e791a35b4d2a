// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpuhisto/encoder.hpp"
#include "gpuhisto/pipeline.hpp"
#include "inputs.hpp"

namespace gpuhisto::app {

struct Job {
  Input input;
  std::string output;
};

/// Where the file of this name is or, if it is not there yet, will be: a link to a file leads there, however long the
/// chain.
std::filesystem::path behind_links(std::filesystem::path path);

/// Whether a file that is written under one of the names takes the place of the other. Of two hard links it does not.
bool one_place(const std::string& a, const std::string& b);

/// Whether two outputs are one, there or not; "-" is whatever standard output leads to.
bool is_one_output(const std::string& a, const std::string& b);

/// One output a input below `folder`: relative folders and names kept, the extension changed only for --to or where the
/// input's format cannot be written (then PNG). Throws Error(kUsage) naming both inputs when two would write one
/// output, or one would overwrite the other; links that exist count as what they lead to.
std::vector<Job> outputs_below(const std::string& folder, std::vector<Input> inputs, std::optional<Format> to);

/// A table or plot does not take the place of what it is made from: Error(kUsage) when an output is a named input, or
/// the list of them. An -o before a glob of images means the first of them otherwise.
void refuse_inputs_as_outputs(const InputOptions& inputs, const std::vector<std::string>& outputs);
/// The same for what is only met while listing, in folders and lists: taking such an input throws.
Inputs never_replaced(Inputs inputs, const std::vector<std::string>& outputs);
/// A plot does not take the place of what is read or written beside it: Error(kUsage).
void refuse_plot_among(const std::vector<Job>& jobs, const std::string& plot);

}  // namespace gpuhisto::app
