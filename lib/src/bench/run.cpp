// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// One input, all methods: in every round fresh values, then each method in turn, so that a drift of the machine meets
// all of them alike.
#include <algorithm>
#include <chrono>

#include "bench/counted_data.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::bench {
namespace {

constexpr double kLongestBurst = 0.1;  // seconds: a method that slow does not gain from caches
constexpr double kSlowLaunch = 0.02;   // seconds: caches do not matter, and the first launch is as good as any
constexpr double kHotBurst = 0.002;    // seconds
constexpr std::uint32_t kMostLaunches = 256;

using Clock = std::chrono::steady_clock;

/// A candidate under way.
struct Entrant {
  Candidate candidate;
  Line line;
  bool exact = true, runs = true, two_kernels = false;
  double first_launch = 0;  ///< seconds, to plan bursts by
  std::vector<double> seconds, shares;

  /// No figures of fewer rounds than the others have. What was verified stays.
  void stop(const std::string& why) {
    runs = false;
    line.note = why;
    line.counters.reset();
    seconds.clear();
    shares.clear();
  }
};

class Run {
 public:
  Run(Target& target, const Request& request)
      : target_(target), timed_(target.info().timed), request_(request), data_(target, request) {}
  Group go();

 private:
  void begin_entrant(const Candidate& candidate);
  void refuse(Entrant& entrant, const Error& error);
  void check_memory() const;
  void first_launch(Entrant& entrant);
  void measure(Entrant& entrant);
  void record(Entrant& entrant, const Burst& burst, const Sample& sample);
  Sample launch(const Entrant& entrant, const Burst& burst);
  void copy();
  void read();
  const Entrant* choose_carrier() const;
  void end_to_end();
  Burst burst(double one_launch) const;
  Launch launch_of(const Candidate& candidate) const { return {data_.shape(), candidate.method, candidate.policy}; }
  Group group() const;
  Line line_of(const Entrant& entrant) const;
  Line transfer_line() const;

  Target& target_;
  bool timed_;
  const Request& request_;
  CountedData data_;
  std::vector<std::uint64_t> counts_;
  std::vector<Entrant> entrants_;
  std::vector<double> read_seconds_, copy_seconds_;
  const Entrant* carrier_ = nullptr;  ///< whose way from host memory is told, from the first round on
  Entrant transfer_;                  ///< that way
};

Group Run::go() {
  const auto begin = Clock::now();
  for (unsigned round = 0;; ++round) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    if (round >= request_.rounds && elapsed >= request_.min_seconds) break;
    copy();
    data_.fill(round);
    if (round == 0)
      for (const Candidate& candidate : request_.candidates) begin_entrant(candidate);
    read();
    for (Entrant& entrant : entrants_)
      if (entrant.runs && entrant.line.verification.rounds <= round) measure(entrant);
    check_memory();
    end_to_end();
  }
  return group();
}

void Run::begin_entrant(const Candidate& candidate) {
  Entrant entrant;
  entrant.candidate = candidate;
  for (const Method& method : target_.methods())
    if (method.name == candidate.method) entrant.exact = method.exact;
  try {
    entrant.line.description = target_.describe(launch_of(candidate), data_.image(0));
    first_launch(entrant);
  } catch (const Error& error) {
    refuse(entrant, error);
  }
  entrants_.push_back(std::move(entrant));
}

/// In a handler: what is no refusal goes on as it came, and after one the other methods go on.
void Run::refuse(Entrant& entrant, const Error& error) {
  if (error.kind() != ErrorKind::kUnsupported && error.kind() != ErrorKind::kLimit)
    throw;  // cppcheck-suppress rethrowNoCurrentException
  const unsigned rounds = entrant.line.verification.rounds;
  std::string when;
  if (rounds > 0) when = "stopped after " + std::to_string(rounds) + (rounds == 1 ? " round: " : " rounds: ");
  entrant.stop(when + error.what());
  entrant.line.memory_short = error.kind() == ErrorKind::kLimit;
}

/// Where none ever ran, the memory is short for the input and not for a method.
void Run::check_memory() const {
  const Entrant* hungry = nullptr;
  for (const Entrant& entrant : entrants_) {
    if (entrant.runs || entrant.line.verification.rounds > 0) return;
    if (entrant.line.memory_short) hungry = &entrant;
  }
  if (hungry) throw Error(ErrorKind::kLimit, hungry->line.note);
}

void Run::first_launch(Entrant& entrant) {
  if (!timed_) return;
  const Sample sample = launch(entrant, {1, 0, 1});
  entrant.first_launch = sample.seconds;
  entrant.two_kernels = sample.second_kernel_share > 0;
  if (sample.seconds > kSlowLaunch) record(entrant, burst(sample.seconds), sample);
}

Burst Run::burst(double one_launch) const {
  if (!timed_) return {1, 0, 0};
  if (one_launch > kSlowLaunch) return {1, 0, 1};
  const Rotation& rotation = data_.rotation();
  Burst burst{static_cast<std::uint32_t>(rotation.copies), rotation.stride, rotation.evict ? 1u : 2u};
  if (request_.hot)
    burst = {std::clamp(static_cast<std::uint32_t>(kHotBurst / std::max(one_launch, 1e-6)), 1u, kMostLaunches), 0, 2};
  if (burst.launches * one_launch > kLongestBurst)
    burst.launches = std::max(1u, static_cast<std::uint32_t>(kLongestBurst / one_launch));
  if (burst.launches < rotation.copies) burst.rounds = 1;
  return burst;
}

Sample Run::launch(const Entrant& entrant, const Burst& burst) {
  data_.poison(counts_);
  data_.evict();
  return target_.measure(launch_of(entrant.candidate), data_.image(0), burst, counts_);
}

void Run::measure(Entrant& entrant) {
  const Burst burst = this->burst(entrant.first_launch);
  try {
    record(entrant, burst, launch(entrant, burst));
  } catch (const Error& error) {
    refuse(entrant, error);
  }
}

void Run::record(Entrant& entrant, const Burst& burst, const Sample& sample) {
  verify(data_.expected((burst.launches - 1) * burst.stride), counts_, data_.shape(), entrant.line.verification);
  entrant.line.counters = sample.counters;
  if (!timed_) return;
  entrant.seconds.push_back(sample.seconds);
  if (!entrant.two_kernels) return;
  entrant.shares.push_back(burst.launches == 1 ? sample.second_kernel_share
                                               : launch(entrant, {1, 0, 1}).second_kernel_share);
}

/// Before the round's values are there: it spoils them.
void Run::copy() {
  if (timed_) copy_seconds_.push_back(data_.copy());
}

void Run::read() {
  const std::uint64_t bytes = data_.shape().bytes();
  if (!timed_ || bytes == 0) return;
  data_.evict();
  const double guess = static_cast<double>(bytes) / 1e12;
  read_seconds_.push_back(target_.read(data_.image(0), bytes, burst(guess)));
}

/// Of the exact methods that run: per-block, or the first one. Null: none.
const Entrant* Run::choose_carrier() const {
  const Entrant* chosen = nullptr;
  for (const Entrant& entrant : entrants_)
    if (entrant.runs && entrant.exact && (!chosen || entrant.candidate.method == "per-block")) chosen = &entrant;
  return chosen;
}

void Run::end_to_end() {
  if (!request_.transfer || !timed_ || !transfer_.runs) return;
  if (!carrier_) carrier_ = choose_carrier();
  if (!carrier_) return;
  if (!carrier_->runs) {
    transfer_.stop(carrier_->line.note);
    return;
  }
  const auto& expected = data_.expected(0);
  try {
    const auto seconds = target_.count_from_host(launch_of(carrier_->candidate), data_.on_host(0), counts_);
    transfer_.runs = seconds.has_value();
    if (!seconds) return;
    transfer_.seconds.push_back(*seconds);
    verify(expected, counts_, data_.shape(), transfer_.line.verification);
  } catch (const Error& error) {
    refuse(transfer_, error);
  }
}

Line roofline(LineKind kind, const char* name, std::uint64_t bytes, const std::vector<double>& seconds) {
  Line line;
  line.kind = kind;
  line.method = name;
  line.bytes = bytes;
  line.time = summarize(seconds);
  return line;
}

/// Times of the kernels of a method with two.
void add_kernels(Group& group, const Line& whole, const std::vector<double>& shares) {
  if (shares.empty()) return;
  const double share = summarize(shares).median;
  for (const bool second : {false, true}) {
    Line line = whole;
    line.kind = LineKind::kKernel;
    line.verification = {};  // the method's line has it
    line.kernel = second ? "second kernel" : whole.description.kernel;
    const double part = second ? share : 1 - share;
    line.time.median *= part;
    line.time.low *= part;
    line.time.high *= part;
    if (second) line.description = {};
    group.lines.push_back(std::move(line));
  }
}

Line Run::line_of(const Entrant& entrant) const {
  Line line = entrant.line;
  line.method = entrant.candidate.method;
  line.policy = entrant.candidate.policy;
  line.label = entrant.candidate.label;
  line.published = entrant.candidate.published;
  line.kernel = line.description.kernel;
  line.exact = entrant.exact;
  line.bytes = data_.shape().bytes();
  line.pixels = data_.shape().pixels();
  line.time = summarize(entrant.seconds);
  return line;
}

Line Run::transfer_line() const {
  Line line =
      roofline(LineKind::kEndToEnd, carrier_->candidate.method.c_str(), data_.shape().bytes(), transfer_.seconds);
  line.pixels = data_.shape().pixels();
  line.verification = transfer_.line.verification;
  line.note = transfer_.line.note;
  return line;
}

Group Run::group() const {
  Group group;
  group.target = target_.info();
  group.input = request_.input;
  group.shape = data_.shape();
  group.hot = request_.hot;
  group.seed = request_.seed;
  group.title = request_.title;
  group.note = request_.note;
  group.source = request_.source;
  const std::uint64_t bytes = data_.shape().bytes();
  if (!read_seconds_.empty()) group.lines.push_back(roofline(LineKind::kRead, "read", bytes, read_seconds_));
  if (!copy_seconds_.empty())
    group.lines.push_back(roofline(LineKind::kCopy, "copy", data_.copied_bytes(), copy_seconds_));
  for (const Entrant& entrant : entrants_) {
    const Line line = line_of(entrant);
    group.lines.push_back(line);
    add_kernels(group, line, entrant.shares);
  }
  if (!transfer_.seconds.empty() || !transfer_.line.note.empty()) group.lines.push_back(transfer_line());
  return group;
}

}  // namespace

Group run(Target& target, const Request& request) { return Run(target, request).go(); }

}  // namespace gpuhisto::bench
