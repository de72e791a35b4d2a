// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "codecs/bmp_header.hpp"
#include "codecs/byte_fields.hpp"

namespace gpuhisto {
namespace {

class RunExpander {
 public:
  RunExpander(std::span<const std::uint8_t> file, const BmpHeader& header)
      : file_(file), header_(header), stride_((header.width + 3) / 4 * 4), at_(header.pixels_at) {}

  BmpIndices expand() {
    bool more = true;
    while (more && y_ < header_.height) {
      if (at_ + 2 > file_.size()) return truncated();
      const std::uint8_t count = take(), value = take();
      more = count > 0 ? run(count, value) : escape(value);
      if (cut_) return truncated();
    }
    indices_.rows = header_.height;
    indices_.unset = header_.width * header_.height - set_;
    return std::move(indices_);
  }

 private:
  std::uint8_t take() { return file_[static_cast<std::size_t>(at_++)]; }

  void put(std::uint8_t index) {
    if (x_ >= header_.width || y_ >= header_.height) {
      indices_.overlong_runs = true;
      return;
    }
    // As far as there is something to put: a few bytes may claim any size, and jump over most of it.
    const auto end = static_cast<std::size_t>((y_ + 1) * stride_);
    if (indices_.bytes.size() < end) indices_.bytes.resize(end);
    indices_.bytes[static_cast<std::size_t>(y_ * stride_ + x_++)] = index;
    ++set_;
  }

  bool run(std::uint8_t count, std::uint8_t value) {
    for (unsigned i = 0; i < count; ++i) {
      if (header_.bits == 8)
        put(value);
      else
        put(i % 2 == 0 ? value >> 4 : value & 15);
    }
    return true;
  }

  bool literal(unsigned count) {
    const std::uint64_t bytes = header_.bits == 8 ? count : (count + 1) / 2;
    const std::uint64_t from = at_;
    cut_ = from + bytes > file_.size();
    for (unsigned i = 0; i < count && !cut_; ++i) {
      if (header_.bits == 8)
        put(static_cast<std::uint8_t>(byte_at(file_, from + i)));
      else
        put(static_cast<std::uint8_t>(byte_at(file_, from + i / 2) >> (i % 2 == 0 ? 4 : 0) & 15));
    }
    at_ = from + bytes + bytes % 2;
    return true;
  }

  // What follows a count of 0.
  bool escape(std::uint8_t code) {
    if (code == 1) {
      cut_ = y_ + 1 < header_.height;  // gaps within rows have a meaning; rows that never come are missing
      return false;
    }
    if (code > 2) return literal(code);
    if (code == 0) {
      x_ = 0;
      ++y_;
    } else {
      cut_ = at_ + 2 > file_.size();
      if (cut_) return false;
      x_ += take();
      y_ += take();
    }
    return true;
  }

  BmpIndices truncated() {
    if (set_ == header_.width * header_.height) {
      indices_.rows = header_.height;
    } else {
      indices_.rows = y_ < header_.height ? y_ : header_.height;
      indices_.damage = "the run lengths end early";
    }
    return std::move(indices_);
  }

  std::span<const std::uint8_t> file_;
  const BmpHeader& header_;
  std::uint64_t stride_;
  std::uint64_t at_;
  std::uint64_t x_ = 0, y_ = 0, set_ = 0;
  bool cut_ = false;
  BmpIndices indices_;
};

}  // namespace

BmpIndices expand_bmp_runs(std::span<const std::uint8_t> file, const BmpHeader& header) {
  return RunExpander(file, header).expand();
}

}  // namespace gpuhisto
