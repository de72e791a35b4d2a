// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/parallel.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace gpuhisto {
namespace {

/// Threads that wait for parts of a fork/join; grown on demand, joined at exit. No pool is ever destroyed: a thread
/// that outlives main() may still ask for one, and is refused; a child of fork() has none of the threads, so it gets a
/// pool of its own.
class Pool {
 public:
  static Pool& instance() {
    static const Life life;
    Pool* pool = current.load();
    if (pool != nullptr) return *pool;
    std::unique_ptr<Pool> fresh(new Pool);
    return current.compare_exchange_strong(pool, fresh.get()) ? *fresh.release() : *pool;
  }

  /// Takes the task, or throws and does not.
  void submit(std::function<void()> task) {
    {
      std::lock_guard lock(mutex_);
      if (stop_) throw std::runtime_error("the program ends");
      tasks_.push_back(std::move(task));
      try {
        if (idle_ < tasks_.size()) threads_.emplace_back([this] { serve(); });
      } catch (...) {
        tasks_.pop_back();
        throw;
      }
    }
    wake_.notify_one();
  }

 private:
  struct Life {
    Life() {
      ::pthread_atfork(nullptr, nullptr, [] {
        if (Pool* const pool = current.exchange(nullptr)) pool->next_left_ = std::exchange(left, pool);
      });
    }
    ~Life() {
      if (Pool* const pool = current.load()) pool->stop();
    }
  };

  Pool() = default;

  void stop() {
    std::vector<std::thread> threads;
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
      threads = std::exchange(threads_, {});
    }
    wake_.notify_all();
    for (auto& thread : threads) thread.join();
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      wake_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
      --idle_;
      if (tasks_.empty()) return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  static inline std::atomic<Pool*> current;
  static inline Pool* left = nullptr;  // a list of what parents had
  Pool* next_left_ = nullptr;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stop_ = false;
};

/// Counts parts down and keeps the first exception.
class Join {
 public:
  explicit Join(int parts) : left_(parts) {}
  void done(std::exception_ptr error) {
    std::lock_guard lock(mutex_);
    if (error && !error_) error_ = std::move(error);
    if (--left_ == 0) all_done_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    all_done_.wait(lock, [this] { return left_ == 0; });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_done_;
  int left_;
  std::exception_ptr error_;
};

}  // namespace

void fork_join(std::size_t n, int parts, const std::function<void(int, std::size_t, std::size_t)>& work) {
  const auto k = static_cast<std::size_t>(std::max(1, parts));
  // i * n / k without overflow: n = q * k + r.
  const auto bound = [&](std::size_t i) { return n / k * i + n % k * i / k; };
  if (k == 1) {
    if (n > 0) work(0, 0, n);
    return;
  }
  Join join(static_cast<int>(k));
  const auto run = [&](std::size_t i) {
    std::exception_ptr error;
    try {
      if (bound(i) < bound(i + 1)) work(static_cast<int>(i), bound(i), bound(i + 1));
    } catch (...) {
      error = std::current_exception();
    }
    join.done(error);
  };
  for (std::size_t i = 0; i + 1 < k; ++i) {
    try {
      Pool::instance().submit([&run, i] { run(i); });
    } catch (...) {
      run(i);  // no more threads, or no memory for one: slower, but done; the parts that were taken use this frame
    }
  }
  run(k - 1);
  join.wait();
}

int hardware_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace gpuhisto
