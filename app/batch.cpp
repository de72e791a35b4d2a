// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "batch.hpp"

#include "exit_code.hpp"
#include "shard.hpp"

namespace gpuhisto::app {

int run_batch(const Inputs& inputs, const Plan& plan, Console& console, const Batch& batch) {
  int exit = kExitOk;
  bool any = false;
  std::uint64_t done = 0, by_device = 0;
  OrderedWork jobs;
  jobs.work = batch.work;
  jobs.report = [&](FileResult&& result) {
    const bool failed = result.status == Status::kError;
    any = any || result.status != Status::kSkipped;
    ++done;
    if (result.device != "cpu") ++by_device;
    if (failed) exit = worse(exit, exit_code_of(result.error_kind));
    console.tell(result);
    if (batch.report) batch.report(result);
    console.advance(result.histogram.pixels, failed);
  };
  console.start_progress(inputs.count);
  run_ordered(inputs.list,
              {.threads = plan.threads,
               .window = 0,
               .workers = plan.count.workers,
               .background = plan.count.device != "cpu" || plan.count.device_start},
              jobs);
  console.end_progress();
  if (const auto& start = plan.count.device_start) {
    const std::string why_not = start->ended() ? start->why_not() : "it had not started";
    console.detail(why_not.empty() ? "the GPU counted " + std::to_string(by_device) + " of " + std::to_string(done) +
                                         " inputs, the CPU those before it had started"
                                   : "no GPU counted: " + why_not);
  }
  if (!any) console.note(nothing_found(inputs));
  return exit;
}

int count_batch(const Inputs& inputs, const Plan& plan, Console& console,
                const std::function<void(const FileResult& result)>& report) {
  const auto work = [&plan](const Input& input, int threads) { return count_file_later(input, plan.count, threads); };
  return run_batch(inputs, plan, console, {work, report});
}

}  // namespace gpuhisto::app
