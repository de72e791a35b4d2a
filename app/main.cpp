// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "program.hpp"
#include "signals.hpp"

int main(int argc, char** argv) {
  gpuhisto::app::prepare_process();
  return gpuhisto::app::run_program({argv + 1, argv + argc});
}
