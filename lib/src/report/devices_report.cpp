// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <array>

#include "gpuhisto/devices.hpp"
#include "report/fields.hpp"
#include "report/json_model.hpp"
#include "report/text_style.hpp"

namespace gpuhisto {
namespace {

constexpr std::string_view kHeader =
    "device,name,platform,module,memory_bytes,multiprocessors,threads,wave_size,shared_bytes,reason\n";

std::string_view platform_of(std::string_view module) {
  constexpr std::string_view kPrefix = "gpuhisto_";
  return module.starts_with(kPrefix) ? module.substr(kPrefix.size()) : module;
}

// --- text

using Row = std::array<std::string, 7>;

std::string bytes_text(std::uint64_t bytes) {
  if (bytes == 0) return "";
  const double kib = static_cast<double>(bytes) / 1024;
  return kib < 1024 * 1024 ? fixed(kib, 0) + " KiB" : fixed(kib / 1024 / 1024, 1) + " GiB";
}

Row row_of(const DeviceInfo& device) {
  const std::string units = device.platform == "cuda" ? " SMs" : " CUs";
  return {device.id,
          printable_name(device.name),
          bytes_text(device.memory_bytes),
          std::to_string(device.multiprocessors) + units,
          std::to_string(device.wave_size),
          bytes_text(device.shared_bytes),
          device.module};
}

std::string text_table(const std::vector<Row>& rows) {
  std::array<std::size_t, std::tuple_size_v<Row>> widths{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool number = i >= 2 && i <= 5;
      line += (i ? "  " : "") + (number ? pad_left(row[i], widths[i]) : pad_right(row[i], widths[i]));
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

std::string text_report(const CpuInfo& cpu, const DeviceList& list) {
  std::vector<Row> rows = {{"device", "name", "memory", "units", "wave", "shared", "module"}};
  rows.push_back({"cpu", printable_name(cpu.name), bytes_text(cpu.memory_bytes),
                  std::to_string(cpu.threads) + (cpu.threads == 1 ? " thread" : " threads"), "", "", ""});
  for (const DeviceInfo& device : list.devices) rows.push_back(row_of(device));
  std::string text = text_table(rows);
  if (!list.missing.empty()) text += "\nnot available:\n";
  for (const auto& missing : list.missing) {
    const auto platform = platform_of(missing.module);
    const std::string what = platform == "hip" ? "AMD GPU" : platform == "cuda" ? "NVIDIA GPU" : std::string(platform);
    text += "  " + pad_right(what, 12) + printable_name(missing.reason) + '\n';
  }
  return text;
}

// --- CSV and JSON

std::string csv_report(const CpuInfo& cpu, const DeviceList& list) {
  std::string text(kHeader);
  const auto add = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i) text += ',';
      append_csv_field(text, fields[i]);
    }
    text += '\n';
  };
  add({"cpu", cpu.name, "cpu", "", std::to_string(cpu.memory_bytes), "", std::to_string(cpu.threads), "", "", ""});
  for (const DeviceInfo& d : list.devices)
    add({d.id, d.name, d.platform, d.module, std::to_string(d.memory_bytes), std::to_string(d.multiprocessors), "",
         std::to_string(d.wave_size), std::to_string(d.shared_bytes), ""});
  for (const auto& missing : list.missing)
    add({"", "", std::string(platform_of(missing.module)), missing.module, "", "", "", "", "", missing.reason});
  return text;
}

std::string json_report(const CpuInfo& cpu, const DeviceList& list) {
  Json document = {{"schema", kSchema}, {"devices", Json::array()}, {"missing", Json::array()}};
  document["devices"].push_back({{"device", "cpu"},
                                 {"name", utf8_name(cpu.name)},
                                 {"platform", "cpu"},
                                 {"memory_bytes", cpu.memory_bytes},
                                 {"threads", cpu.threads}});
  for (const DeviceInfo& d : list.devices)
    document["devices"].push_back({{"device", d.id},
                                   {"name", utf8_name(d.name)},
                                   {"platform", d.platform},
                                   {"module", d.module},
                                   {"memory_bytes", d.memory_bytes},
                                   {"multiprocessors", d.multiprocessors},
                                   {"wave_size", d.wave_size},
                                   {"shared_bytes", d.shared_bytes}});
  for (const auto& missing : list.missing)
    document["missing"].push_back(
        {{"platform", platform_of(missing.module)}, {"module", missing.module}, {"reason", utf8_name(missing.reason)}});
  return document.dump(2) + '\n';
}

}  // namespace

std::string devices_report(const CpuInfo& cpu, const DeviceList& devices, ReportFormat format) {
  switch (format) {
    case ReportFormat::kText:
      return text_report(cpu, devices);
    case ReportFormat::kCsv:
      return csv_report(cpu, devices);
    case ReportFormat::kJson:
      return json_report(cpu, devices);
    case ReportFormat::kJsonl:
      break;
  }
  throw Error(ErrorKind::kUsage, "devices are written as text, csv or json");
}

}  // namespace gpuhisto
