// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Owner, mode and access list of a file that is replaced.
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstring>
#include <utility>
#include <vector>

#include "output_file.hpp"

namespace gpuhisto::test {
namespace {

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

/// What the file's mode becomes when somebody who may write it and its folder, but is in neither of its groups or in
/// one of them, replaces it; and its group.
std::pair<mode_t, gid_t> replaced_by_another(const std::string& file, std::vector<gid_t> groups) {
  const pid_t child = ::fork();
  if (child == 0) {
    const bool became = ::setgroups(groups.size(), groups.data()) == 0 && ::setgid(4242) == 0 && ::setuid(4242) == 0;
    try {
      OutputFile output(file, {});
      output.write("new", 3);
      if (became) output.commit();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(became ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  struct stat now {};
  EXPECT_EQ(::stat(file.c_str(), &now), 0);
  return {now.st_mode & 07777, now.st_gid};
}

TEST_F(OutputFileTest, ByAnotherUserNoGroupGainsRights) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  ASSERT_EQ(::chmod(path("").c_str(), 0777), 0);
  for (const auto& [mode, without] : {std::pair{0666u, 0666u}, {0676u, 0666u}, {02676u, 0666u}, {0672u, 0622u}}) {
    for (const bool in_group : {true, false}) {
      put("a", "old");
      ASSERT_EQ(::chown(path("a").c_str(), 1234, 5678), 0);
      ASSERT_EQ(::chmod(path("a").c_str(), mode), 0);
      const auto [now, group] =
          replaced_by_another(path("a"), in_group ? std::vector<gid_t>{5678} : std::vector<gid_t>{});
      EXPECT_EQ(now, in_group ? mode & 0777 : without) << std::oct << mode;
      EXPECT_EQ(group, in_group ? 5678u : 4242u);
      std::filesystem::remove(path("a"));
    }
  }
}

TEST_F(OutputFileTest, AccessListsAreKept) {
  // acl(5) as ext4 takes it: owner rw-, user 1000 rw-, group ---, mask rw-, others ---.
  struct Entry {
    std::uint16_t tag, rights;
    std::uint32_t id;
  };
  struct List {
    std::uint32_t version = 2;
    Entry entries[5] = {{1, 6, ~0u}, {2, 6, 1000}, {4, 0, ~0u}, {16, 6, ~0u}, {32, 0, ~0u}};
  } list;
  constexpr const char* kName = "system.posix_acl_access";
  put("a", "old");
  if (::setxattr(path("a").c_str(), kName, &list, sizeof list, 0) != 0) GTEST_SKIP() << "no access lists here";
  write("a", "new");
  List now;
  ASSERT_EQ(::getxattr(path("a").c_str(), kName, &now, sizeof now), static_cast<ssize_t>(sizeof now));
  EXPECT_EQ(std::memcmp(&now, &list, sizeof list), 0);
  EXPECT_EQ(mode("a"), 0660u);
}

}  // namespace
}  // namespace gpuhisto::test
