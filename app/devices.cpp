// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/devices.hpp"

#include <memory>

#include "commands.hpp"
#include "exit_code.hpp"
#include "gpuhisto/error.hpp"
#include "output.hpp"
#include "report_flags.hpp"

namespace gpuhisto::app {
namespace {

int run_devices(const std::string& format_name, const std::vector<std::string>& tail) {
  if (!tail.empty()) throw Error(ErrorKind::kUsage, "devices takes no arguments");
  const ReportFormat format = parse_report_format(format_name, "text, csv or json");
  TextOutput out("-");
  out << devices_report(cpu_info(), list_devices(), format);
  out.commit();
  return kExitOk;
}

}  // namespace

Run add_devices(CLI::App& app) {
  auto format = std::make_shared<std::string>("text");
  app.add_option("--format", *format, "text [text], csv, json")->type_name("NAME")->group("Output");
  return [format](const std::vector<std::string>& tail) { return run_devices(*format, tail); };
}

}  // namespace gpuhisto::app
