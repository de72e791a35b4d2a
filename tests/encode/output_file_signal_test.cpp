// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <thread>

#include "gpuhisto/encoder.hpp"
#include "pictures.hpp"
#include "temporary_folder.hpp"

namespace gpuhisto::test {
namespace {

class SignalTest : public TemporaryFolder {};

// As a program does: clean up, then die by the signal.
void die_cleanly(int number) {
  remove_temporary_files();
  std::signal(number, SIG_DFL);
  ::raise(number);
}

// In a child, because afterwards the process makes no outputs any more.
TEST_F(SignalTest, RemovesAllTemporaryFiles) {
  put("out0", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<std::unique_ptr<OutputFile>> files;
    const auto open = [&] {
      files.push_back(std::make_unique<OutputFile>(path("out" + std::to_string(files.size())), OutputFile::Options{}));
    };
    for (int i = 0; i < 20; ++i) open();
    bool fine = names().size() == 21;
    errno = 123;
    remove_temporary_files();
    fine = fine && errno == 123 && names() == Names{"out0"};
    files[0]->write("x", 1);
    fine = fine && std::string(catch_error([&] { files[0]->commit(); }).what()) == "interrupted";
    fine = fine && std::string(catch_error(open).what()) == "interrupted";
    files.clear();
    ::_exit(fine ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(names(), Names{"out0"});
  EXPECT_EQ(get("out0"), "old");
}

// Signals that arrive while an output is opened are delivered afterwards, and the thread's mask is as it was.
TEST_F(SignalTest, SignalMaskIsRestored) {
  sigset_t before, after;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  { OutputFile file(path("a"), {}); }
  EXPECT_THROW(OutputFile(path("none/a"), {}), Error);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    EXPECT_EQ(sigismember(&before, number), sigismember(&after, number));
}

// The table's slots come back: far more outputs than slots, one after another, then as many as it holds at once.
TEST_F(SignalTest, SlotsAreReused) {
  EXPECT_NO_THROW({
    for (int i = 0; i < 3000; ++i) OutputFile(path("a"), {});
  });
  std::vector<std::unique_ptr<OutputFile>> files;
  const Error error = catch_error([&] {
    for (int i = 0; i < 2000; ++i) files.push_back(std::make_unique<OutputFile>(path("a"), OutputFile::Options{}));
  });
  // Either the table or the process's descriptors end; in both cases nothing is left behind.
  EXPECT_TRUE(error.kind() == ErrorKind::kLimit || error.kind() == ErrorKind::kIo) << error.what();
  files.clear();
  EXPECT_EQ(names(), Names{});
}

// A program that writes without pause on four threads is interrupted at some moment: the output is the old or a new
// one, whole, and nothing else is left.
TEST_F(SignalTest, InterruptedAtAnyMoment) {
  for (int round = 0; round < 60; ++round) {
    put("out", std::string(1000, '0'));
    const pid_t child = ::fork();
    if (child == 0) {
      std::signal(SIGINT, die_cleanly);
      std::vector<std::thread> threads;
      for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
          const std::string text(100000, static_cast<char>('a' + t));
          for (;;) try {
              OutputFile file(path(t == 0 ? "out" : "out" + std::to_string(t)), {});
              for (int k = 0; k < 10; ++k) file.write(text.data(), text.size() / 10);
              file.commit();
            } catch (const Error& error) {
              if (error.what() != std::string("interrupted")) std::abort();
            }
        });
      for (;;) ::pause();
    }
    ::usleep(static_cast<useconds_t>(3000 + 997 * round % 20000));
    ::kill(child, SIGINT);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(WTERMSIG(status), SIGINT);
    for (const auto& name : names()) {
      ASSERT_EQ(name.find("out"), 0u) << name;
      const std::string text = get(name);
      ASSERT_TRUE(text == std::string(text.size(), text.at(0)) && (text.size() == 1000 || text.size() == 100000))
          << name;
    }
  }
}

}  // namespace
}  // namespace gpuhisto::test
