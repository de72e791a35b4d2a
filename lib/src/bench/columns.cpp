// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "bench/columns.hpp"

#include <algorithm>

namespace gpuhisto::bench {
namespace {

using Use = std::function<void(std::string_view, const Cell&)>;

constexpr const char* kKinds[] = {"read", "copy", "method", "kernel", "end-to-end"};

Cell number(std::uint64_t value) { return Value(value); }
Cell number(double value) { return Value(value); }
/// Zero is absent.
template <typename Number>
Cell positive(Number value) {
  return value > 0 ? number(value) : Cell(Value());
}
Cell microseconds(double seconds) { return positive(seconds * 1e6); }

const char* verdict(const Line& line) {
  if (line.verification.rounds == 0) return "";
  if (!line.exact) return "inexact";
  return line.verification.wrong == 0 ? "exact" : "wrong";
}

void what(const Group& group, const Line& line, const Use& use) {
  const Shape& shape = group.shape;
  const bool keys = shape.keys == Keys::kU32;
  use("device", group.target.id);
  use("device_name", group.target.name);
  use("kind", std::string(kKinds[static_cast<std::size_t>(line.kind)]));
  use("method", line.method);
  use("kernel", line.kernel);
  use("policy", line.policy);
  use("pattern", group.input.name);
  use("keys", std::string(keys ? "u32" : "u8"));
  use("map", std::string(!keys ? "" : shape.map == BinMap::kModulo ? "mod" : "range"));
  use("bins", number(shape.bins));
  use("channels", number(static_cast<std::uint64_t>(shape.channels)));
  use("luma", std::string(shape.luma ? "bt601" : ""));
  use("width", number(shape.width));
  use("height", number(shape.height));
  use("images", number(shape.images));
  use("pixels", number(shape.pixels()));
  use("hot", number(static_cast<std::uint64_t>(group.hot ? 1 : 0)));
  use("seed", number(group.seed));
}

void times(const Group& group, const Line& line, const Use& use) {
  const double read = group.read_rate();
  // A device without times has rounds too.
  use("rounds", number(std::max(std::uint64_t{line.time.count}, std::uint64_t{line.verification.rounds})));
  use("median_us", microseconds(line.time.median));
  use("min_us", microseconds(line.time.low));
  use("max_us", microseconds(line.time.high));
  use("spread", line.time.count > 1 && line.kind != LineKind::kKernel ? number(line.time.spread) : Cell(Value()));
  const bool part = line.kind == LineKind::kKernel;
  use("gb_per_s", positive(part ? 0 : line.bytes_per_second() / 1e9));
  use("gpix_per_s", positive(part ? 0 : line.pixels_per_second() / 1e9));
  const bool of_read = read > 0 && !part && line.kind != LineKind::kCopy;
  use("share_of_read", positive(of_read ? line.bytes_per_second() / read : 0));
}

void launch(const Line& line, const Use& use) {
  const Description& d = line.description;
  const auto known = [&](auto value) { return d.block_threads > 0 ? number(value) : Cell(Value()); };
  use("registers", known(std::uint64_t{d.registers}));
  use("spilled_bytes", known(std::uint64_t{d.spilled_bytes}));
  use("shared_bytes", known(std::uint64_t{d.shared_bytes}));
  use("occupancy", known(d.occupancy));
  use("blocks", known(std::uint64_t{d.blocks}));
  use("block_threads", known(std::uint64_t{d.block_threads}));
  use("resident_blocks", known(std::uint64_t{d.resident_blocks}));
  use("passes", known(std::uint64_t{d.passes}));
  use("full_policy", d.policy);
}

void verification(const Line& line, const Use& use) {
  const Verification& v = line.verification;
  use("verified", std::string(verdict(line)));
  use("wrong_rounds", v.rounds > 0 ? number(std::uint64_t{v.wrong}) : Cell(Value()));
  use("lost", v.rounds > 0 ? number(v.missing) : Cell(Value()));
  use("mismatch_image", v.first ? number(v.first->image) : Cell(Value()));
  use("mismatch_channel", v.first && v.first->channel ? std::string(channel_name(*v.first->channel)) : std::string());
  use("mismatch_bin", v.first ? number(v.first->bin) : Cell(Value()));
  use("expected", v.first ? number(v.first->expected) : Cell(Value()));
  use("got", v.first ? number(v.first->got) : Cell(Value()));
}

void counters(const Line& line, const Use& use) {
  const auto& c = line.counters;
  const auto known = [&](std::uint64_t Counters::*field) { return c ? number((*c).*field) : Cell(Value()); };
  use("global_atomics", known(&Counters::global_atomics));
  use("shared_atomics", known(&Counters::shared_atomics));
  use("shared_instructions", known(&Counters::shared_instructions));
  use("shared_passes", known(&Counters::shared_passes));
  use("same_address", known(&Counters::same_address));
}

}  // namespace

void for_each_column(const Group& group, const Line& line, const Use& use) {
  what(group, line, use);
  times(group, line, use);
  launch(line, use);
  verification(line, use);
  counters(line, use);
  use("case", group.title);
  use("label", line.label);
  use("published", line.published ? line.published->figure : std::string());
  use("published_g_per_s", positive(line.published ? line.published->rate / 1e9 : 0));
  use("published_machine", line.published ? line.published->machine : std::string());
  use("published_source", group.source);
  use("note", line.note.empty() ? group.note : line.note);
}

}  // namespace gpuhisto::bench
