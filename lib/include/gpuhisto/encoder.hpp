// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/image.hpp"
#include "gpuhisto/metadata.hpp"

namespace gpuhisto {

/// Where bytes go.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  /// Takes all of them, or throws Error(kIo) with the system's words ("no space left on device").
  virtual void write(const void* bytes, std::size_t count) = 0;
};

/// How an image is encoded.
struct EncodeOptions {
  int threads = 1;              ///< that may work on it
  int quality = 92;             ///< JPEG, 1..100
  JpegSubsampling subsampling;  ///< JPEG; default 4:4:4
  Metadata metadata;            ///< for this format: see fit_metadata()
};

/// Where metadata goes.
struct MetadataUse {
  Format format = Format::kPng;  ///< of the output
  ImageInfo source;              ///< of the file that it comes from
  ImageView pixels;              ///< of the output; looked at for their size and channels only
  bool upright = true;           ///< they were turned as the source's orientation asks
};

/// Makes metadata true of an output: drops what its format cannot carry or what is damaged (`lost` tells), fits it to
/// pixels that were turned, and leaves out thumbnails, which show the image as it was.
Metadata fit_metadata(Metadata metadata, const MetadataUse& use);

/// The format that a name's extension (".png", ".jpg", ".pgm", …, any case) means; nullopt when unknown.
/// Formats that are only read ("tiff") are known too, so that a message can name them: ask can_write() as well.
std::optional<Format> format_from_extension(const std::string& path);
/// The same for a word: "png", "jpeg", …
std::optional<Format> format_from_name(const std::string& name);
bool can_write(Format format);                          ///< png, jpeg, pnm (P5/P6), pam, bmp
bool can_write_alpha(Format format);                    ///< png and pam
std::string extension_of(Format format, int channels);  ///< ".png", ".jpg", ".pgm" or ".ppm", ".pam", ".bmp"

/// Encodes a whole image; the same bytes for any number of threads. The sink is called by one thread at a time, not
/// always the calling one. Throws Error(kUnsupported) for alpha into a format without it (naming PNG and PAM; opaque
/// alpha too: see flatten()), a size beyond the format's limit, or a format that cannot be written; Error(kUsage) for
/// an empty image or an option out of range; and whatever the sink throws.
void encode(const ImageView& image, Format format, const EncodeOptions& options, ByteSink& sink);

/// An output that appears whole or not at all. A regular file is written as a temporary file `.NAME.gpuhisto-…` in the
/// same folder, which commit() brings to disk and renames; the old file's mode is kept (and its owner, where
/// permitted), and a symlink's target is replaced, not the link. Devices, FIFOs, sockets, /dev/stdout and other open
/// descriptors under /dev/fd are written directly; so is "-", standard output.
///
/// The program is expected to ignore SIGPIPE and SIGXFSZ: then a reader that left is BrokenPipe and a file size limit
/// Error(kIo, "file too large"). Not thread-safe; any number of objects may live in any number of threads.
class OutputFile : public ByteSink {
 public:
  /// When not to write.
  struct Options {
    bool no_clobber = false;  ///< an existing regular output: Error(kExists), without a race against other programs
    bool binary = true;       ///< refuse a terminal: Error(kUsage)
  };
  /// Throws Error(kIo) with the system's words (kLimit when too many outputs are open at once).
  OutputFile(const std::string& path, const Options& options);
  ~OutputFile() override;  ///< without commit(): the temporary file is removed, the old file stays
  void write(const void* bytes, std::size_t count) override;
  /// Makes the output visible; afterwards nothing more may be written. On an error the old file is still there,
  /// unless the system failed to bring the folder itself to disk.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Removes the temporary files of all open OutputFiles, on every thread, because the program is about to end: commit()
/// of those fails, and no new one can be opened. Async-signal-safe: for handlers of SIGINT and SIGTERM. Leaves errno as
/// it was.
void remove_temporary_files() noexcept;

}  // namespace gpuhisto
