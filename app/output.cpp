// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "output.hpp"

#include <cstring>

#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto::app {

template <typename Action>
auto NamedOutput::told(Action action) {
  try {
    return action();
  } catch (const Error& error) {
    const std::string name = path_ == "-" ? "standard output" : printable_name(path_);
    throw Error(error.kind(), "cannot write " + name + ": " + error.what());
  }
}

NamedOutput::NamedOutput(const std::string& path, const OutputFile::Options& options)
    : path_(path), file_(told([&] { return OutputFile(path, options); })) {}
void NamedOutput::write(const void* bytes, std::size_t count) {
  told([&] { file_.write(bytes, count); });
}
void NamedOutput::commit() {
  told([&] { file_.commit(); });
}

TextOutput::TextOutput(const std::string& path)
    : std::ostream(nullptr), file_(path, {.no_clobber = false, .binary = false}), buffer_(file_) {
  rdbuf(&buffer_);
  clear();
  exceptions(std::ios::badbit | std::ios::failbit);
}

void TextOutput::commit() {
  flush();
  file_.commit();
}

void TextOutput::Buffer::drain() {
  const auto count = static_cast<std::size_t>(pptr() - pbase());
  setp(bytes_.get(), bytes_.get() + kBytes);  // first: a failed write must not be tried again
  if (count > 0) file_.write(bytes_.get(), count);
}

TextOutput::Buffer::int_type TextOutput::Buffer::overflow(int_type c) {
  drain();
  if (c != traits_type::eof()) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

std::streamsize TextOutput::Buffer::xsputn(const char* text, std::streamsize count) {
  if (count > epptr() - pptr()) drain();
  if (count >= static_cast<std::streamsize>(kBytes)) {
    file_.write(text, static_cast<std::size_t>(count));
  } else {
    std::memcpy(pptr(), text, static_cast<std::size_t>(count));
    pbump(static_cast<int>(count));
  }
  return count;
}

int TextOutput::Buffer::sync() {
  drain();
  return 0;
}

}  // namespace gpuhisto::app
