// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <png.h>

#include "codecs/c_guard.hpp"
#include "codecs/codec.hpp"
#include "codecs/png_chunks.hpp"

namespace gpuhisto {

/// One libpng reader over a ByteSource, and the place where libpng's complaints are judged.
class PngSession {
 public:
  PngSession(ByteSource& source, const DecodeOptions& options);
  ~PngSession();
  PngSession(const PngSession&) = delete;
  PngSession& operator=(const PngSession&) = delete;

  /// Runs step(png, info). Throws Error when libpng gives up or pixels are missing or wrong.
  template <typename Step>
  void run(const Step& step) {
    guard_.run([&] { step(png_, info_); });
  }

  const PngChunks& chunks() const { return chunks_; }
  Metadata take_metadata() { return chunks_.take_kept(); }
  bool hit_end_of_file() const { return hit_end_; }
  bool bytes_left() { return !source_.peek().empty(); }
  /// The first complaint that leaves the pixels sound; empty without one.
  const char* warning() const { return warning_; }

 private:
  static PngSession& of(png_structp png) { return *static_cast<PngSession*>(png_get_error_ptr(png)); }
  static void on_error(png_structp png, png_const_charp text);
  static void on_warning(png_structp png, png_const_charp text);
  static png_voidp on_allocate(png_structp png, png_alloc_size_t bytes);
  static void on_free(png_structp png, png_voidp memory);
  static void on_read(png_structp png, png_bytep to, std::size_t count);
  void create();
  void take(std::uint8_t* to, std::size_t count);

  ByteSource& source_;
  CGuard guard_;
  PngChunks chunks_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  bool hit_end_ = false;
  bool memory_ended_ = false;  // libpng itself would tell of damage
  char warning_[128] = {};
};

}  // namespace gpuhisto
