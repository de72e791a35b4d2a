// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <unistd.h>

#include "gpuhisto/backend.hpp"
#include "program.hpp"
#include "signals.hpp"

int main(int argc, char** argv) {
  gpuhisto::app::prepare_process();
  const int exit_code = gpuhisto::app::end_process(gpuhisto::app::run_program({argv + 1, argv + argc}));
  if (gpuhisto::a_device_is_starting())
    ::_exit(exit_code);  // nobody waits for it any more, nor may anything be destroyed
  return exit_code;
}
