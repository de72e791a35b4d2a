// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/pnm_header.hpp"

#include <array>
#include <sstream>
#include <string_view>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 60;
constexpr std::size_t kMaxLine = 4096;

bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(int c) { return c >= '0' && c <= '9'; }

[[noreturn]] void bad_header(const std::string& why) { throw Error(ErrorKind::kInput, "bad PNM header: " + why); }

void skip_line(TextReader& text) {
  for (int c = text.next(); c != -1 && c != '\n' && c != '\r';) c = text.next();
}

std::uint64_t header_number(TextReader& text, const char* name) {
  const auto number = next_number(text);
  if (!number) bad_header(std::string("it ends before the ") + name);
  return *number;
}

std::uint32_t checked_maxval(std::uint64_t maxval) {
  if (maxval < 1 || maxval > 65535) bad_header("maxval " + std::to_string(maxval) + " is not in 1..65535");
  return static_cast<std::uint32_t>(maxval);
}

std::string pam_line(TextReader& text) {
  std::string line;
  for (int c = text.next();; c = text.next()) {
    if (c == -1) bad_header("it ends before ENDHDR");
    if (c == '\n') return line;
    if (line.size() >= kMaxLine) bad_header("a line is too long");
    line.push_back(static_cast<char>(c));
  }
}

struct PamFields {
  std::uint64_t width = 0, height = 0, depth = 0, maxval = 0;
  std::string tuple_type;
};

std::uint64_t pam_number(std::istringstream& words, const std::string& key) {
  std::string digits;
  words >> digits;
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (!is_digit(c) || value > kMaxNumber / 10) bad_header(key + " is no sensible number");
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (digits.empty()) bad_header(key + " has no number");
  return value;
}

void read_pam_field(std::istringstream& words, const std::string& key, PamFields& fields) {
  if (key == "WIDTH") {
    fields.width = pam_number(words, key);
  } else if (key == "HEIGHT") {
    fields.height = pam_number(words, key);
  } else if (key == "DEPTH") {
    fields.depth = pam_number(words, key);
  } else if (key == "MAXVAL") {
    fields.maxval = pam_number(words, key);
  } else if (key == "TUPLTYPE") {
    std::string word;  // several such lines make one value
    while (words >> word) fields.tuple_type += (fields.tuple_type.empty() ? "" : " ") + word;
    if (fields.tuple_type.size() > kMaxLine) bad_header("TUPLTYPE is too long");
  } else {
    bad_header("unknown field");
  }
}

PamFields read_pam_fields(TextReader& text) {
  PamFields fields;
  for (;;) {
    const std::string line = pam_line(text);
    std::istringstream words(line);
    std::string key;
    if (!(words >> key) || key[0] == '#') continue;
    if (key == "ENDHDR") return fields;
    read_pam_field(words, key, fields);
  }
}

int pam_channels(const PamFields& fields) {
  struct Type {
    std::string_view name;
    int channels;
  };
  constexpr std::array kTypes = {Type{"BLACKANDWHITE", 1},       Type{"GRAYSCALE", 1},       Type{"RGB", 3},
                                 Type{"BLACKANDWHITE_ALPHA", 2}, Type{"GRAYSCALE_ALPHA", 2}, Type{"RGB_ALPHA", 4}};
  if (fields.depth < 1) bad_header("DEPTH is missing or 0");
  if (fields.tuple_type.empty() && fields.depth <= 4) return static_cast<int>(fields.depth);
  for (const Type& type : kTypes) {
    if (fields.tuple_type != type.name) continue;
    if (fields.depth < static_cast<std::uint64_t>(type.channels)) bad_header("DEPTH is too small for its TUPLTYPE");
    if (fields.depth == static_cast<std::uint64_t>(type.channels)) return type.channels;
  }
  throw Error(ErrorKind::kUnsupported, "a PAM file of this TUPLTYPE and depth " + std::to_string(fields.depth));
}

PnmHeader read_pam_header(TextReader& text) {
  // P7 was the signature of another program's thumbnails first.
  if (text.next() != '\n') throw Error(ErrorKind::kUnsupported, "an XV thumbnail, not a PAM file");
  const PamFields fields = read_pam_fields(text);
  PnmHeader header;
  header.pam = true;
  header.width = fields.width;
  header.height = fields.height;
  header.maxval = checked_maxval(fields.maxval);
  header.channels = pam_channels(fields);
  header.raster = header.maxval > 255 ? PnmRaster::kWords : PnmRaster::kBytes;
  return header;
}

}  // namespace

bool TextReader::refill() {
  release();
  bytes_ = source_.peek();
  return !bytes_.empty();
}

void TextReader::release() {
  source_.consume(at_);
  bytes_ = {};
  at_ = 0;
}

void skip_blank(TextReader& text) {
  for (int c = text.ahead(); is_space(c) || c == '#'; c = text.ahead()) {
    text.next();
    if (c == '#') skip_line(text);
  }
}

std::optional<std::uint64_t> next_number(TextReader& text) {
  skip_blank(text);
  if (text.ahead() == -1) return std::nullopt;
  if (!is_digit(text.ahead())) throw Error(ErrorKind::kInput, "a decimal number was expected");
  std::uint64_t value = 0;
  int c = text.next();
  for (; is_digit(c); c = text.next()) {
    if (value > kMaxNumber / 10) throw Error(ErrorKind::kInput, "a number is too large");
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (c == '#') skip_line(text);
  if (c != -1 && c != '#' && !is_space(c)) throw Error(ErrorKind::kInput, "a number is followed by other characters");
  return value;
}

PnmHeader read_pnm_header(TextReader& text) {
  const int p = text.next();
  const int kind = text.next();
  if (p != 'P' || kind < '1' || kind > '7') bad_header("unknown signature");
  if (kind == '7') return read_pam_header(text);
  if (!is_space(text.ahead()) && text.ahead() != '#') bad_header("no white space behind the signature");
  PnmHeader header;
  header.width = header_number(text, "width");
  header.height = header_number(text, "height");
  header.channels = kind == '3' || kind == '6' ? 3 : 1;
  if (kind != '1' && kind != '4') header.maxval = checked_maxval(header_number(text, "maxval"));
  constexpr std::array kRasters = {PnmRaster::kPlainBits, PnmRaster::kPlainNumbers, PnmRaster::kPlainNumbers,
                                   PnmRaster::kBits};
  if (kind <= '4')
    header.raster = kRasters[static_cast<std::size_t>(kind - '1')];
  else
    header.raster = header.maxval > 255 ? PnmRaster::kWords : PnmRaster::kBytes;
  return header;
}

}  // namespace gpuhisto
