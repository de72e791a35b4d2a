// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "device_flags.hpp"

#include <cstdlib>

#include "environment.hpp"
#include "gpuhisto/policy.hpp"
#include "gpuhisto/report.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

std::string method_list() {
  std::vector<std::string> words;
  for (const auto& method : methods())
    words.push_back(std::string(method.name) + (method.name == "auto" ? " [auto]" : ""));
  return "How to count: " + in_lines(words) + ";\nGPUHISTO_METHOD";
}

/// The keys that a user is most likely to turn, with their values, then the others.
std::string policy_list() {
  std::string with_values, others;
  for (const auto& key : policy_keys()) {
    if (key.values.empty()) {
      others += (others.empty() ? "" : ", ") + std::string(key.name);
      continue;
    }
    std::string values;
    for (const auto value : key.values) values += (values.empty() ? "" : "|") + std::string(value);
    with_values += std::string(key.name) + "=" + values + ",\n";
  }
  return "How a GPU's method launches; docs/devices.md explains:\n" + with_values + others;
}

}  // namespace

void add_device_flags(CLI::App& app, DeviceFlags& flags) {
  app.add_option("--device", flags.device, "Where to count: auto [auto], cpu, gpu, gpu:N, emulated;\nGPUHISTO_DEVICE")
      ->type_name("NAME")
      ->group("Device");
  app.add_option("--method", flags.method, method_list())->type_name("NAME")->group("Device");
  app.add_option("--policy", flags.policy, policy_list())->type_name("KEY=VALUE,...")->group("Device");
  app.add_option("-j,--threads", flags.threads, "CPU threads, 0 = all cores [0]; GPUHISTO_THREADS")
      ->type_name("N")
      ->group("Device");
}

DeviceRequest asked_device(const DeviceFlags& flags) {
  return from_flag_or_environment(flags.device, "GPUHISTO_DEVICE", "auto", parse_device);
}

MethodInfo asked_method(const DeviceFlags& flags) {
  return from_flag_or_environment(flags.method, "GPUHISTO_METHOD", "auto",
                                  [](const std::string& name) { return parse_method(name); });
}

std::string wishes_from_environment(const DeviceFlags& flags) {
  std::string text;
  const auto add = [&](const std::string& flag, const char* variable) {
    const char* value = std::getenv(variable);
    if (flag.empty() && value && *value && value != std::string_view("auto"))
      text += (text.empty() ? "" : ", ") + std::string(variable) + "=" + printable_name(value);
  };
  add(flags.device, "GPUHISTO_DEVICE");
  add(flags.method, "GPUHISTO_METHOD");
  return text.empty() ? text : text + ": ";
}

}  // namespace gpuhisto::app
