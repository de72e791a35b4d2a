// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/png_unpacker.hpp"

#include <cstring>

namespace gpuhisto {

PngUnpacker::PngUnpacker(int bits, Values values) : per_byte_(static_cast<std::size_t>(8 / bits)) {
  const unsigned top = (1u << bits) - 1, scale = values == Values::kScaledTo255 ? 255 / top : 1;
  for (unsigned byte = 0; byte < 256; ++byte)
    for (std::size_t i = 0; i < per_byte_; ++i) {
      const unsigned value = byte >> (8 - static_cast<unsigned>(bits) * (static_cast<unsigned>(i) + 1)) & top;
      table_[byte][i] = static_cast<std::uint8_t>(value * scale);
    }
}

template <std::size_t PerByte>
void PngUnpacker::unpack_by(const std::uint8_t* packed, std::uint8_t* to, std::size_t pixels) const {
  const std::size_t whole = pixels / PerByte;
  for (std::size_t i = 0; i < whole; ++i) std::memcpy(to + i * PerByte, table_[packed[i]].data(), PerByte);
  if (pixels % PerByte > 0) std::memcpy(to + whole * PerByte, table_[packed[whole]].data(), pixels % PerByte);
}

void PngUnpacker::unpack(const std::uint8_t* packed, std::uint8_t* to, std::size_t pixels) const {
  if (per_byte_ == 8) return unpack_by<8>(packed, to, pixels);
  if (per_byte_ == 4) return unpack_by<4>(packed, to, pixels);
  unpack_by<2>(packed, to, pixels);
}

}  // namespace gpuhisto
