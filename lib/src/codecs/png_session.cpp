// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_session.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "metadata/limits.hpp"

namespace gpuhisto {
namespace {

/// libpng only warns when the end of the pixel data is wrong (checksum, early end), since the rows are out by then.
/// Surplus data is no harm.
bool is_harmless(std::string_view text) {
  if (!text.starts_with("IDAT: ")) return true;
  text.remove_prefix(6);
  return text.starts_with("Extra compress") || text == "Too much image data";
}

constexpr char kNoMemory[] = "not enough memory";

ErrorKind kind_of(std::string_view text) {
  return text.ends_with("critical chunk") ? ErrorKind::kUnsupported : ErrorKind::kInput;
}

}  // namespace

PngSession::PngSession(ByteSource& source, const DecodeOptions& options)
    : source_(source), chunks_(metadata_limit(options)) {
  try {
    run([this](png_structp, png_infop) { create(); });
  } catch (...) {
    png_destroy_read_struct(&png_, &info_, nullptr);
    throw;
  }
}

void PngSession::create() {
  png_ = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, this, on_error, on_warning, this, on_allocate, on_free);
  info_ = png_ ? png_create_info_struct(png_) : nullptr;
  if (!info_) guard_.fail(ErrorKind::kLimit, kNoMemory);
  png_set_read_fn(png_, this, on_read);
  // The sizes are checked against --max-pixels instead, and no chunk that could be large is kept.
  png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(png_, 0);
  constexpr int kAllKnownAncillaryButTransparency = -1;
  png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, 0);
  png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, kAllKnownAncillaryButTransparency);
}

PngSession::~PngSession() { png_destroy_read_struct(&png_, &info_, nullptr); }

void PngSession::on_error(png_structp png, png_const_charp text) {
  PngSession& self = of(png);
  if (self.memory_ended_) self.guard_.fail(ErrorKind::kLimit, kNoMemory);
  if (self.hit_end_) self.guard_.fail(ErrorKind::kInput, "truncated PNG");
  char message[192];
  std::snprintf(message, sizeof message, "damaged PNG: %s", text);
  self.guard_.fail(kind_of(text), message);
}

void PngSession::on_warning(png_structp png, png_const_charp text) {
  PngSession& self = of(png);
  if (!is_harmless(text)) on_error(png, text);
  if (self.warning_[0] == '\0') std::snprintf(self.warning_, sizeof self.warning_, "%s", text);
}

png_voidp PngSession::on_allocate(png_structp png, png_alloc_size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (!memory) static_cast<PngSession*>(png_get_mem_ptr(png))->memory_ended_ = true;
  return memory;
}

void PngSession::on_free(png_structp, png_voidp memory) { std::free(memory); }

void PngSession::on_read(png_structp png, png_bytep to, std::size_t count) {
  PngSession& self = of(png);
  bool failed = false;
  try {
    self.take(to, count);
  } catch (...) {
    self.guard_.keep_exception();
    failed = true;
  }
  if (failed) self.guard_.fail(ErrorKind::kIo, "");
  if (self.hit_end_) png_error(png, "the file ends early");
}

/// Through peek(): reading a few bytes at a time past the source's buffer would be a system call each.
void PngSession::take(std::uint8_t* to, std::size_t count) {
  while (count > 0) {
    const auto bytes = source_.peek();
    if (bytes.empty()) {
      hit_end_ = true;
      return;
    }
    const std::size_t n = std::min(count, bytes.size());
    std::memcpy(to, bytes.data(), n);
    chunks_.feed(bytes.first(n));
    source_.consume(n);
    to += n;
    count -= n;
  }
}

}  // namespace gpuhisto
