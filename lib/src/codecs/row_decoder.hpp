// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <algorithm>
#include <string>

#include "core/plural.hpp"
#include "gpuhisto/decoder.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto {

/// The rule about damage, once for every decoder that can say which rows are whole: an Error(kInput) thrown by
/// next_rows() or finish() ends the image, and with tolerate_damage it becomes a note instead.
class RowDecoder : public Decoder {
 public:
  std::size_t read_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) final {
    std::size_t done = 0;
    try {
      while (!ended_ && done < count && row_ < info_.height) {
        const std::uint64_t left = std::min<std::uint64_t>(count - done, info_.height - row_);
        const std::size_t got = next_rows(rows + done * row_bytes, row_bytes, static_cast<std::size_t>(left));
        done += got;
        row_ += got;
      }
      if (done == 0 && !ended_ && row_ == info_.height) {
        ended_ = true;
        finish();
      }
    } catch (const Error& error) {
      ended_ = true;
      if (!tolerate_damage_ || error.kind() != ErrorKind::kInput) throw;
      note_damage(row_, error.what());
    }
    return done;
  }

 protected:
  explicit RowDecoder(const DecodeOptions& options) : tolerate_damage_(options.tolerate_damage) {}

  /// Writes 1..count whole rows and returns how many. Throws Error(kInput) where the next row cannot be had.
  virtual std::size_t next_rows(std::uint8_t* rows, std::size_t row_bytes, std::size_t count) = 0;
  /// Looks at what follows the last row.
  virtual void finish() {}

  std::size_t row_size() const {
    return static_cast<std::size_t>(info_.width) * static_cast<std::size_t>(info_.channels);
  }
  std::uint64_t row() const { return row_; }  ///< rows given so far
  bool tolerates_damage() const { return tolerate_damage_; }

  void note_damage(std::uint64_t rows, const std::string& cause) {
    note(Flag::kDamaged, std::to_string(rows) + " of " + number_of(info_.height, "row") + " decoded: " + cause);
  }

 private:
  std::uint64_t row_ = 0;
  bool tolerate_damage_;
  bool ended_ = false;
};

}  // namespace gpuhisto
