// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include "engine/engine.hpp"
#include "transforms/apply.hpp"

namespace gpuhisto::kernels {

/// One request to apply tables.
class StripMapper {
 public:
  /// Uploads the tables.
  StripMapper(Engine& engine, const gpuhisto_apply& request);
  void run();
  /// Launches for one strip on the device, and returns at once.
  void map_on_device(const gpuhisto_apply_strip& strip);

 private:
  /// A part of a host image that a stage holds.
  struct Piece {
    gpuhisto_apply_strip part{};
    bool started = false;
  };
  ApplyTask task_of(const std::uint8_t* from, std::uint8_t* to) const;
  void launch_flat(const std::uint8_t* from, std::uint8_t* to, std::uint64_t pixels);
  void launch(const ApplyTask& task);
  void map_on_host(const gpuhisto_apply_strip& strip);
  void map_row_on_host(const gpuhisto_apply_strip& row);
  gpuhisto_apply_strip part_of(gpuhisto_apply_strip strip, std::uint64_t x, std::uint64_t y) const;
  std::uint64_t next_stage(std::uint64_t bytes);
  void start(const gpuhisto_apply_strip& part);
  void finish(Piece& piece);

  Engine& engine_;
  const gpuhisto_apply& request_;
  std::uint8_t tables_[4 * kTableBytes];
  Piece pieces_[2];
  std::uint64_t stage_bytes_;
  unsigned turn_ = 0;
};

}  // namespace gpuhisto::kernels
