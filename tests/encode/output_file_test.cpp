// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "output_file.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "pictures.hpp"

namespace gpuhisto::test {
namespace {

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

TEST_F(OutputFileTest, TakesNothingAfterCommit) {
  OutputFile file(path("a"), {});
  file.write("whole", 5);
  file.commit();
  EXPECT_THROW(file.write("more", 4), Error);  // and above all not to standard output
  EXPECT_EQ(get("a"), "whole");
}

TEST_F(OutputFileTest, AZeroByteEndsNoName) {
  const std::string name = path("a") + std::string("\0.png", 5);
  EXPECT_THROW(OutputFile(name, {}), Error);
  EXPECT_THROW(open_file("/dev/null" + std::string("\0x", 2)), Error);
  EXPECT_EQ(names(), Names{});
}

TEST_F(OutputFileTest, ALongNameIsCutBetweenCharacters) {
  std::string name;
  while (name.size() + 3 <= 250) name += "\u65e5";
  for (const std::string head : {"", "a", "ab"}) {
    OutputFile file(path(head + name), {});
    const std::string stem = names().at(0).substr(1 + head.size(), names()[0].find(".gpuhisto-") - 1 - head.size());
    EXPECT_GT(stem.size(), 200u);
    EXPECT_EQ(stem.size() % 3, 0u);
    file.commit();
    EXPECT_EQ(names(), Names{head + name});
    std::filesystem::remove(path(head + name));
  }
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
