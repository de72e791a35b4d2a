// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "batch.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "exit_code.hpp"
#include "gpuhisto/error.hpp"
#include "shard.hpp"
#include "signals.hpp"

namespace gpuhisto::app {
namespace {

/// One batch: how far it is, and what ends it early.
class Course {
 public:
  Course(const Inputs& inputs, const Plan& plan, Console& console, const Batch& batch)
      : inputs_(inputs), plan_(plan), console_(console), batch_(batch) {}

  void run() {
    OrderedWork jobs;
    jobs.stop = [this] { return stops(); };
    jobs.work = [this](const Input& input, int threads) {
      PendingResult result = batch_.work(input, threads);
      if (result.failed()) failed_ = true;
      return result;
    };
    jobs.report = [this](FileResult&& result) {
      if (batch_.judge) batch_.judge(result);
      try {
        report(result);
      } catch (...) {  // a reader that left: it would be missed only once a pipe's writer came
        abandon_waits();
        throw;
      }
    };
    console_.start_progress(inputs_.count);
    std::jthread counting = count_meanwhile();
    run_ordered([this](Input& input) { return next(input); },
                {.threads = plan_.threads,
                 .window = 0,
                 .workers = plan_.count.workers,
                 .slow_list = inputs_.may_wait,
                 .background = plan_.count.device != "cpu" || plan_.count.device_start},
                jobs);
    counting = {};
    console_.end_progress();
    tell_who_counted();
  }

  BatchEnd end() {
    BatchEnd end{exit_, stops() && !all_done(), end_asked()};
    if (refused_)
      console_.note(
          "permission may be denied by --sandbox: it leaves the inputs that are named, and with -r what lies in them");
    if (end.incomplete)
      tell_not_done();
    else if (!any_)
      console_.note(nothing_found(inputs_));
    return end;
  }

 private:
  bool stops() const { return end_asked() || (plan_.fail_fast && failed_); }

  /// For the bar; without a thread to spare there is none.
  std::jthread count_meanwhile() {
    if (!inputs_.count_ahead || !console_.draws_progress()) return {};
    try {
      return std::jthread([this](const std::stop_token& stop) {
        if (const auto count = inputs_.count_ahead(stop))
          console_.set_progress_count(std::max(*count, inputs_.taken) - inputs_.taken);
      });
    } catch (const std::exception&) {
      return {};
    }
  }

  /// By one thread at a time, as everything below is by one alone.
  bool next(Input& input) {
    if (stops()) return false;
    std::optional<EndWaitsWhen> no_longer;
    if (inputs_.may_wait) no_longer.emplace([this] { return stops(); });
    if (!list(input)) return false;
    ++taken_;
    return !stops();  // while the name was waited for, another input may have failed: this one is not done
  }

  /// False at the end of the list, which `listed_` then tells, and when the wait for a name was ended.
  bool list(Input& input) {
    try {
      listed_ = !inputs_.list(input);
      return !listed_;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInterrupted) throw;
      return false;
    }
  }

  void report(const FileResult& result) {
    const bool failed = result.status == Status::kError;
    if (failed && result.error_kind == ErrorKind::kInterrupted && end_asked()) return;
    ++reported_;
    if (failed) failed_ = true;
    if (result.device != "cpu") ++by_device_;
    any_ = any_ || result.status != Status::kSkipped;
    if (failed && !(plan_.fail_fast && exit_ != kExitOk)) exit_ = worse(exit_, exit_code_of(result.error_kind));
    console_.tell(result);
    if (failed && plan_.sandboxed && result.error.find("permission denied") != std::string::npos) refused_ = true;
    if (batch_.report) {
      if (::isatty(STDOUT_FILENO)) console_.hide_progress();
      batch_.report(result);
    }
    console_.advance(result);
  }

  /// Where the end of the list was not met, one more name would tell, if it does not have to be waited for.
  bool all_done() {
    if (reported_ < inputs_.count.value_or(taken_)) return false;
    Input input;
    if (inputs_.count) return !inputs_.shard || !list(input);  // the digest is of the whole list, read to its end
    if (!listed_ && !end_asked() && !inputs_.may_wait) list(input);
    return listed_;
  }

  void tell_not_done() {
    const std::string why = end_asked() ? "interrupted: " : "stopped at the first failure (--fail-fast): ";
    if (reported_ == 0) return console_.error(why + "no input was done");
    console_.error(why + (inputs_.count ? std::to_string(*inputs_.count - reported_) + " of " +
                                              std::to_string(*inputs_.count) + " inputs were not done"
                                        : "inputs after the first " + std::to_string(reported_) + " were not done"));
  }

  void tell_who_counted() {
    const auto& start = plan_.count.device_start;
    if (!start) return;
    const std::string why_not = start->ended() ? start->why_not() : "it had not started";
    console_.detail(why_not.empty() ? "the GPU counted " + std::to_string(by_device_) + " of " +
                                          std::to_string(reported_) + " inputs, the CPU those before it had started"
                                    : "no GPU counted: " + why_not);
  }

  const Inputs& inputs_;
  const Plan& plan_;
  Console& console_;
  const Batch& batch_;
  std::atomic<bool> failed_{false};
  bool listed_ = false, any_ = false, refused_ = false;
  std::uint64_t taken_ = 0, reported_ = 0, by_device_ = 0;
  int exit_ = kExitOk;
};

}  // namespace

BatchEnd run_batch(const Inputs& inputs, const Plan& plan, Console& console, const Batch& batch) {
  std::optional<FinishOnSignal> finishes;
  if (batch.tidies_up || inputs.count != 1) finishes.emplace();
  Course course(inputs, plan, console, batch);
  course.run();
  return course.end();
}

BatchEnd count_batch(const Inputs& inputs, const Plan& plan, Console& console,
                     const std::function<void(const FileResult& result)>& report) {
  const auto work = [&plan](const Input& input, int threads) { return count_file_later(input, plan.count, threads); };
  return run_batch(inputs, plan, console, {.work = work, .report = report});
}

}  // namespace gpuhisto::app
