// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gpuhisto/pipeline.hpp"

namespace gpuhisto {
namespace {

/// Gives "0", "1", … and counts how many were taken.
InputList numbers(int count, std::atomic<int>& taken) {
  return [count, &taken](Input& input) {
    if (taken == count) return false;
    input.name = std::to_string(taken++);
    return true;
  };
}

FileResult named(const Input& input) {
  FileResult result;
  result.input = input.name;
  return result;
}

TEST(RunOrdered, reports_each_input_once_in_order) {
  for (const int threads : {1, 2, 3, 8}) {
    for (const int count : {0, 1, 2, 7, 500}) {
      std::atomic<int> taken = 0;
      std::vector<std::string> reported;
      OrderedWork jobs;
      jobs.work = [](const Input& input, int) {
        // Later inputs finish first.
        if (input.name.back() % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        return named(input);
      };
      jobs.report = [&](FileResult&& result) { reported.push_back(result.input); };
      run_ordered(numbers(count, taken), {threads, 0}, jobs);
      ASSERT_EQ(reported.size(), static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) EXPECT_EQ(reported[static_cast<std::size_t>(i)], std::to_string(i));
    }
  }
}

TEST(RunOrdered, keeps_within_its_workers) {
  for (const int workers : {1, 2}) {
    std::atomic<int> taken = 0, at_work = 0, most = 0, threads_used = 0;
    OrderedWork jobs;
    jobs.work = [&](const Input& input, int threads) {
      const int now = ++at_work;
      if (now > most) most = now;
      threads_used = threads;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      --at_work;
      return named(input);
    };
    int reported = 0;
    jobs.report = [&](FileResult&&) { ++reported; };
    run_ordered(numbers(50, taken), {8, 0, workers}, jobs);
    EXPECT_EQ(reported, 50);
    EXPECT_LE(most, workers);
    EXPECT_EQ(threads_used, 8 / workers);  // the threads are shared out all the same
  }
}

TEST(RunOrdered, keeps_within_its_window) {
  constexpr std::size_t kWindow = 5;
  std::atomic<int> taken = 0;
  int reported = 0;
  int most = 0;
  OrderedWork jobs;
  jobs.work = [](const Input& input, int) {
    if (input.name == "0") std::this_thread::sleep_for(std::chrono::milliseconds(100));  // everybody waits for it
    return named(input);
  };
  jobs.report = [&](FileResult&&) {
    most = std::max(most, taken - reported);
    ++reported;
  };
  run_ordered(numbers(200, taken), {4, kWindow}, jobs);
  EXPECT_EQ(reported, 200);
  EXPECT_LE(most, static_cast<int>(kWindow));
}

TEST(RunOrdered, few_inputs_share_all_threads) {
  std::atomic<int> taken = 0, threads_given = 0;
  OrderedWork jobs;
  jobs.work = [&](const Input& input, int threads) {
    threads_given += threads;
    return named(input);
  };
  jobs.report = [](FileResult&&) {};
  run_ordered(numbers(3, taken), {8, 0}, jobs);
  // Three workers with 3, 3 and 2 threads; one worker may have served two of the inputs.
  EXPECT_GE(threads_given, 6);
  EXPECT_LE(threads_given, 9);
}

TEST(RunOrdered, one_input_gets_all_threads) {
  std::atomic<int> taken = 0;
  int given = 0;
  OrderedWork jobs;
  jobs.work = [&](const Input& input, int threads) {
    given = threads;
    return named(input);
  };
  jobs.report = [](FileResult&&) {};
  run_ordered(numbers(1, taken), {8, 0}, jobs);
  EXPECT_EQ(given, 8);
}

TEST(RunOrdered, stop_ends_the_run_and_reports_what_was_taken) {
  std::atomic<int> taken = 0;
  std::atomic<bool> stop = false;
  int reported = 0;
  OrderedWork jobs;
  jobs.work = [](const Input& input, int) { return named(input); };
  jobs.report = [&](FileResult&&) {
    if (++reported == 10) stop = true;
  };
  jobs.stop = [&] { return stop.load(); };
  run_ordered(numbers(100000, taken), {3, 0}, jobs);
  EXPECT_GE(reported, 10);
  EXPECT_LT(reported, 200);
}

TEST(RunOrdered, a_result_does_not_wait_for_the_next_name_of_a_slow_list) {
  for (const int threads : {1, 2, 4}) {
    std::atomic<int> reported = 0;
    int given = 0;
    const InputList slow = [&](Input& input) {
      const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (reported < given && std::chrono::steady_clock::now() < give_up)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_EQ(reported, given) << "the name before this one has no result yet";
      if (given == 6) return false;
      input.name = std::to_string(given++);
      return true;
    };
    OrderedWork jobs;
    jobs.work = [](const Input& input, int) { return named(input); };
    jobs.report = [&](FileResult&& result) { EXPECT_EQ(result.input, std::to_string(reported++)); };
    run_ordered(slow, {.threads = threads, .slow_list = true}, jobs);
    EXPECT_EQ(reported, 6);
  }
}

TEST(RunOrdered, an_error_of_the_list_or_the_report_ends_it_and_is_thrown) {
  OrderedWork jobs;
  jobs.work = [](const Input& input, int) { return named(input); };
  int reported = 0;
  jobs.report = [&](FileResult&&) { ++reported; };
  int given = 0;
  const InputList failing = [&](Input& input) {
    if (given == 20) throw std::runtime_error("list");
    input.name = std::to_string(given++);
    return true;
  };
  for (const int threads : {1, 2, 40}) {
    given = reported = 0;
    EXPECT_THROW(run_ordered(failing, {threads, 0}, jobs), std::runtime_error);
    EXPECT_EQ(reported, 20) << threads << " threads";
  }

  std::atomic<int> taken = 0;
  jobs.report = [](FileResult&&) { throw std::runtime_error("report"); };
  EXPECT_THROW(run_ordered(numbers(1000, taken), {2, 0}, jobs), std::runtime_error);
  EXPECT_LT(taken, 100);
}

TEST(RunOrdered, work_that_cannot_even_give_a_result_ends_it_and_is_thrown) {
  std::atomic<int> taken = 0;
  OrderedWork jobs;
  jobs.work = [](const Input& input, int) -> FileResult {
    if (input.name == "7") throw std::bad_alloc();
    return named(input);
  };
  int reported = 0;
  jobs.report = [&](FileResult&&) { ++reported; };
  EXPECT_THROW(run_ordered(numbers(1000, taken), {3, 0}, jobs), std::bad_alloc);
  EXPECT_LE(reported, 7);
  EXPECT_LT(taken, 200);
}

}  // namespace
}  // namespace gpuhisto
