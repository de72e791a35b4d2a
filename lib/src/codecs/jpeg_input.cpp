// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// How libjpeg gets the bytes of a ByteSource: it looks at the source's own buffer.
#include <algorithm>
#include <cstring>

#include "codecs/jpeg_session.hpp"

namespace gpuhisto {

bool JpegSession::in_arithmetic_scan() const {
  return codec_.arith_code && codec_.input_scan_number > 0 && codec_.input_iMCU_row < codec_.total_iMCU_rows;
}

/// Of the bytes that libjpeg already has, leaves it those of the scan.
void JpegSession::hide_end() {
  if (hit_end_) return;
  const std::size_t hidden =
      input_.bytes_in_buffer - bytes_before_marker({input_.next_input_byte, input_.bytes_in_buffer});
  input_.bytes_in_buffer -= hidden;
  lent_ -= hidden;
}

/// What of an arithmetic-coded scan comes before its end. Nothing only at a marker: any number of 0xFF may be before
/// one, or before a zero that makes the last of them a byte of the scan.
std::span<const std::uint8_t> JpegSession::peek_scan(std::size_t least) {
  for (;;) {
    const auto bytes = source_.peek(least);
    const bool fills = std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0xFF; });
    if (!fills) return bytes.first(bytes_before_marker(bytes));
    if (bytes.size() < least || least == ByteSource::kPeekLimit) return bytes;
    least = std::min(2 * bytes.size(), ByteSource::kPeekLimit);
  }
}

/// Gives libjpeg the next bytes. Those of an arithmetic-coded scan are not followed by the marker, but by the zeros
/// that it would read instead: so they can be counted.
void JpegSession::lend() {
  static constexpr JOCTET kEndMarker[] = {0xFF, JPEG_EOI}, kZero = 0;
  constexpr std::size_t kMarkerBytes = 16;  // with what may fill the space before it
  hit_end_ = source_.peek(kMarkerBytes).empty();
  const bool scan = in_arithmetic_scan() && arithmetic_end_.gives_zero();
  const auto bytes = scan ? peek_scan(kMarkerBytes) : source_.peek(kMarkerBytes);
  lent_ = bytes.size();
  input_.next_input_byte = bytes.data();
  input_.bytes_in_buffer = bytes.size();
  if (!bytes.empty()) return;
  input_.next_input_byte = hit_end_ ? kEndMarker : &kZero;
  input_.bytes_in_buffer = hit_end_ ? sizeof kEndMarker : sizeof kZero;
  if (!hit_end_) arithmetic_end_.count_zero(codec_);
}

boolean JpegSession::on_fill(j_decompress_ptr codec) {
  JpegSession& self = of(reinterpret_cast<j_common_ptr>(codec));
  bool failed = false;
  try {
    self.source_.consume(self.lent_);
    self.lent_ = 0;
    self.lend();
  } catch (...) {
    self.guard_.keep_exception();
    failed = true;
  }
  if (failed) self.fail(ErrorKind::kIo, "");
  // The arithmetic decoder takes missing bytes for zeros without a word.
  if (self.hit_end_ && codec->arith_code && codec->input_scan_number > 0 &&
      codec->output_scanline < codec->output_height)
    self.note_damage(kTruncated);
  return TRUE;
}

void JpegSession::on_skip(j_decompress_ptr codec, long count) {
  JpegSession& self = of(reinterpret_cast<j_common_ptr>(codec));
  for (auto left = static_cast<std::size_t>(std::max(count, 0L)); left > 0 && !self.hit_end_;) {
    if (self.input_.bytes_in_buffer == 0) on_fill(codec);
    left -= self.take(nullptr, left);
  }
}

/// Takes up to `count` bytes out of libjpeg's buffer, which is not empty; to == nullptr drops them.
std::size_t JpegSession::take(std::uint8_t* to, std::size_t count) {
  if (hit_end_) return count;
  const std::size_t n = std::min(count, input_.bytes_in_buffer);
  if (to) std::memcpy(to, input_.next_input_byte, n);
  input_.next_input_byte += n;
  input_.bytes_in_buffer -= n;
  return n;
}

bool JpegSession::bytes_left() {
  if (hit_end_) return false;
  if (input_.bytes_in_buffer > 0) return true;
  source_.consume(lent_);
  lent_ = 0;
  return !source_.peek().empty();
}

}  // namespace gpuhisto
