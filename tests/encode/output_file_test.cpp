// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <fcntl.h>
#include <pty.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <thread>

#include "gpuhisto/encoder.hpp"
#include "pictures.hpp"
#include "temporary_folder.hpp"

namespace gpuhisto::test {
namespace {

class OutputFileTest : public TemporaryFolder {
 protected:
  OutputFileTest() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
  }
  void write(const std::string& name, const std::string& text, OutputFile::Options options = {}) const {
    OutputFile file(path(name), options);
    file.write(text.data(), text.size());
    file.commit();
  }
  mode_t mode(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }
};

// Runs in a child, so that limits, users and descriptors of this process stay; 0 means that `work` returned true.
template <typename Work>
int in_child(Work&& work) {
  std::fflush(nullptr);  // or the child would write what waits in the buffers once more
  const pid_t child = ::fork();
  if (child == 0) {
    int result = 2;
    try {
      result = work() ? 0 : 1;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    ::_exit(result);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(OutputFileTest, NewFileAppearsAtCommitOnly) {
  OutputFile file(path("a.png"), {});
  file.write("hello ", 6);
  EXPECT_EQ(names().size(), 1u);
  EXPECT_EQ(names()[0].find(".a.png.gpuhisto-"), 0u);
  file.write("world", 5);
  file.commit();
  EXPECT_EQ(names(), Names{"a.png"});
  EXPECT_EQ(get("a.png"), "hello world");
}

TEST_F(OutputFileTest, NewFileFollowsUmask) {
  const mode_t old = ::umask(027);
  write("a", "x");
  ::umask(old);
  EXPECT_EQ(mode("a"), 0640u);
}

TEST_F(OutputFileTest, OldFileSurvivesWithoutCommitAndAfterException) {
  put("a", "old");
  {
    OutputFile file(path("a"), {});
    file.write("new", 3);
  }
  EXPECT_EQ(get("a"), "old");
  const auto fail = [&] {
    OutputFile file(path("a"), {});
    file.write("new", 3);
    throw Error(ErrorKind::kInput, "damaged");
  };
  EXPECT_THROW(fail(), Error);
  EXPECT_EQ(get("a"), "old");
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(OutputFileTest, ModeIsKept) {
  for (const mode_t wanted : {0600u, 0644u, 0755u, 0666u, 0640u}) {
    put("a", "old");
    ASSERT_EQ(::chmod(path("a").c_str(), wanted), 0);
    write("a", "new");
    EXPECT_EQ(mode("a"), wanted);
    EXPECT_EQ(get("a"), "new");
  }
}

TEST_F(OutputFileTest, OwnerIsKeptWherePermitted) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to make a file of somebody else";
  put("a", "old");
  ASSERT_EQ(::chown(path("a").c_str(), 12345, 23456), 0);
  write("a", "new");
  struct stat status {};
  ASSERT_EQ(::stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, 12345u);
  EXPECT_EQ(status.st_gid, 23456u);
}

TEST_F(OutputFileTest, ReplacesTheTargetOfALink) {
  std::filesystem::create_directory(path("there"));
  put("there/real", "old");
  std::filesystem::create_symlink("there/real", path("link"));
  std::filesystem::create_symlink("link", path("link2"));
  std::filesystem::create_symlink(path("link2"), path("link3"));
  write("link3", "new");
  EXPECT_EQ(get("there/real"), "new");
  for (const char* link : {"link", "link2", "link3"}) EXPECT_TRUE(std::filesystem::is_symlink(path(link)));
  EXPECT_EQ(names(), (Names{"link", "link2", "link3", "there"}));
}

TEST_F(OutputFileTest, DanglingLinkMakesItsTarget) {
  std::filesystem::create_symlink("new", path("link"));
  write("link", "x");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(get("new"), "x");
}

TEST_F(OutputFileTest, RefusesWhatIsNoFile) {
  std::filesystem::create_directory(path("dir"));
  std::filesystem::create_symlink("loop", path("loop"));
  put("file", "x");
  const auto refuse = [&](const std::string& name) { return catch_error([&] { OutputFile file(name, {}); }); };
  EXPECT_STREQ(refuse(path("dir")).what(), "is a directory");
  EXPECT_STREQ(refuse(path("dir/")).what(), "is a directory");
  EXPECT_STREQ(refuse(path("loop")).what(), "too many levels of symbolic links");
  EXPECT_STREQ(refuse(path("none/a")).what(), "no such file or directory");
  EXPECT_STREQ(refuse(path("file/a")).what(), "not a directory");
  EXPECT_STREQ(refuse("").what(), "no such file or directory");
  EXPECT_EQ(refuse(path("dir")).kind(), ErrorKind::kIo);
  EXPECT_EQ(names(), (Names{"dir", "file", "loop"}));
}

TEST_F(OutputFileTest, LongAndOddNames) {
  for (const std::string& name : {std::string(255, 'n'), std::string("-x.png"), std::string("a\xf1\xff\n b")}) {
    write(name, "x");
    EXPECT_EQ(get(name), "x");
  }
  EXPECT_EQ(names().size(), 3u);
  EXPECT_THROW(OutputFile(path(std::string(256, 'n')), {}), Error);
  EXPECT_EQ(names().size(), 3u);
}

TEST_F(OutputFileTest, NoClobber) {
  OutputFile::Options keep;
  keep.no_clobber = true;
  write("a", "first", keep);
  EXPECT_EQ(catch_error([&] { write("a", "second", keep); }).kind(), ErrorKind::kExists);
  EXPECT_EQ(get("a"), "first");
  std::filesystem::create_symlink("a", path("link"));
  EXPECT_EQ(catch_error([&] { write("link", "second", keep); }).kind(), ErrorKind::kExists);
  EXPECT_EQ(names(), (Names{"a", "link"}));
}

TEST_F(OutputFileTest, NoClobberWithoutARace) {
  OutputFile::Options keep;
  keep.no_clobber = true;
  OutputFile file(path("a"), keep);
  file.write("mine", 4);
  put("a", "theirs");
  EXPECT_EQ(catch_error([&] { file.commit(); }).kind(), ErrorKind::kExists);
  EXPECT_EQ(get("a"), "theirs");
}

TEST_F(OutputFileTest, NoClobberAmongThreads) {
  OutputFile::Options keep;
  keep.no_clobber = true;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> won{0}, lost{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        try {
          write("a" + std::to_string(round), "x", keep);
          ++won;
        } catch (const Error& error) {
          if (error.kind() == ErrorKind::kExists) ++lost;
        }
      });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(won, 1);
    EXPECT_EQ(lost, 7);
  }
  EXPECT_EQ(names().size(), 20u);
}

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

TEST_F(OutputFileTest, FileSizeLimit) {
  put("a", "old");
  EXPECT_EQ(in_child([&] {
              const rlimit limit{4096, 4096};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              const std::string text(10000, 'x');
              const Error error = catch_error([&] { write("a", text); });
              return error.kind() == ErrorKind::kIo && error.what() == std::string("file too large");
            }),
            0);
  EXPECT_EQ(get("a"), "old");
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(OutputFileTest, FullDisk) {
  std::filesystem::create_directory(path("disk"));
  if (::mount("none", path("disk").c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "may not mount a small disk";
  put("disk/a", "old");
  const Picture picture = make_picture(Pattern::kNoise, 600, 600, 3);
  const Error error = catch_error([&] {
    OutputFile file(path("disk/a"), {});
    encode(picture.view(), Format::kPng, {}, file);
    file.commit();
  });
  EXPECT_STREQ(error.what(), "no space left on device");
  EXPECT_EQ(get("disk/a"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("disk")), {}), 1);
  ::umount(path("disk").c_str());
}

// As somebody who is not root, since root may do everything.
TEST_F(OutputFileTest, ReadOnlyFolderAndFile) {
  std::filesystem::create_directory(path("locked"));
  std::filesystem::create_directory(path("open"));
  put("locked/a", "old");
  put("open/a", "old");
  ::chmod(path("locked/a").c_str(), 0666);
  ::chmod(path("locked").c_str(), 0555);
  ::chmod(path("open/a").c_str(), 0444);
  ::chmod(path("open").c_str(), 0777);
  ::chmod(folder_.c_str(), 0755);
  EXPECT_EQ(in_child([&] {
              if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return false;
              const auto refused = [&](const char* name) {
                return std::string(catch_error([&] { write(name, "new"); }).what()) == "permission denied";
              };
              return refused("locked/a") && refused("locked/b") && refused("open/a");
            }),
            0);
  EXPECT_EQ(get("locked/a"), "old");
  EXPECT_EQ(get("open/a"), "old");
  ::chmod(path("locked").c_str(), 0755);
}

// A folder that may be written and searched but not listed.
TEST_F(OutputFileTest, FolderWithoutReadPermission) {
  std::filesystem::create_directory(path("drop"));
  ::chmod(path("drop").c_str(), 0733);
  ::chmod(folder_.c_str(), 0755);
  EXPECT_EQ(in_child([&] {
              if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) return false;
              write("drop/a", "new");
              return true;
            }),
            0);
  EXPECT_EQ(get("drop/a"), "new");
}

TEST_F(OutputFileTest, CurrentFolder) {
  EXPECT_EQ(in_child([&] {
              if (::chdir(folder_.c_str()) != 0) return false;
              OutputFile file("plain", {});
              file.write("x", 1);
              if (::chdir("/") != 0) return false;  // the folder is held, not its name
              file.commit();
              return true;
            }),
            0);
  EXPECT_EQ(get("plain"), "x");
}

}  // namespace
}  // namespace gpuhisto::test
