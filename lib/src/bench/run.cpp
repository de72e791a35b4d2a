// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// One input, all methods: in every round fresh values, then each method in turn, so that a drift of the machine meets
// all of them alike.
#include <algorithm>
#include <chrono>
#include <map>

#include "gpuhisto/bench.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::bench {
namespace {

constexpr std::uint64_t kPoison = 0xABABABABABABABAB;
constexpr double kLongestBurst = 0.1;  // seconds: a method that slow does not gain from caches
constexpr double kSlowLaunch = 0.02;   // seconds: one launch before the timed one is enough
constexpr double kHotBurst = 0.002;    // seconds
constexpr std::uint32_t kMostLaunches = 256;
constexpr std::uint64_t kLeastData = std::uint64_t{64} << 20;  // of a CPU: for the copy
constexpr std::uint64_t kPoisonPixels = 4096;
constexpr std::uint64_t kMostCounts = std::uint64_t{1} << 29;

using Clock = std::chrono::steady_clock;

/// Memory of a target.
class Buffer {
 public:
  Buffer(Target& target, std::uint64_t bytes) : target_(target), memory_(target.allocate(bytes)) {}
  ~Buffer() { target_.release(memory_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::uint8_t* at(std::uint64_t offset) const { return static_cast<std::uint8_t*>(memory_) + offset; }

 private:
  Target& target_;
  void* memory_;
};

/// A candidate under way.
struct Entrant {
  Candidate candidate;
  Line line;
  bool exact = true, runs = true, two_kernels = false;
  double first_launch = 0;  ///< seconds, to plan bursts by
  std::vector<double> seconds, shares;
};

class Run {
 public:
  Run(Target& target, const Request& request);
  Group go();

 private:
  void fill(unsigned round);
  void load_image();
  void find_bins();
  const std::vector<std::uint64_t>& expected(std::uint64_t offset);
  void begin_entrant(const Candidate& candidate);
  void first_launch(Entrant& entrant);
  void measure(Entrant& entrant);
  Sample launch(const Entrant& entrant, const Burst& burst);
  void roofline();
  const Entrant* carrier() const;
  void end_to_end();
  Burst burst(double one_launch) const;
  void prepare_poison();
  void poison();
  Launch launch_of(const Candidate& candidate) const { return {shape_, candidate.method, candidate.policy}; }
  void add_lines(Group& group);

  Target& target_;
  const Request& request_;
  Shape shape_;
  Rotation rotation_;
  std::uint64_t data_bytes_ = 0;
  std::unique_ptr<Buffer> data_, poison_;
  std::vector<std::uint8_t> host_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> expected_;  ///< by offset; of this round
  std::vector<std::uint64_t> counts_;
  std::vector<Entrant> entrants_;
  std::vector<double> read_seconds_, copy_seconds_, transfer_seconds_;
  Verification transfer_verification_;
  Launch poison_launch_;
};

Run::Run(Target& target, const Request& request)
    : target_(target),
      request_(request),
      shape_(request.shape),
      rotation_(plan_rotation(request.shape.bytes(), target.info().cache_bytes, request.hot)) {
  const TargetInfo& info = target_.info();
  const bool timed = info.timed;
  if (!timed) rotation_.evict = false;
  // A device gets the list of a batch's images before their launch: a burst would time that.
  if (shape_.images > 1 && info.id != "cpu") rotation_ = plan_rotation(shape_.bytes(), info.cache_bytes, true);
  data_bytes_ = std::max(rotation_.copies * rotation_.stride, rotation_.evict ? info.cache_bytes : 0);
  if (timed) data_bytes_ = std::max(data_bytes_, info.cache_bytes > 0 ? info.cache_bytes : kLeastData);
  if (info.memory_bytes > 0 && data_bytes_ > info.memory_bytes / 10 * 9)
    throw Error(ErrorKind::kLimit, "this takes " + std::to_string(data_bytes_ >> 20) + " MiB of memory; " + info.id +
                                       " has " + std::to_string(info.memory_bytes >> 20));
  if (shape_.counts() > kMostCounts)
    throw Error(ErrorKind::kLimit, "more than " + std::to_string(kMostCounts) + " bins in all are not measured");
  data_ = std::make_unique<Buffer>(target_, data_bytes_ + 256);
  host_.resize(static_cast<std::size_t>(shape_.bytes()) + 8);
}

Group Run::go() {
  const auto begin = Clock::now();
  fill(0);
  prepare_poison();
  for (const Candidate& candidate : request_.candidates) begin_entrant(candidate);
  for (unsigned round = 0;; ++round) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    if (round >= request_.rounds && elapsed >= request_.min_seconds) break;
    if (round > 0) fill(round);
    roofline();
    for (Entrant& entrant : entrants_)
      if (entrant.runs) measure(entrant);
    end_to_end();
  }
  Group group;
  group.target = target_.info();
  group.input = request_.input;
  group.shape = shape_;
  group.hot = request_.hot;
  group.seed = request_.seed;
  group.title = request_.title;
  group.note = request_.note;
  add_lines(group);
  return group;
}

void Run::fill(unsigned round) {
  expected_.clear();
  if (request_.input.image) {
    if (round == 0) load_image();
    return;
  }
  if (target_.info().timed) {  // the copy overwrites what was counted
    const std::uint64_t half = data_bytes_ / 2;
    if (rotation_.evict) target_.evict(data_->at(0), data_bytes_);
    copy_seconds_.push_back(target_.copy(data_->at(half), data_->at(0), half));
  }
  const std::uint64_t granule = request_.shape.keys == Keys::kU32 ? 4 : 1;
  const std::uint64_t bytes = rotation_.copies * rotation_.stride / granule * granule;
  target_.fill(data_->at(0), bytes, request_.input, shape_.keys, request_.seed + round);
  if (request_.input.bins_from_keys) find_bins();
}

void Run::load_image() {
  const ImageView view = request_.input.image->view();
  for (std::uint64_t i = 0; i < rotation_.copies; ++i)
    target_.upload(data_->at(i * rotation_.stride), view.data, shape_.bytes());
}

void Run::find_bins() {
  target_.download(host_.data(), data_->at(0), shape_.bytes());
  const auto* keys = reinterpret_cast<const std::uint32_t*>(host_.data());
  const auto n = static_cast<std::size_t>(shape_.pixels());
  shape_.bins = n == 0 ? 1 : std::uint64_t{*std::max_element(keys, keys + n)} + 1;
  if (shape_.counts() > kMostCounts)
    throw Error(ErrorKind::kLimit, "the largest key asks for " + std::to_string(shape_.bins) + " bins; at most " +
                                       std::to_string(kMostCounts) + " are measured");
}

const std::vector<std::uint64_t>& Run::expected(std::uint64_t offset) {
  const auto known = expected_.find(offset);
  if (known != expected_.end()) return known->second;
  target_.download(host_.data(), data_->at(offset), shape_.bytes());
  return expected_[offset] = reference_counts(shape_, host_.data());
}

void Run::begin_entrant(const Candidate& candidate) {
  Entrant entrant;
  entrant.candidate = candidate;
  for (const Method& method : target_.methods())
    if (method.name == candidate.method) entrant.exact = method.exact;
  try {
    entrant.line.description = target_.describe(launch_of(candidate), data_->at(0));
    first_launch(entrant);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUnsupported) throw;
    entrant.runs = false;
    entrant.line.note = error.what();
  }
  entrants_.push_back(std::move(entrant));
}

void Run::first_launch(Entrant& entrant) {
  if (!target_.info().timed) return;
  const Sample sample = launch(entrant, {1, 0, 1});
  entrant.first_launch = sample.seconds;
  entrant.two_kernels = sample.second_kernel_share > 0;
}

Burst Run::burst(double one_launch) const {
  if (!target_.info().timed) return {1, 0, 0};
  Burst burst{static_cast<std::uint32_t>(rotation_.copies), rotation_.stride, rotation_.evict ? 1u : 2u};
  if (request_.hot)
    burst = {std::clamp(static_cast<std::uint32_t>(kHotBurst / std::max(one_launch, 1e-6)), 1u, kMostLaunches), 0, 2};
  if (burst.launches * one_launch > kLongestBurst)
    burst.launches = std::max(1u, static_cast<std::uint32_t>(kLongestBurst / one_launch));
  if (one_launch > kSlowLaunch || burst.launches < rotation_.copies) burst.rounds = 1;
  return burst;
}

/// Something else to count, in all bins if there are not too many, so that a bin which a method leaves unwritten holds
/// neither zero nor what the method before it counted.
void Run::prepare_poison() {
  if (target_.info().id == "cpu") return;  // it writes straight into the poisoned counts
  poison_launch_ = {shape_, "per-block", ""};
  poison_launch_.shape.width = std::max<std::uint64_t>(1, kPoisonPixels / shape_.images);
  poison_launch_.shape.height = 1;
  Input ramp;
  ramp.pattern.pattern = Pattern::kRamp;
  ramp.key_range = std::min<std::uint64_t>(shape_.bins, kPoisonPixels);
  poison_ = std::make_unique<Buffer>(target_, poison_launch_.shape.bytes());
  target_.fill(poison_->at(0), poison_launch_.shape.bytes(), ramp, shape_.keys, 0);
}

void Run::poison() {
  counts_.assign(static_cast<std::size_t>(shape_.counts()), kPoison);
  if (!poison_) return;
  poison_launch_.shape.bins = shape_.bins;
  (void)target_.measure(poison_launch_, poison_->at(0), {1, 0, 0}, counts_);
  std::fill(counts_.begin(), counts_.end(), kPoison);
}

/// Launches, times and compares.
Sample Run::launch(const Entrant& entrant, const Burst& burst) {
  poison();
  if (rotation_.evict) target_.evict(data_->at(0), data_bytes_);
  return target_.measure(launch_of(entrant.candidate), data_->at(0), burst, counts_);
}

void Run::measure(Entrant& entrant) {
  const Burst burst = this->burst(entrant.first_launch);
  const Sample sample = launch(entrant, burst);
  verify(expected((burst.launches - 1) * burst.stride), counts_, shape_, entrant.line.verification);
  entrant.line.counters = sample.counters;
  if (!target_.info().timed) return;
  entrant.seconds.push_back(sample.seconds);
  if (!entrant.two_kernels) return;
  entrant.shares.push_back(burst.launches == 1 ? sample.second_kernel_share
                                               : launch(entrant, {1, 0, 1}).second_kernel_share);
}

void Run::roofline() {
  if (!target_.info().timed || shape_.bytes() == 0) return;
  if (rotation_.evict) target_.evict(data_->at(0), data_bytes_);
  const double guess = static_cast<double>(shape_.bytes()) / 1e12;
  read_seconds_.push_back(target_.read(data_->at(0), shape_.bytes(), burst(guess)));
}

/// The method whose way from host memory is told: per-block, or the first exact one. Null: none.
const Entrant* Run::carrier() const {
  const Entrant* chosen = nullptr;
  for (const Entrant& entrant : entrants_)
    if (entrant.runs && entrant.exact && (!chosen || entrant.candidate.method == "per-block")) chosen = &entrant;
  return chosen;
}

void Run::end_to_end() {
  const Entrant* entrant = carrier();
  if (!request_.transfer || !target_.info().timed || !entrant) return;
  const auto& wanted = expected(0);
  target_.download(host_.data(), data_->at(0), shape_.bytes());
  try {
    const auto seconds = target_.count_from_host(launch_of(entrant->candidate), host_.data(), counts_);
    if (!seconds) return;
    transfer_seconds_.push_back(*seconds);
    verify(wanted, counts_, shape_, transfer_verification_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUnsupported) throw;
  }
}

/// Times of the kernels of a method with two.
void add_kernels(Group& group, const Line& whole, const std::vector<double>& shares) {
  if (shares.empty()) return;
  const double share = summarize(shares).median;
  for (const bool second : {false, true}) {
    Line line = whole;
    line.kind = LineKind::kKernel;
    line.kernel = second ? "second kernel" : whole.description.kernel;
    const double part = second ? share : 1 - share;
    line.time.median *= part;
    line.time.low *= part;
    line.time.high *= part;
    if (second) line.description = {};
    group.lines.push_back(std::move(line));
  }
}

void Run::add_lines(Group& group) {
  const auto roofline = [&](LineKind kind, const char* name, std::uint64_t bytes, const std::vector<double>& seconds) {
    Line line;
    line.kind = kind;
    line.method = name;
    line.bytes = bytes;
    line.time = summarize(seconds);
    if (line.time.count > 0) group.lines.push_back(std::move(line));
  };
  roofline(LineKind::kRead, "read", shape_.bytes(), read_seconds_);
  roofline(LineKind::kCopy, "copy", data_bytes_ / 2 * 2, copy_seconds_);
  for (Entrant& entrant : entrants_) {
    Line line = entrant.line;
    line.method = entrant.candidate.method;
    line.policy = entrant.candidate.policy;
    line.label = entrant.candidate.label;
    line.published = entrant.candidate.published;
    line.kernel = line.description.kernel;
    line.exact = entrant.exact;
    line.bytes = shape_.bytes();
    line.pixels = shape_.pixels();
    line.time = summarize(entrant.seconds);
    group.lines.push_back(line);
    add_kernels(group, line, entrant.shares);
  }
  Line line;
  line.kind = LineKind::kEndToEnd;
  line.bytes = shape_.bytes();
  line.pixels = shape_.pixels();
  line.time = summarize(transfer_seconds_);
  line.verification = transfer_verification_;
  if (const Entrant* entrant = carrier()) line.method = entrant->candidate.method;
  if (line.time.count > 0) group.lines.push_back(std::move(line));
}

}  // namespace

Group run(Target& target, const Request& request) { return Run(target, request).go(); }

}  // namespace gpuhisto::bench
