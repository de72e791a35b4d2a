// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include <algorithm>
#include <bit>
#include <string_view>

#include "codecs/codec_module.hpp"
#include "codecs/row_decoder.hpp"
#include "metadata/exif.hpp"
#include "metadata/limits.hpp"
#include "tiff_layout.hpp"

namespace gpuhisto {
namespace {

using Bytes = std::span<const std::uint8_t>;

// Beyond colors, alpha and some channels more, a number is a broken one, and each costs time for every pixel.
constexpr unsigned kMaxSamples = 64;
// A file may break a rule in every row.
constexpr std::size_t kMaxNotes = 32;

[[noreturn]] void unsupported(const std::string& what) { throw Error(ErrorKind::kUnsupported, "a TIFF file " + what); }

void read_palette(const TiffFile& file, TiffLayout& layout) {
  std::uint16_t *red = nullptr, *green = nullptr, *blue = nullptr;
  if (layout.bits > 8) unsupported("with a palette of 16 bits");
  if (TIFFGetField(file.get(), TIFFTAG_COLORMAP, &red, &green, &blue) == 0)
    throw Error(ErrorKind::kInput, "the palette is missing");
  if (file.stored(TIFFTAG_COLORMAP).type != TIFF_SHORT)
    throw Error(ErrorKind::kInput, "the palette is not one of 16-bit numbers");
  const std::size_t count = std::size_t{1} << layout.bits;
  // Old writers stored bytes where words belong; libtiff takes such a map the same way.
  const auto low = [&](const std::uint16_t* map) {
    return std::all_of(map, map + count, [](auto v) { return v < 256; });
  };
  const int shift = low(red) && low(green) && low(blue) ? 0 : 8;
  for (std::size_t i = 0; i < count; ++i)
    layout.palette.push_back({static_cast<std::uint8_t>(red[i] >> shift), static_cast<std::uint8_t>(green[i] >> shift),
                              static_cast<std::uint8_t>(blue[i] >> shift)});
}

void read_color(const TiffFile& file, TiffLayout& layout) {
  std::uint16_t photometric = 0;
  if (TIFFGetField(file.get(), TIFFTAG_PHOTOMETRIC, &photometric) == 0)
    throw Error(ErrorKind::kInput, "the photometric interpretation is missing");
  // libtiff takes a palette of 8 bits without its colors for gray.
  if (photometric != PHOTOMETRIC_PALETTE && file.stored(TIFFTAG_PHOTOMETRIC).value == PHOTOMETRIC_PALETTE)
    throw Error(ErrorKind::kInput, "the palette is missing or damaged");
  const auto compression = file.field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
      layout.inverted = true;
      break;
    case PHOTOMETRIC_MINISBLACK:
      break;
    case PHOTOMETRIC_RGB:
      layout.color = TiffColor::kRgb;
      break;
    case PHOTOMETRIC_PALETTE:
      layout.color = TiffColor::kPalette;
      read_palette(file, layout);
      break;
    case PHOTOMETRIC_SEPARATED:
      if (file.field<std::uint16_t>(TIFFTAG_INKSET, INKSET_CMYK) != INKSET_CMYK)
        unsupported("with inks other than CMYK");
      layout.color = TiffColor::kCmyk;
      break;
    case PHOTOMETRIC_YCBCR:
      if (compression != COMPRESSION_JPEG || layout.separate) unsupported("with YCbCr outside JPEG");
      TIFFSetField(file.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
      layout.color = TiffColor::kRgb;
      break;
    default:
      unsupported("of photometric interpretation " + std::to_string(photometric));
  }
}

// A stream may hold more than its strip or tile: writers pad the last strip. libdeflate then gives up without having
// written all of it, and libtiff says "success"; zlib stops where the strip ends.
void prefer_zlib(const TiffFile& file, std::uint16_t compression) {
  if (compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE)
    TIFFSetField(file.get(), TIFFTAG_DEFLATE_SUBCODEC, DEFLATE_SUBCODEC_ZLIB);
}

void read_alpha(const TiffFile& file, TiffLayout& layout) {
  if (layout.samples < layout.color_samples())
    throw Error(ErrorKind::kInput, "there are too few samples a pixel for the colors");
  std::uint16_t count = 0;
  std::uint16_t* kinds = nullptr;
  if (TIFFGetField(file.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) == 0) {
    // Without the tag, one more sample is alpha to everyone.
    if (layout.samples == layout.color_samples() + 1) layout.alpha = static_cast<int>(layout.color_samples());
    return;
  }
  for (unsigned i = 0; i < count && layout.color_samples() + i < layout.samples; ++i) {
    if (kinds[i] != EXTRASAMPLE_ASSOCALPHA && kinds[i] != EXTRASAMPLE_UNASSALPHA) continue;
    layout.alpha = static_cast<int>(layout.color_samples() + i);
    layout.premultiplied = kinds[i] == EXTRASAMPLE_ASSOCALPHA;
    return;
  }
}

// libtiff also says "success" for fax, JPEG and PackBits data that it had to guess at.
bool tells_of_guesses(std::uint16_t compression, const std::string& warning) {
  switch (compression) {
    case COMPRESSION_CCITTRLE:
    case COMPRESSION_CCITTFAX3:
    case COMPRESSION_CCITTFAX4:
    case COMPRESSION_CCITTRLEW:
    case COMPRESSION_PACKBITS:
      return true;
    case COMPRESSION_JPEG:  // a padded last strip is sound, and so is what is only against the rules
      return !warning.starts_with("JPEG strip size exceeds expected dimensions") &&
             !warning.starts_with("The JPEG strip/tile is encoded with progressive mode");
    default:
      return false;
  }
}

/// Whether a complaint about one of the fields that decide pixels is about those of this page.
bool decides_pixels(const TiffFile& file, const TiffLayout& layout, std::uint32_t field) {
  if (field == TIFFTAG_INKSET) return layout.color == TiffColor::kCmyk;
  if (field == TIFFTAG_FILLORDER) return file.stored(TIFFTAG_FILLORDER).value > FILLORDER_MSB2LSB;  // 0 is none
  return true;
}

/// Gives the first page.
class TiffDecoder : public RowDecoder {
 public:
  TiffDecoder(std::vector<std::uint8_t>& bytes, const DecodeOptions& options, const CodecHost& host)
      : RowDecoder(options),
        file_(bytes, options.max_memory),
        layout_(checked_layout(options, host)),
        bands_(file_, layout_),
        converter_(layout_),
        rows_(layout_.planes()) {
    read_info();
    if (options.keep_metadata) keep_metadata(metadata_limit(options));
    info_.memory = metadata_.bytes() + file_.bytes() + bands_.memory() + converter_.memory();
    host.check_memory(info_.memory, options);
  }

 protected:
  std::size_t next_rows(std::uint8_t* rows, std::size_t, std::size_t) override {
    const auto y = static_cast<std::uint32_t>(row());
    bool read = true;
    if (bands_.by_rows() && converter_.is_identity()) {
      read = bands_.read_row(y, rows, time_limit());
    } else {
      for (unsigned plane = 0; plane < layout_.planes() && read; ++plane) {
        rows_[plane] = bands_.row(y, plane, time_limit());
        read = rows_[plane] != nullptr;
      }
      if (read) converter_.convert(rows_, rows);
    }
    check_complaints(read);
    return 1;
  }

 private:
  TiffLayout checked_layout(const DecodeOptions& options, const CodecHost& host) {
    host.check_pixels(file_.field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0),
                      file_.field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0), options);
    return read_tiff_layout(file_);
  }

  /// The value of a field of bytes; empty where it is missing.
  Bytes bytes_of(std::uint32_t tag) const {
    std::uint32_t count = 0;
    void* data = nullptr;
    if (TIFFGetField(file_.get(), tag, &count, &data) == 0) return {};
    return {static_cast<const std::uint8_t*>(data), count};
  }

  void read_info() {
    info_.format = Format::kTiff;
    info_.width = layout_.width;
    info_.height = layout_.height;
    info_.channels = layout_.channels();
    info_.source_bits = static_cast<int>(layout_.bits);
    const int orientation = file_.field<std::uint16_t>(TIFFTAG_ORIENTATION, 1);
    if (orientation >= 1 && orientation <= 8) info_.orientation = orientation;
    note_complaints();
    if (layout_.bits == 16) note(Flag::kReduced16, "samples of 16 bits were reduced to their high byte");
    if (layout_.color == TiffColor::kCmyk) note(Flag::kConvertedCmyk, "CMYK was converted to RGB");
    if ((file_.field<std::uint32_t>(TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE) != 0 ||
        file_.stored(TIFFTAG_OSUBFILETYPE).value == OFILETYPE_REDUCEDIMAGE)
      note(Flag::kFirstFrame, "the first page is a reduced copy of another");
    count_pages();
  }

  /// Those about the directory. Even an error may tell of a field that says nothing about pixels.
  void note_complaints() {
    for (std::size_t i = 0; i < TiffFile::kPixelFields.size(); ++i)
      if (const std::string& text = file_.about_pixels()[i]; !text.empty())
        if (decides_pixels(file_, layout_, TiffFile::kPixelFields[i]))
          throw Error(ErrorKind::kInput, "libtiff: " + text);
    for (const std::string& text : file_.take_warnings()) note(Flag::kWarning, text);
    if (const std::string error = file_.take_error(); !error.empty()) note(Flag::kWarning, "the first page: " + error);
  }

  void keep_metadata(std::size_t limit) {
    KeptBlocks kept(metadata_, limit);
    kept.take("ICC profile", bytes_of(TIFFTAG_ICCPROFILE), metadata_.icc);
    kept.take("XMP", bytes_of(TIFFTAG_XMLPACKET), metadata_.xmp);
    metadata_.exif = exif_of_tiff(file_.all_bytes(), limit - metadata_.bytes());
    if (metadata_.exif.empty() && has_what_exif_carries()) metadata_.lose("EXIF");
    if (!bytes_of(TIFFTAG_RICHTIFFIPTC).empty() || !bytes_of(TIFFTAG_PHOTOSHOP).empty()) metadata_.lose("IPTC");
    float x = 0, y = 0;
    const bool both = TIFFGetField(file_.get(), TIFFTAG_XRESOLUTION, &x) != 0 &&
                      TIFFGetField(file_.get(), TIFFTAG_YRESOLUTION, &y) != 0 && x > 0 && y > 0;
    const auto unit = file_.field<std::uint16_t>(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    if (both && unit == RESUNIT_INCH) metadata_.resolution = {x, y, Resolution::Unit::kInch};
    if (both && unit == RESUNIT_CENTIMETER) metadata_.resolution = {100.0 * x, 100.0 * y, Resolution::Unit::kMetre};
    if (both && unit == RESUNIT_NONE && x != y) metadata_.resolution = {x, y, Resolution::Unit::kNone};
    file_.take_error();
    file_.take_warnings();
  }

  bool has_what_exif_carries() const {
    for (int i = 0; i < TIFFGetTagListCount(file_.get()); ++i)
      if (is_worth_exif(TIFFGetTagListEntry(file_.get(), i))) return true;
    return false;
  }

  void count_pages() {
    info_.frames = TIFFNumberOfDirectories(file_.get());
    // A broken directory behind the first page is no damage to that page.
    if (std::string error = file_.take_error(); !error.empty())
      note(Flag::kWarning, "a further page cannot be read: " + error);
    file_.take_warnings();
    if (info_.frames > 1)
      note(Flag::kFirstFrame, "only the first of " + std::to_string(info_.frames) + " pages was read");
  }

  void check_complaints(bool read) {
    const std::string error = file_.take_error();
    const std::vector<std::string> warnings = file_.take_warnings();
    if (!error.empty() || !read)
      throw Error(ErrorKind::kInput, "libtiff: " + (error.empty() ? "the pixels are truncated" : error));
    const auto compression = file_.field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    for (const std::string& text : warnings)
      if (tells_of_guesses(compression, text)) throw Error(ErrorKind::kInput, "libtiff: " + text);
    for (const std::string& text : warnings)
      if (notes().size() < kMaxNotes) note(Flag::kWarning, text);
  }

  TiffFile file_;
  TiffLayout layout_;
  TiffBands bands_;
  TiffConverter converter_;
  std::vector<const std::uint8_t*> rows_;
};

}  // namespace

TiffLayout read_tiff_layout(const TiffFile& file) {
  TiffLayout layout;
  layout.width = file.field<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0);
  layout.height = file.field<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0);
  layout.bits = file.field<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1);
  layout.samples = file.field<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1);
  layout.separate = file.field<std::uint16_t>(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE &&
                    layout.samples > 1;
  const auto format = file.field<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  if (format == SAMPLEFORMAT_IEEEFP) unsupported("of floating-point samples");
  if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) unsupported("of signed or complex samples");
  if (layout.bits > 16 || !std::has_single_bit(layout.bits))
    unsupported("of " + std::to_string(layout.bits) + " bits a sample");
  if (layout.samples > kMaxSamples) unsupported("of " + std::to_string(layout.samples) + " samples a pixel");
  if (layout.samples == 0) throw Error(ErrorKind::kInput, "there are no samples");
  const auto compression = file.field<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  if (TIFFIsCODECConfigured(compression) == 0) unsupported("of compression " + std::to_string(compression));
  if (compression == COMPRESSION_OJPEG) unsupported("of the old JPEG compression");
  prefer_zlib(file, compression);
  read_color(file, layout);
  read_alpha(file, layout);
  return layout;
}

}  // namespace gpuhisto

extern "C" __attribute__((visibility("default"))) gpuhisto::Decoder* gpuhisto_open_tiff(
    std::vector<std::uint8_t>& file, const gpuhisto::DecodeOptions& options, const gpuhisto::CodecHost& host) {
  return new gpuhisto::TiffDecoder(file, options, host);
}
