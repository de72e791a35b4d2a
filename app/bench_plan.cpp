// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// From bench's options to what is measured.
#include "bench_plan.hpp"

#include <algorithm>

#include "arguments.hpp"
#include "available_memory.hpp"
#include "bench_input.hpp"
#include "bench_values.hpp"
#include "device_flags.hpp"
#include "environment.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/method.hpp"
#include "gpuhisto/policy.hpp"
#include "gpuhisto/report.hpp"
#include "values.hpp"

namespace gpuhisto::app {
namespace {

using bench::Keys;

constexpr const char* kInexact = "unsafe-nonatomic";

/// What is measured when nobody says how much: some seconds' work for each kind of machine.
struct Defaults {
  std::uint64_t pixels, keys;
  const char* patterns;
};
Defaults defaults_of(const bench::TargetInfo& info) {
  if (info.id == "cpu") return {std::uint64_t{1} << 24, std::uint64_t{1} << 22, "uniform,photo,constant"};
  if (!info.timed) return {std::uint64_t{1} << 16, std::uint64_t{1} << 14, "uniform,photo,constant"};
  return {std::uint64_t{1} << 28, std::uint64_t{1} << 26, "uniform,photo,constant"};
}
constexpr std::uint64_t kStudyOnSmallCpu = std::uint64_t{1} << 22;  // where no GPU comes with a large machine
constexpr const char* kKeyPatterns = "uniform,zipf,constant";

/// The methods that were named; empty for all.
std::vector<std::string> named_methods(const std::string& text) {
  if (text == "all") return {};
  std::vector<std::string> names = {"all"};
  for (const auto& method : methods())
    if (method.name != "auto") names.emplace_back(method.name);
  names.emplace_back(kInexact);
  auto words = parse_words(text, "a method");
  for (const auto& word : words) require_name(word, names, "method");
  return words;
}

bool wants_cpu(const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), "cpu") != names.end();
}
bool wants_device(const std::vector<std::string>& names) {
  return names.empty() || std::any_of(names.begin(), names.end(), [](const auto& name) { return name != "cpu"; });
}
bool wants_all(const std::vector<std::string>& names) {
  return names.empty() || std::find(names.begin(), names.end(), "all") != names.end();
}
/// The first method named that no CPU runs; "" when there is none.
std::string named_for_gpu(const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (name != "cpu" && name != "all" && name != kInexact) return name;
  return "";
}

/// A machine without a GPU is one of the usual kinds; one whose GPU fails has figures that nobody expects.
bool a_gpu_fails() {
  const DeviceList list = list_devices();
  return std::any_of(list.devices.begin(), list.devices.end(),
                     [](const auto& device) { return device.id.starts_with("gpu:"); }) ||
         std::any_of(list.missing.begin(), list.missing.end(), [](const auto& missing) { return missing.gpu_fails; });
}

/// The device that was asked for; null: there is no GPU and the CPU will do, as neither a method nor a policy needs
/// one.
std::shared_ptr<bench::Target> find_target(const BenchFlags& flags, const DeviceRequest& request,
                                           const std::vector<std::string>& names, Console& console) {
  if (request.kind == DeviceKind::kCpu) {
    if (const std::string name = named_for_gpu(names); !name.empty())
      throw Error(ErrorKind::kUsage, "method '" + name + "' does not run on device 'cpu'");
    return nullptr;
  }
  if (!wants_device(names) && request.kind != DeviceKind::kAuto)
    throw Error(ErrorKind::kUsage, "method 'cpu' does not run on a GPU: leave out --device or --method");
  if (request.kind == DeviceKind::kEmulated) return bench::open_device_target("emulated");
  if (!wants_device(names)) return nullptr;
  try {
    return bench::open_device_target("gpu:" + std::to_string(std::max(request.index, 0)));
  } catch (const Error& error) {
    if (request.kind == DeviceKind::kAuto && wants_all(names) && named_for_gpu(names).empty() && flags.policy.empty()) {
      const char* instead = flags.preset.empty() ? "; the CPU is measured instead" : "";  // a study tells that itself
      if (a_gpu_fails()) console.note(error.what() + std::string(instead));
      return nullptr;
    }
    throw Error(ErrorKind::kDevice, std::string(error.what()) +
                                        (request.kind == DeviceKind::kAuto
                                             ? "; --device emulated runs GPU methods without one, and counts atomics"
                                             : ""));
  }
}

/// The same for what the flags and the environment, which errors name, ask for.
std::shared_ptr<bench::Target> open_target(const BenchFlags& flags, const DeviceRequest& request,
                                           const std::vector<std::string>& names, Console& console) {
  try {
    auto target = find_target(flags, request, names, console);
    if (!target && !flags.policy.empty())
      throw Error(ErrorKind::kUsage, "policy '" + flags.policy + "' is for methods of a GPU, not for the CPU");
    return target;
  } catch (const Error& error) {
    DeviceFlags wishes;
    wishes.device = flags.device;
    wishes.method = "all";  // not from the environment
    throw Error(error.kind(), wishes_from_environment(wishes) + error.what());
  }
}

std::vector<bench::Candidate> device_candidates(const bench::Target& target, const std::vector<std::string>& names,
                                                const std::string& policy) {
  const bool all = wants_all(names);
  std::vector<bench::Candidate> list;
  for (const auto& method : target.methods()) {
    const bool named = std::find(names.begin(), names.end(), method.name) != names.end();
    if (named || (all && method.exact)) list.push_back({method.name, policy, "", {}});
  }
  return list;
}

/// 1, 2, 4, … and all threads; and what was named besides.
std::vector<bench::Candidate> cpu_candidates(const std::vector<std::string>& names, int threads) {
  std::vector<bench::Candidate> list;
  const bool unsafe = std::find(names.begin(), names.end(), kInexact) != names.end();
  if (!unsafe || names.size() > 1) {
    for (int n = 1; n < threads; n *= 2) list.push_back({"cpu", "threads=" + std::to_string(n), "", {}});
    list.push_back({"cpu", "threads=" + std::to_string(threads), "", {}});
  }
  if (unsafe) list.push_back({kInexact, "threads=" + std::to_string(threads), "", {}});
  return list;
}

/// What a preset decides itself.
void check_preset_flags(const BenchFlags& flags) {
  const BenchFlags untouched;
  const auto given = [&](std::string BenchFlags::*field) { return flags.*field != untouched.*field; };
  for (const auto field : {&BenchFlags::method, &BenchFlags::pattern, &BenchFlags::pixels, &BenchFlags::channels,
                           &BenchFlags::keys, &BenchFlags::bins, &BenchFlags::map, &BenchFlags::key_range,
                           &BenchFlags::policy, &BenchFlags::input, &BenchFlags::batch})
    if (given(field))
      throw Error(ErrorKind::kUsage,
                  "a --preset decides what is counted and how: leave out --method, --policy and the "
                  "options of the input");
}

const bench::Preset& find_preset(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& preset : bench::presets()) {
    if (preset.name == name) return preset;
    names.emplace_back(preset.name);
  }
  require_name(name, names, "preset");
  throw Error(ErrorKind::kUsage, name);  // not reached: the name is unknown
}

class Planner {
 public:
  Planner(const BenchFlags& flags, int threads, Console& console)
      : flags_(flags), counted_(make_counted(flags, threads, console)) {
    prototype_.rounds = parse_rounds(flags.rounds);
    prototype_.host_memory = available_memory().value_or(0);
    prototype_.min_seconds = parse_seconds(flags.min_time);
    prototype_.seed = parse_number(flags.seed, "a seed");
    prototype_.hot = flags.hot;
  }

  /// A study's cases for one kind of machine; fewer pixels or keys where kernels are emulated.
  BenchPart study(const bench::Preset& preset, std::shared_ptr<bench::Target> target, bool reduced) const {
    BenchPart part{std::move(target), {}};
    const bool on_cpu = part.target->info().id == "cpu";
    for (auto& [request, for_cpu] : preset.cases(reduced && !on_cpu ? preset.reduced : preset.size)) {
      if (for_cpu != on_cpu) continue;
      if (on_cpu && reduced) request.shape.width = std::min(request.shape.width, kStudyOnSmallCpu);
      request.title = std::string(preset.name) + ": " + request.title;
      request.source = preset.source;
      request.rounds = prototype_.rounds;
      request.min_seconds = prototype_.min_seconds;
      request.seed = prototype_.seed;
      request.hot = prototype_.hot;
      request.host_memory = prototype_.host_memory;
      part.requests.push_back(std::move(request));
    }
    return part;
  }

  BenchPart part(std::shared_ptr<bench::Target> target, const std::vector<bench::Candidate>& candidates) const {
    BenchPart part{std::move(target), {}};
    for (const auto& input : inputs(part.target->info()))
      for (const std::uint64_t size : sizes(part.target->info())) {
        bench::Request request = prototype_;
        request.input = input;
        request.shape = counted_.shape;
        if (!sized()) request.shape.width = size;
        bench::check_size(request.shape);
        set_bins(flags_, request.shape, request.input);
        request.candidates = candidates;
        part.requests.push_back(std::move(request));
      }
    return part;
  }

 private:
  bool sized() const { return counted_.image || !flags_.batch.empty(); }

  std::vector<bench::Input> inputs(const bench::TargetInfo& info) const {
    if (counted_.image) {
      bench::Input input;
      input.name = printable_name(unmark(flags_.input));
      input.image = counted_.image;
      return {input};
    }
    const bool u32 = counted_.shape.keys == Keys::kU32;
    const std::string text =
        flags_.pattern.empty() ? (u32 ? kKeyPatterns : defaults_of(info).patterns) : flags_.pattern;
    return parse_patterns(text, counted_.shape.keys);
  }

  std::vector<std::uint64_t> sizes(const bench::TargetInfo& info) const {
    if (sized()) return {0};
    const Defaults defaults = defaults_of(info);
    if (flags_.pixels.empty()) return {counted_.shape.keys == Keys::kU32 ? defaults.keys : defaults.pixels};
    return parse_numbers(flags_.pixels, "a size");
  }

  const BenchFlags& flags_;
  Counted counted_;
  bench::Request prototype_;
};

}  // namespace

namespace {

/// On a GPU if there is one, else on the emulated device; and on the CPU, unless the emulated device was asked for.
void plan_study(const BenchFlags& flags, const DeviceRequest& device, BenchPlan& plan, Console& console) {
  check_preset_flags(flags);
  const bench::Preset& preset = find_preset(flags.preset);
  const Planner planner(flags, plan.threads, console);
  std::shared_ptr<bench::Target> target = open_target(flags, device, {}, console);
  const bool gpu = target && target->info().timed;
  if (!target && device.kind == DeviceKind::kAuto) target = bench::open_device_target("emulated");
  if (target && !gpu)
    console.note("the study runs reduced, on " + std::to_string(preset.reduced) + " instead of " +
                 std::to_string(preset.size) +
                 " pixels or keys: " + (device.kind == DeviceKind::kAuto ? "no GPU can be used, and " : "") +
                 "the emulated device counts atomics and bank conflicts instead of time");
  if (target) plan.parts.push_back(planner.study(preset, target, !gpu));
  if (device.kind == DeviceKind::kEmulated) return;
  if (!gpu && preset.size > kStudyOnSmallCpu)
    console.note("the CPU counts at most " + std::to_string(kStudyOnSmallCpu) + " instead of " +
                 std::to_string(preset.size) + " pixels or keys without a GPU");
  plan.parts.push_back(planner.study(preset, bench::make_cpu_target(plan.threads), !gpu));
}

void plan_methods(const BenchFlags& flags, const DeviceRequest& device, BenchPlan& plan, Console& console) {
  const auto names = named_methods(flags.method);
  const Planner planner(flags, plan.threads, console);
  const auto target = open_target(flags, device, names, console);
  if (target) plan.parts.push_back(planner.part(target, device_candidates(*target, names, flags.policy)));
  if (!target || wants_cpu(names))
    plan.parts.push_back(planner.part(bench::make_cpu_target(plan.threads),
                                      cpu_candidates(target ? std::vector<std::string>{} : names, plan.threads)));
}

}  // namespace

BenchPlan make_bench_plan(const BenchFlags& flags, Console& console) {
  BenchPlan plan;
  plan.threads = from_flag_or_environment(flags.threads, "GPUHISTO_THREADS", "0", parse_threads);
  plan.seed = parse_number(flags.seed, "a seed");
  check_policy(flags.policy);
  const DeviceRequest device = from_flag_or_environment(flags.device, "GPUHISTO_DEVICE", "auto", parse_device);
  if (flags.preset.empty())
    plan_methods(flags, device, plan, console);
  else
    plan_study(flags, device, plan, console);
  return plan;
}

}  // namespace gpuhisto::app
