// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Turns the accesses of single lanes into what a wave's hardware would see. Belongs to the scheduler's uninstrumented
// file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "emulated/config.hpp"

namespace gpuhisto::emulated {

class AccessRecorder {
 public:
  void start_block(std::size_t lanes) { traces_.assign(lanes, {}); }
  void global_atomic() { ++counts_.global_atomics; }
  /// `offset`: bytes into shared memory.
  void shared_access(unsigned lane, std::uintptr_t offset, bool atomic) {
    if (atomic) ++counts_.shared_atomics;
    traces_[lane].push_back({static_cast<std::uint32_t>(offset / 4)});
  }
  /// All lanes have met at a barrier, or ended: their traces become instructions of waves.
  void end_phase(unsigned wave) {
    for (std::size_t first = 0; first < traces_.size(); first += wave)
      fold(first, std::min(traces_.size(), first + wave));
    for (auto& trace : traces_) trace.clear();
  }
  AccessCounts take() {
    const AccessCounts taken = counts_;
    counts_ = {};
    return taken;
  }

 private:
  struct Word {
    std::uint32_t index;
    bool operator<(const Word& other) const { return index < other.index; }
  };
  static constexpr std::uint32_t kBanks = 32;  // of 4 bytes, on CDNA, RDNA and NVIDIA alike

  void fold(std::size_t first, std::size_t end) {
    std::size_t longest = 0;
    for (std::size_t lane = first; lane < end; ++lane) longest = std::max(longest, traces_[lane].size());
    for (std::size_t k = 0; k < longest; ++k) {
      std::map<Word, unsigned> lanes_at;
      for (std::size_t lane = first; lane < end; ++lane)
        if (k < traces_[lane].size()) ++lanes_at[traces_[lane][k]];
      unsigned words_in[kBanks] = {};
      for (const auto& [word, lanes] : lanes_at) {
        ++words_in[word.index % kBanks];
        if (lanes > 1) counts_.same_address += lanes;
      }
      counts_.shared_passes += *std::max_element(words_in, words_in + kBanks);
      ++counts_.shared_instructions;
    }
  }

  std::vector<std::vector<Word>> traces_;
  AccessCounts counts_;
};

}  // namespace gpuhisto::emulated
