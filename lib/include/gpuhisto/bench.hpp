// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhisto/histogram.hpp"
#include "gpuhisto/image.hpp"
#include "gpuhisto/pattern.hpp"

/// Measuring of counting methods: every figure comes with the proof that what was timed counted right.
namespace gpuhisto::bench {

// ---- What is counted

/// What a method counts.
enum class Keys {
  kPixels,  ///< 8 bits a sample, 1 to 4 channels
  kU32,     ///< keys of 32 bits
};
/// Which bin a 32-bit key belongs to.
enum class BinMap {
  kModulo,  ///< key mod bins
  kRange,   ///< the key itself; keys that have no bin are left out
};

/// What one launch counts: 8-bit pixels into 256 bins a channel, or 32-bit keys into any number of bins.
struct Shape {
  Keys keys = Keys::kPixels;
  BinMap map = BinMap::kModulo;  ///< of 32-bit keys
  std::uint64_t bins = kBins;
  int channels = 1;         ///< interleaved in a pixel
  bool luma = false;        ///< of colour: BT.601's luma is counted too
  std::uint64_t width = 0;  ///< pixels (or keys) a row
  std::uint64_t height = 1;
  std::uint64_t images = 1;  ///< of a batch, one after another in memory, counted by one launch

  /// Bytes of one pixel, or key.
  std::uint64_t pixel_bytes() const { return keys == Keys::kU32 ? 4 : static_cast<std::uint64_t>(channels); }
  std::uint64_t pixels() const { return width * height * images; }  ///< or keys, of all images
  std::uint64_t bytes() const { return pixels() * pixel_bytes(); }  ///< of all images
  /// Bins of one image as they lie in memory: of pixels kChannelCount rows of 256, absent channels zero.
  std::uint64_t counts_per_image() const { return keys == Keys::kU32 ? bins : kChannelCount * kBins; }
  std::uint64_t counts() const { return counts_per_image() * images; }  ///< bins of all images
};

/// Throws Error(kLimit) for more values than 2^48 bytes hold: below that no product of sizes wraps.
void check_size(const Shape& shape);

/// Where the values come from.
struct Input {
  std::string name;  ///< of the pattern, or of the image
  PatternSpec pattern;
  std::shared_ptr<const Image> image;  ///< counted instead of a pattern
  std::uint64_t key_range = 0;         ///< 32-bit keys are below it
  bool bins_from_keys = false;         ///< the number of bins is the largest key + 1, found anew in every round
};

// ---- Where it is counted

/// The machine that counts.
struct TargetInfo {
  std::string id;    ///< "cpu", "gpu:0", "emulated"
  std::string name;  ///< the maker's
  std::string platform;
  bool timed = true;  ///< false: an emulated device, whose times mean nothing
  std::uint64_t memory_bytes = 0;
  /// Bytes that a run must pass through until no cache holds what came before; 0: ask evict().
  std::uint64_t cache_bytes = 0;
};

/// A counting method of a target.
struct Method {
  std::string name;
  std::string summary;  ///< one line
  bool exact = true;    ///< false: loses counts, for teaching
};

/// What to launch.
struct Launch {
  Shape shape;
  std::string method;
  std::string policy;  ///< "key=value,…" over the method's own
};

/// Launches in one burst, timed together: number i counts the image at data + i * stride.
struct Burst {
  std::uint32_t launches = 1;  ///< in the burst
  std::uint64_t stride = 0;    ///< bytes
  std::uint32_t rounds = 1;    ///< the last one's time is what counts; those before put the caches into their state
};

/// What a launch did to memory, in lanes of waves; only an emulated device can tell.
struct Counters {
  std::uint64_t global_atomics = 0, shared_atomics = 0;  ///< updates of global and of shared memory
  std::uint64_t shared_instructions = 0;                 ///< of waves
  std::uint64_t shared_passes = 0;                       ///< the same, each as often as bank conflicts repeat it
  std::uint64_t same_address = 0;                        ///< lanes that met another lane of their wave at one address
};

/// What one round found.
struct Sample {
  double seconds = 0;              ///< of one launch
  double second_kernel_share = 0;  ///< of a method with two kernels, where launches is 1
  std::optional<Counters> counters;
};

/// What a launch looks like.
struct Description {
  std::string kernel, policy;                      ///< the policy in full
  std::uint32_t registers = 0, spilled_bytes = 0;  ///< of a thread
  std::uint32_t shared_bytes = 0;                  ///< of a block
  std::uint32_t block_threads = 0, blocks = 0;     ///< threads of a block, blocks of the launch
  std::uint32_t resident_blocks = 0;               ///< of a multiprocessor
  std::uint32_t passes = 0;                        ///< over the pixels
  double occupancy = 0;                            ///< 0..1 of the threads that a multiprocessor can hold
};

/// A machine that can be measured. Used by one thread. Every function throws Error: kUnsupported when it cannot do what
/// is asked, with the limit named; kUsage for a request without sense; kDevice when it fails.
class Target {
 public:
  virtual ~Target() = default;
  virtual const TargetInfo& info() const = 0;  ///< which machine it is
  /// The registry, methods that only a name can choose at the end.
  virtual std::vector<Method> methods() const = 0;

  virtual void* allocate(std::uint64_t bytes) = 0;                             ///< memory of the target
  virtual void release(void* memory) = 0;                                      ///< what allocate() gave
  virtual void upload(void* to, const void* from, std::uint64_t bytes) = 0;    ///< from the host to the target
  virtual void download(void* to, const void* from, std::uint64_t bytes) = 0;  ///< from the target to the host
  /// Values 0, 1, … of the pattern.
  virtual void fill(void* to, std::uint64_t bytes, const Input& input, Keys keys, std::uint64_t seed) = 0;

  /// Counts and times; `counts` (Shape::counts() of them, or none) gets those of the last launch, nothing is added.
  virtual Sample measure(const Launch& launch, const void* data, const Burst& burst,
                         std::span<std::uint64_t> counts) = 0;
  /// Seconds of one launch that reads the bytes and does no more.
  virtual double read(const void* data, std::uint64_t bytes, const Burst& burst) = 0;
  /// Seconds of a copy within the machine's memory.
  virtual double copy(void* to, const void* from, std::uint64_t bytes) = 0;
  /// Seconds from pixels in host memory to counts there, transfer included. nullopt: there is no transfer.
  virtual std::optional<double> count_from_host(const Launch& launch, const void* pixels,
                                                std::span<std::uint64_t> counts) = 0;
  /// What measure() would launch.
  virtual Description describe(const Launch& launch, const void* data) = 0;
  /// Makes the caches forget everything that lies outside `scratch`.
  virtual void evict(const void* scratch, std::uint64_t bytes) = 0;
  /// Bytes of host memory that measuring takes besides what the caller holds.
  virtual std::uint64_t working_bytes(const Shape& shape) const { return shape.counts() * sizeof(std::uint64_t); }
};
/// "gpu:N" or "emulated", as list_devices() names them. Throws Error(kDevice) saying why not.
std::unique_ptr<Target> open_device_target(const std::string& id);
/// The CPU: one method, "cpu", whose policy "threads=N" tells how many count.
std::unique_ptr<Target> make_cpu_target(int threads);

// ---- Measuring

/// Median and spread of repeated times.
struct Summary {
  std::size_t count = 0;                 ///< of times
  double median = 0, low = 0, high = 0;  ///< seconds; low and high: the shortest and the longest
  double spread = 0;                     ///< the middle half of the times, as a share of the median
};
/// Of no times: all zero.
Summary summarize(std::vector<double> seconds);
/// Above it a figure is called noisy.
inline constexpr double kNoisySpread = 0.05;

/// What a study found.
struct Published {
  double rate = 0;     ///< pixels or keys per second
  std::string figure;  ///< as it was given: "0.1015 ms"
  std::string machine;
};

/// A method to measure.
struct Candidate {
  std::string method, policy;
  std::string label;  ///< of a preset: what the study calls it
  std::optional<Published> published;
};

/// What run() measures.
struct Request {
  Input input;
  Shape shape;
  std::vector<Candidate> candidates;
  unsigned rounds = 5;     ///< at least
  double min_seconds = 0;  ///< rounds go on until so many seconds have passed
  std::uint64_t seed = 1;
  bool hot = false;               ///< count the same image again and again, from the caches if they hold it
  bool transfer = true;           ///< measure the way from host memory too
  std::string title, note;        ///< of a preset's case: what is counted, and what it shows
  std::string source;             ///< of a preset: who published it
  std::uint64_t host_memory = 0;  ///< bytes that may be taken of the host's; 0: all that it has
};

/// A bin that a method counted wrong.
struct Mismatch {
  std::uint64_t image = 0;  ///< of a batch
  std::uint64_t bin = 0;
  std::optional<Channel> channel;       ///< of pixels
  std::uint64_t expected = 0, got = 0;  ///< counts
};

/// What a method's counts were compared with, round by round: a scalar count of the same values on the host.
struct Verification {
  unsigned rounds = 0, wrong = 0;  ///< rounds compared, and those with a bin that differs
  std::optional<Mismatch> first;
  std::uint64_t expected_total = 0, missing = 0;  ///< sums over all rounds; missing: counts that were lost
  /// Compared at least once, and equal each time.
  bool passed() const { return rounds > 0 && wrong == 0; }
};
/// Compares one round.
void verify(std::span<const std::uint64_t> expected, std::span<const std::uint64_t> got, const Shape& shape,
            Verification& result);
/// The scalar count. `pixels` holds Shape::bytes().
std::vector<std::uint64_t> reference_counts(const Shape& shape, const std::uint8_t* pixels);

/// What was measured.
enum class LineKind {
  kRead,      ///< a kernel that reads the bytes and does no more: the roofline
  kCopy,      ///< a copy within the target's memory
  kMethod,    ///< a counting method
  kKernel,    ///< one kernel of a method that has two
  kEndToEnd,  ///< from pixels in host memory to counts there
};

/// One measured thing.
struct Line {
  LineKind kind = LineKind::kMethod;
  std::string method, kernel, policy;
  std::string label;                   ///< as in Candidate
  std::optional<Published> published;  ///< as in Candidate
  bool exact = true;                   ///< the method is meant to be
  Summary time;
  std::uint64_t bytes = 0;   ///< read (copies: and written)
  std::uint64_t pixels = 0;  ///< or keys; 0 where none are counted
  Description description;
  Verification verification;
  std::optional<Counters> counters;
  std::string note;           ///< why there is no figure
  bool memory_short = false;  ///< `note` tells of memory

  /// By the median; 0 without a time.
  double bytes_per_second() const { return time.median > 0 ? static_cast<double>(bytes) / time.median : 0; }
  /// By the median; 0 without a time.
  double pixels_per_second() const { return time.median > 0 ? static_cast<double>(pixels) / time.median : 0; }
  /// The times spread too far to trust their median.
  bool noisy() const { return time.count > 1 && time.spread > kNoisySpread; }
  /// A method that is meant to be exact was not.
  bool mismatch() const { return exact && verification.wrong > 0; }
};

/// All methods on one input of one size.
struct Group {
  TargetInfo target;
  Input input;
  Shape shape;
  bool hot = false;
  std::uint64_t seed = 0;
  std::string title, note, source;  ///< of a preset's case
  std::vector<Line> lines;          ///< read and copy first, then the methods, end to end last
  /// Bytes per second of reading alone, 0 where it is not known.
  double read_rate() const;
};

// ---- Published studies

/// One input of a study.
struct PresetCase {
  Request request;
  bool on_cpu = false;  ///< for the CPU, not for a device
};
/// A published study, to be run again on the machine at hand.
struct Preset {
  std::string_view name;
  std::string_view source;
  std::uint64_t size, reduced;                           ///< pixels or keys: of the study, and for an emulated device
  std::vector<PresetCase> (*cases)(std::uint64_t size);  ///< its inputs at that size
};
/// All that there are.
std::span<const Preset> presets();

/// Measures. Lines whose method cannot do it, or no longer could in a later round, carry a note and no time; an exact
/// method that counted wrong is told in its line.
/// Throws Error(kLimit) when memory does not hold what is asked for.
Group run(Target& target, const Request& request);

}  // namespace gpuhisto::bench
