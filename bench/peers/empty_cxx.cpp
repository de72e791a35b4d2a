// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Does nothing, but with the C++ library loaded: where every C++ program that prints starts from.
#include <iostream>

int main(int argc, char**) {
  if (argc > 1) std::cout << "nothing\n";
}
