// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Outputs that are no plain files: pipes, devices, terminals.
#include <fcntl.h>
#include <pty.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "output_file.hpp"
#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

TEST_F(OutputFileTest, FifoIsWrittenDirectly) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = get("pipe"); });
  const std::string text(300000, 'q');
  OutputFile::Options keep;
  keep.no_clobber = true;  // a FIFO is no file that could be lost
  write("pipe", text, keep);
  reader.join();
  EXPECT_EQ(got.size(), text.size());
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_EQ(names(), Names{"pipe"});
}

TEST_F(OutputFileTest, BrokenPipeIsTold) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  OutputFile file("/dev/fd/" + std::to_string(ends[1]), {});
  try {
    file.write("x", 1);
    FAIL() << "nobody reads";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBrokenPipe);
  }
  ::close(ends[1]);
}

TEST_F(OutputFileTest, NonBlockingPipe) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  const std::string text(1 << 20, 'z');
  std::size_t got = 0;
  std::thread writer([&] {
    OutputFile file("/proc/self/fd/" + std::to_string(ends[1]), {});
    file.write(text.data(), text.size());
    file.commit();
    ::close(ends[1]);
  });
  std::vector<char> buffer(5000);
  for (;;) {
    const ssize_t n = ::read(ends[0], buffer.data(), buffer.size());
    if (n == 0) break;
    if (n > 0) got += static_cast<std::size_t>(n);
  }
  writer.join();
  ::close(ends[0]);
  EXPECT_EQ(got, text.size());
}

TEST_F(OutputFileTest, FullDevice) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  OutputFile file("/dev/full", {});
  const Error error = catch_error([&] { file.write("x", 1); });
  EXPECT_EQ(error.kind(), ErrorKind::kIo);
  EXPECT_STREQ(error.what(), "no space left on device");
  OutputFile null("/dev/null", {});
  null.write("x", 1);
  null.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

// A shared offset: what other programs wrote before and after must stay.
TEST_F(OutputFileTest, StandardOutputIsAppendedTo) {
  for (const std::string& name :
       {std::string("-"), std::string("/dev/stdout"), std::string("/proc/self/fd/1"), std::string("/dev/fd/1")}) {
    const int result = in_child([&] {
      const int fd = ::open(path("out").c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
      ::dup2(fd, STDOUT_FILENO);
      bool fine = ::write(1, "before ", 7) == 7;
      OutputFile file(name, {});
      file.write("middle", 6);
      file.commit();
      fine = fine && ::write(1, " after", 6) == 6;
      return fine;
    });
    EXPECT_EQ(result, 0) << name;
    EXPECT_EQ(get("out"), "before middle after") << name;
    EXPECT_EQ(names(), Names{"out"});
  }
}

TEST_F(OutputFileTest, TerminalIsRefused) {
  int master = -1, terminal = -1;
  std::array<char, 256> name{};
  if (::openpty(&master, &terminal, name.data(), nullptr, nullptr) != 0) GTEST_SKIP() << "no pseudo terminal here";
  EXPECT_EQ(catch_error([&] { OutputFile file(name.data(), {}); }).kind(), ErrorKind::kUsage);
  EXPECT_EQ(in_child([&] {
              ::dup2(terminal, STDOUT_FILENO);
              return catch_error([&] { OutputFile file("-", {}); }).kind() == ErrorKind::kUsage &&
                     catch_error([&] { OutputFile file("/dev/stdout", {}); }).kind() == ErrorKind::kUsage;
            }),
            0);
  OutputFile::Options text;
  text.binary = false;
  OutputFile file(name.data(), text);
  file.write("x", 1);
  file.commit();
  ::close(terminal);
  ::close(master);
}

}  // namespace
}  // namespace gpuhisto::test
