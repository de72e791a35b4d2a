// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "tiff_file.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string_view>

#include "codecs/byte_fields.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kMaxWarnings = 16;

TiffFile& of(void* self) { return *static_cast<TiffFile*>(self); }

std::string formatted(const char* format, va_list arguments) {
  std::array<char, 512> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  std::string line(text.data());
  if (line.starts_with("memory: ")) line.erase(0, 8);  // the name given to libtiff below
  std::replace(line.begin(), line.end(), '\n', ' ');
  for (char& c : line)
    if (static_cast<unsigned char>(c) < ' ') c = '?';  // words of the file may be quoted here
  while (!line.empty() && (line.back() == '.' || line.back() == ' ')) line.pop_back();
  return line;
}

}  // namespace

TiffFile::TiffFile(std::vector<std::uint8_t>& file, std::uint64_t max_memory) : bytes_(std::move(file)) {
  struct FreeOptions {
    void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
  };
  const std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
  if (!options) throw Error(ErrorKind::kLimit, "not enough memory for libtiff");
  constexpr std::uint64_t kMost = std::numeric_limits<tmsize_t>::max();
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(std::min(max_memory, kMost)));
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, this);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, this);
  tiff_.reset(TIFFClientOpenExt("memory", "r", this, read, write, seek, close, size, map, unmap, options.get()));
  if (!tiff_) throw Error(ErrorKind::kInput, "libtiff: " + (error_.empty() ? "not a TIFF file" : error_));
}

TiffFile::Stored TiffFile::stored(unsigned tag) const {
  const bool big = TIFFIsBigTIFF(get()) != 0, big_endian = TIFFIsBigEndian(get()) != 0;
  // The low 16 bits of a number of `size` bytes.
  const auto low = [&](std::uint64_t at, unsigned size) {
    if (size == 1) return byte_at(bytes_, at);
    return big_endian ? u16be(bytes_, at + size - 2) : u16le(bytes_, at);
  };
  std::uint64_t at = TIFFCurrentDirOffset(get());
  unsigned left = low(at, big ? 8 : 2);  // libtiff allows no more than 4096
  for (at += big ? 8 : 2; left > 0; --left, at += big ? 20 : 12) {
    if (low(at, 2) != tag) continue;
    const unsigned type = low(at + 2, 2);
    const auto size = static_cast<unsigned>(TIFFDataWidth(static_cast<TIFFDataType>(type)));
    return {type, low(at + (big ? 12 : 8), size)};
  }
  return {};
}

tmsize_t TiffFile::read(thandle_t self, void* to, tmsize_t count) {
  TiffFile& file = of(self);
  const std::uint64_t left = file.bytes_.size() - std::min<std::uint64_t>(file.position_, file.bytes_.size());
  const auto n =
      static_cast<std::size_t>(std::min<std::uint64_t>(left, static_cast<std::uint64_t>(std::max<tmsize_t>(count, 0))));
  if (n > 0) std::memcpy(to, file.bytes_.data() + file.position_, n);
  file.position_ += n;
  return static_cast<tmsize_t>(n);
}

tmsize_t TiffFile::write(thandle_t, void*, tmsize_t) { return -1; }

toff_t TiffFile::seek(thandle_t self, toff_t offset, int whence) {
  TiffFile& file = of(self);
  if (whence == SEEK_SET) file.position_ = offset;
  if (whence == SEEK_CUR) file.position_ += offset;
  if (whence == SEEK_END) file.position_ = file.bytes_.size() + offset;
  return file.position_;
}

int TiffFile::close(thandle_t) { return 0; }

toff_t TiffFile::size(thandle_t self) { return of(self).bytes_.size(); }

int TiffFile::map(thandle_t self, void** base, toff_t* size) {
  *base = of(self).bytes_.data();
  *size = of(self).bytes_.size();
  return 1;
}

void TiffFile::unmap(thandle_t, void*, toff_t) {}

void TiffFile::note_about_pixels(const std::string& complaint) {
  constexpr std::array<std::string_view, kPixelFields.size()> kNames = {
      "\"FillOrder\"",           "\"InkSet\"",     "\"PhotometricInterpretation\"",
      "\"PlanarConfiguration\"", "\"Predictor\"",  "\"SampleFormat\"",
      "\"StripOffsets\"",        "\"TileOffsets\""};
  if (complaint.ends_with("tag trimmed")) return;
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (about_pixels_[i].empty() && complaint.find(kNames[i]) != std::string::npos) about_pixels_[i] = complaint;
}

int TiffFile::on_error(TIFF*, void* self, const char*, const char* format, va_list arguments) {
  const std::string text = formatted(format, arguments);
  of(self).note_about_pixels(text);
  if (of(self).error_.empty()) of(self).error_ = text;
  return 1;
}

int TiffFile::on_warning(TIFF*, void* self, const char*, const char* format, va_list arguments) {
  // Private tags are allowed, and common.
  if (std::strncmp(format, "Unknown field with tag", 22) == 0) return 1;
  const std::string text = formatted(format, arguments);
  of(self).note_about_pixels(text);
  auto& warnings = of(self).warnings_;
  if (warnings.size() < kMaxWarnings) warnings.push_back(text);
  return 1;
}

}  // namespace gpuhisto
