// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "terminal_output.hpp"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <cstring>
#include <string>

#include "console.hpp"

namespace gpuhisto::app {

TerminalOptions terminal_options() {
  TerminalOptions options;
  struct winsize window {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) options.columns = window.ws_col;
  const char* before = std::setlocale(LC_CTYPE, nullptr);
  const std::string kept = before ? before : "C";
  std::setlocale(LC_CTYPE, "");
  options.unicode = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
  std::setlocale(LC_CTYPE, kept.c_str());
  options.color = color_allowed(STDOUT_FILENO);
  return options;
}

}  // namespace gpuhisto::app
