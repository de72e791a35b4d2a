// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/image.hpp"

namespace gpuhisto {

/// Where bytes go. write() throws Error(kIo) with the system's words ("no space left on device").
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(const void* bytes, std::size_t count) = 0;
};

struct EncodeOptions {
  int threads = 1;
  int quality = 92;              ///< JPEG, 1..100
  JpegSubsampling subsampling;   ///< JPEG; default 4:4:4
  int orientation = 1;           ///< JPEG: written as a minimal EXIF segment when not 1
};

/// Formats that can be written: png, jpeg, pnm (P5/P6), pam, bmp. From a name's extension (".png", ".jpg", ".pgm", …, any
/// case) or from --to's word; nullopt when unknown.
std::optional<Format> format_from_extension(const std::string& path);
std::optional<Format> format_from_name(const std::string& name);
bool can_write(Format format);
bool can_write_alpha(Format format);  ///< png and pam
std::string extension_of(Format format, int channels);  ///< ".png", ".jpg", ".pgm" or ".ppm", ".pam", ".bmp"

/// Encodes a whole image. Throws Error(kUnsupported) for alpha into a format without it (naming PNG and PAM), a size beyond
/// the format's limit, or a format that cannot be written.
void encode(const ImageView& image, Format format, const EncodeOptions& options, ByteSink& sink);

/// An output that appears whole or not at all (design: temporary file in the same folder, fsync, rename; mode kept; a
/// symlink's target replaced; devices and FIFOs written directly; "-" is standard output, refused when a terminal).
class OutputFile : public ByteSink {
 public:
  struct Options {
    bool no_clobber = false;      ///< an existing output: Error(kExists)
    bool binary = true;           ///< refuse a terminal
  };
  OutputFile(const std::string& path, const Options& options);
  ~OutputFile() override;  ///< without commit(): the temporary file is removed, the old file stays
  void write(const void* bytes, std::size_t count) override;
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Removes the temporary files of all open OutputFiles. Async-signal-safe: for handlers of SIGINT and SIGTERM.
void remove_temporary_files() noexcept;

}  // namespace gpuhisto
