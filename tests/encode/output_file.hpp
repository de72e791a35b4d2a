// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

#include "gpuhisto/encoder.hpp"
#include "temporary_folder.hpp"

namespace gpuhisto::test {

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

}  // namespace gpuhisto::test
