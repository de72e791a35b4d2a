// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "gpuhisto/pipeline.hpp"

namespace gpuhisto {
namespace {

/// The state that workers and the reporting thread share.
class OrderedQueue {
 public:
  OrderedQueue(const InputList& inputs, const OrderedWork& jobs, std::size_t window)
      : inputs_(inputs), jobs_(jobs), window_(window) {}

  /// Takes the first inputs ahead, to learn whether there are fewer than threads; returns how many there are. What ends
  /// the list then is told once they are done.
  std::size_t look_ahead(std::size_t count) {
    Input input;
    try {
      while (ahead_.size() < count && inputs_(input)) ahead_.push_back(std::exchange(input, {}));
    } catch (...) {
      ahead_error_ = std::current_exception();
    }
    return ahead_.size();
  }

  /// Those taken ahead, then all others.
  InputList rest() {
    return [this](Input& input) { return next(input); };
  }

  void serve(int threads) {
    Input input;
    for (;;) {
      std::size_t index = 0;
      if (!take(input, index)) return;
      try {
        PendingResult result = jobs_.work(input, threads);
        std::lock_guard lock(mutex_);
        done_.emplace(index, std::move(result));
        if (index == reported_) ready_.notify_one();
      } catch (...) {  // memory too short even to tell so
        std::lock_guard lock(mutex_);
        error_ = std::current_exception();
        failed_ = true;
        return end_locked();
      }
    }
  }

  void report_all() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ready_.wait(lock, [this] { return done_.count(reported_) > 0 || failed_ || (ended_ && reported_ == taken_); });
      if (done_.count(reported_) == 0) break;
      PendingResult result = std::move(done_.extract(reported_).mapped());
      lock.unlock();
      jobs_.report(result.take());
      lock.lock();
      ++reported_;
      room_.notify_one();
    }
    if (error_) std::rethrow_exception(error_);
  }

  /// No more inputs are taken.
  void end() {
    std::lock_guard lock(mutex_);
    end_locked();
  }

 private:
  bool next(Input& input) {
    if (ahead_.empty()) {
      if (ahead_error_) std::rethrow_exception(ahead_error_);
      return inputs_(input = {});
    }
    input = std::move(ahead_.front());
    ahead_.pop_front();
    return true;
  }

  /// One worker at a time, apart from the others' results: the next name may be long in coming.
  bool take(Input& input, std::size_t& index) {
    std::lock_guard turn(taking_);
    {
      std::unique_lock lock(mutex_);
      room_.wait(lock, [this] { return ended_ || taken_ - reported_ < window_; });
      if (ended_) return false;
    }
    std::exception_ptr error;
    bool taken = false;
    try {
      taken = !(jobs_.stop && jobs_.stop()) && next(input);
    } catch (...) {
      error = std::current_exception();
    }
    std::lock_guard lock(mutex_);
    if (taken) {
      index = taken_++;
      return true;
    }
    if (error) error_ = error;
    end_locked();
    return false;
  }

  void end_locked() {
    ended_ = true;
    room_.notify_all();
    ready_.notify_all();
  }

  const InputList& inputs_;
  const OrderedWork& jobs_;
  const std::size_t window_;
  std::deque<Input> ahead_;
  std::exception_ptr ahead_error_;
  std::mutex taking_;  ///< of the inputs and ahead_; before the other
  std::mutex mutex_;   ///< of all that follows
  std::condition_variable room_, ready_;
  std::map<std::size_t, PendingResult> done_;
  std::size_t taken_ = 0, reported_ = 0;
  bool ended_ = false, failed_ = false;  ///< failed: a taken input will have no result
  std::exception_ptr error_;
};

/// One worker needs no thread of its own.
void run_here(const InputList& inputs, const OrderedWork& jobs, int threads) {
  Input input;
  for (; !(jobs.stop && jobs.stop()) && inputs(input); input = {}) jobs.report(jobs.work(input, threads).take());
}

}  // namespace

void run_ordered(const InputList& inputs, const OrderedOptions& options, const OrderedWork& jobs) {
  const auto threads = static_cast<std::size_t>(std::max(1, options.threads));
  constexpr std::size_t kWindowPerWorker = 8, kPendingPerWorker = 64;  // a device takes small images by the hundred
  const std::size_t window = threads * (options.background ? kPendingPerWorker : kWindowPerWorker);
  OrderedQueue queue(inputs, jobs, options.window > 0 ? options.window : window);
  const auto most = options.workers > 0 ? std::min(threads, static_cast<std::size_t>(options.workers)) : threads;
  const std::size_t workers = options.slow_list && most > 1 ? most : queue.look_ahead(most);
  if (workers == 0 || (workers == 1 && !options.background)) return run_here(queue.rest(), jobs, options.threads);
  std::vector<std::thread> crew;
  const auto join = [&crew] {
    for (auto& thread : crew) thread.join();
  };
  try {
    for (std::size_t i = 0; i < workers; ++i) {
      const auto share = static_cast<int>(threads / workers + (i < threads % workers ? 1 : 0));
      try {
        crew.emplace_back([&queue, share] { queue.serve(share); });
      } catch (const std::system_error&) {
        break;  // a limit on threads or memory: those that there are do the work
      }
    }
    if (crew.empty()) return run_here(queue.rest(), jobs, 1);
    queue.report_all();
  } catch (...) {
    queue.end();
    join();
    throw;
  }
  join();
}

}  // namespace gpuhisto
