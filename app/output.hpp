// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>

#include "gpuhisto/encoder.hpp"

namespace gpuhisto::app {

/// An OutputFile whose errors say "cannot write NAME: …".
class NamedOutput : public ByteSink {
 public:
  NamedOutput(const std::string& path, const OutputFile::Options& options);
  void write(const void* bytes, std::size_t count) override;
  void commit();

 private:
  template <typename Action>
  auto told(Action action);

  std::string path_;
  OutputFile file_;
};

/// A text stream into a NamedOutput ("-" is standard output). Whatever writing throws passes through the stream, and
/// the file appears only with commit().
class TextOutput : public std::ostream {
 public:
  explicit TextOutput(const std::string& path);
  void commit();

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(NamedOutput& file) : file_(file) { setp(bytes_.get(), bytes_.get() + kBytes); }

   protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize count) override;
    int sync() override;

   private:
    void drain();
    NamedOutput& file_;
    static constexpr std::size_t kBytes = 64 * 1024;
    std::unique_ptr<char[]> bytes_ = std::make_unique_for_overwrite<char[]>(kBytes);
  };

  NamedOutput file_;
  Buffer buffer_;
};

}  // namespace gpuhisto::app
