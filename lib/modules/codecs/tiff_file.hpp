// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <tiffio.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gpuhisto {

/// A TIFF file in memory, opened with handlers of its own: libtiff prints nothing and shares nothing between threads.
class TiffFile {
 public:
  /// Throws Error(kInput) with libtiff's words. libtiff may allocate at most `max_memory` bytes at once.
  TiffFile(std::vector<std::uint8_t>& file, std::uint64_t max_memory);
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  TIFF* get() const { return tiff_.get(); }
  std::size_t bytes() const { return bytes_.size(); }
  std::span<const std::uint8_t> all_bytes() const { return bytes_; }

  /// A field of one number, defaults of the standard included; `otherwise` where it is missing.
  template <typename Value>
  Value field(std::uint32_t tag, Value otherwise) const {
    Value value{};
    return TIFFGetFieldDefaulted(get(), tag, &value) != 0 ? value : otherwise;
  }

  /// A field as the directory has it, whatever libtiff makes of it; zeros where it is missing.
  struct Stored {
    unsigned type = 0, value = 0;  ///< a small number
  };
  Stored stored(unsigned tag) const;

  /// libtiff's complaints since the last call.
  std::string take_error() { return std::exchange(error_, {}); }
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

  /// Fields without which samples would be other pixels.
  static constexpr std::array<std::uint32_t, 8> kPixelFields = {
      TIFFTAG_FILLORDER, TIFFTAG_INKSET,       TIFFTAG_PHOTOMETRIC,  TIFFTAG_PLANARCONFIG,
      TIFFTAG_PREDICTOR, TIFFTAG_SAMPLEFORMAT, TIFFTAG_STRIPOFFSETS, TIFFTAG_TILEOFFSETS};
  /// The first complaint about each, an error or a warning, however many there were of others; "": none. What libtiff
  /// trims is whole.
  const std::array<std::string, kPixelFields.size()>& about_pixels() const { return about_pixels_; }

 private:
  struct Close {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };
  static tmsize_t read(thandle_t self, void* to, tmsize_t count);
  static tmsize_t write(thandle_t self, void* from, tmsize_t count);
  static toff_t seek(thandle_t self, toff_t offset, int whence);
  static int close(thandle_t self);
  static toff_t size(thandle_t self);
  static int map(thandle_t self, void** base, toff_t* size);
  static void unmap(thandle_t self, void* base, toff_t size);
  static int on_error(TIFF* tiff, void* self, const char* module, const char* format, va_list arguments);
  static int on_warning(TIFF* tiff, void* self, const char* module, const char* format, va_list arguments);

  void note_about_pixels(const std::string& complaint);

  std::vector<std::uint8_t> bytes_;
  std::uint64_t position_ = 0;
  std::string error_;
  std::vector<std::string> warnings_;
  std::array<std::string, kPixelFields.size()> about_pixels_;
  std::unique_ptr<TIFF, Close> tiff_;
};

}  // namespace gpuhisto
