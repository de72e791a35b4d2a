// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// One decoder on any bytes: as usual, from a pipe and tolerating damage, and strictly; the three must agree.
#include <algorithm>

#include "fuzz/decoding.hpp"
#include "gpuhisto/pipeline.hpp"

namespace gpuhisto::fuzz {
namespace {

/// Whether this target's decoder may be the one that is chosen: each other format has a target of its own.
bool is_ours(Bytes file) {
  constexpr std::string_view kOurs = GPUHISTO_FUZZ_FIRST_BYTES, kAll = "\xFF\x89PB8GIMR";
  if (file.empty()) return false;
  const auto first = static_cast<char>(file[0]);
  return kOurs.empty() ? kAll.find(first) == kAll.npos : kOurs.find(first) != kOurs.npos;
}

bool begins_alike(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  const auto common = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return std::equal(a.begin(), a.begin() + common, b.begin());
}

void check_sound(const Outcome& normal, const Outcome& tolerant) {
  const std::uint64_t pixels = normal.info.width * normal.info.height;
  require(normal.rows.size() == pixels * static_cast<unsigned>(normal.info.channels), "every row is given");
  require(!tolerant.error && tolerant.rows == normal.rows, "a sound image is the same when damage is tolerated");
  require(normal.flags.names() == tolerant.flags.names(), "so are its flags");
  require(!normal.flags.has(Flag::kDamaged), "a sound image is not damaged");
}

void check_failed(const Outcome& normal, const Outcome& tolerant) {
  if (tolerant.error) return;
  require(tolerant.flags.has(Flag::kDamaged), "what is tolerated is flagged");
  require(*normal.error == ErrorKind::kInput, "nothing but damage is tolerated");
}

}  // namespace
}  // namespace gpuhisto::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuhisto;
  using namespace gpuhisto::fuzz;
  const Bytes file(data, size);
  if (!is_ours(file)) return 0;
  ShortReads pipe(file);
  const Outcome normal = decode(*open_memory(file), false, 1 + size % 5), tolerant = decode(pipe, true, 1 + size % 7);
  require(begins_alike(normal.rows, tolerant.rows), "tolerating damage changes no row");
  normal.error ? check_failed(normal, tolerant) : check_sound(normal, tolerant);

  CountOptions options;
  options.decode = kLimits;
  options.strict = true;
  const auto source = open_memory(file);
  const FileResult strict = count_source(*source, "input", options, 1);
  require((strict.status == Status::kOk) == (!normal.error && !normal.flags.any()), "strict takes what has no flag");
  return 0;
}
