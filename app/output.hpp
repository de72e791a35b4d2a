// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <ostream>
#include <streambuf>
#include <string>

#include "gpuhisto/encoder.hpp"

namespace gpuhisto::app {

/// A text stream into an OutputFile ("-" is standard output). Whatever writing throws passes through the stream, and
/// the file appears only with commit().
class TextOutput : public std::ostream {
 public:
  explicit TextOutput(const std::string& path);
  void commit();

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(OutputFile& file) : file_(file) { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

   protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

   private:
    void drain();
    OutputFile& file_;
    std::array<char, 64 * 1024> bytes_;
  };

  OutputFile file_;
  Buffer buffer_;
};

}  // namespace gpuhisto::app
