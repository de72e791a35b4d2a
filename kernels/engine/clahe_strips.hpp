// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <vector>

#include "engine/engine.hpp"
#include "transforms/clahe.hpp"

namespace gpuhisto::kernels {

/// One request for CLAHE.
class ClaheMapper {
 public:
  ClaheMapper(Engine& engine, const gpuhisto_apply& request);
  void run();
  /// Launches for one image on the device, and returns at once; prepare() must have been called with it. `between` is
  /// recorded when the tables are made.
  void map_on_device(const gpuhisto_apply_strip& strip, Event* between = nullptr);
  /// Makes room, and finds the cells of images of this size.
  void prepare(const gpuhisto_apply_strip& strip);

 private:
  void reserve_counts(std::size_t bytes);
  void map_on_host(const gpuhisto_apply_strip& strip);
  std::size_t rows_at_once(const gpuhisto_apply_strip& strip, std::size_t pitch);
  void transfer(const gpuhisto_apply_strip& strip, std::size_t pitch, bool up);

  Engine& engine_;
  const gpuhisto_apply& request_;
  ClaheTask task_;
  std::vector<std::uint32_t> cells_;
};

}  // namespace gpuhisto::kernels
