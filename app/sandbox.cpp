// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "sandbox.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "gpuhisto/error.hpp"
#include "gpuhisto/module.hpp"
#include "landlock.hpp"
#include "outputs.hpp"
#include "syscall_filter.hpp"

namespace gpuhisto::app {
namespace {

namespace fs = std::filesystem;
using Access = Landlock::Access;

void open_modules(const std::vector<std::string>& names) {
  for (const auto& name : names) try {
      Module::open(name);
    } catch (const Error&) {
    }
}

void allow_inputs(const Landlock& rules, const InputOptions& inputs) {
  std::error_code error;
  const auto allow = [&](const std::string& name) {
    const bool walked = inputs.recursive || !fs::is_directory(name, error);
    rules.allow(name, walked ? Access::kRead : Access::kList);
  };
  for (const auto& name : inputs.names)
    if (name != "-") allow(name);
  if (inputs.files_from.empty()) return;
  if (inputs.files_from != "-") rules.allow(inputs.files_from, Access::kRead);
  for (const auto& folder : folders_of_list(inputs)) rules.allow(folder, Access::kRead);
}

void allow_outputs(const Landlock& rules, const SandboxNeeds& needs) {
  std::error_code error;
  for (const auto& name : needs.outputs) {
    if (name.empty() || name == "-") continue;
    const fs::path path = behind_links(name);
    const auto status = fs::status(path, error);
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (fs::exists(status) && !fs::is_regular_file(status))
      rules.allow(name, Access::kWriteTo);
    else
      rules.allow(folder, Access::kWriteBelow);
  }
  if (!needs.output_folder.empty()) rules.allow(needs.output_folder, Access::kWriteBelow);
}

void lacks(SandboxMode mode, Console& console, const std::string& what) {
  const std::string text = "--sandbox: " + what + ": " + reason(std::error_code(errno, std::generic_category()));
  if (mode == SandboxMode::kStrict) throw Error(ErrorKind::kUsage, text + "; --sandbox=best-effort goes on without");
  console.note(text);
}

}  // namespace

void enter_sandbox(SandboxMode mode, const InputOptions& inputs, const SandboxNeeds& needs, Console& console) {
  if (mode == SandboxMode::kOff) return;
  open_modules(needs.modules);
  const Landlock rules;
  allow_inputs(rules, inputs);
  allow_outputs(rules, needs);
  if (!rules.enforce()) lacks(mode, console, "this kernel does not limit files (Landlock)");
  if (!refuse_system_calls()) lacks(mode, console, "this kernel does not filter system calls (seccomp)");
}

}  // namespace gpuhisto::app
