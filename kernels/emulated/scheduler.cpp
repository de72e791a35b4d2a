// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// The scheduler of lanes. Longer than other files because it must be one translation unit: it is compiled without
// sanitizer instrumentation, as its own memory is shared by fibers that are, for the thread sanitizer, never ordered.
//
// A lane is a fiber. Lanes run one after another until each waits or has ended; then waves whose lanes all wait at the
// same wave operation go on, else barriers that are complete open. Anything else is a fault of the kernel: a wave
// operation or a barrier that some lanes do not reach never completes on a device either, or completes with garbage.
//
// For the thread sanitizer two blocks that follow each other on one thread must not be ordered by the scheduler, so
// they use two alternating sets of fibers and of shared memory; and the tag a barrier synchronises on alternates too,
// so that an early lane's next phase is not ordered before a late lane's last one. Fibers are reused across launches:
// each costs the sanitizer almost a megabyte.
#include "emulated/scheduler.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "emulated/access_recorder.hpp"
#include "emulated/hip_names.hpp"
#include "emulated/sanitizer_fibers.hpp"
#include "emulated/state.hpp"

#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#undef warpSize

namespace gpuhisto::emulated {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kStack = 160 * 1024;
constexpr std::size_t kSlot = kStack + kPage;  // with a page that faults below the stack
constexpr unsigned kMostWaves = 1024 / 32;
constexpr unsigned kBarriers = 16;  // as many named barriers as NVIDIA hardware has

enum class State : std::uint8_t { kReady, kBarrier, kWave, kDone };
enum class WaveOperation : std::uint8_t { kBallot, kShuffle };

struct Lane {
  Extent thread;
  context::fcontext_t fiber = nullptr;
  void* fake_stack = nullptr;
  void* sanitizer_fiber = nullptr;
  State state = State::kReady;
  Site site;
  unsigned barrier = 0, expected = 0;
  WaveOperation operation = WaveOperation::kBallot;
  std::uint64_t given = 0, got = 0;
  unsigned source = 0;
  std::uint8_t phase[kBarriers] = {};
  std::uint8_t wave_phase = 0;
};
struct LaneNumber {
  unsigned value;
};
struct Fiber {
  void* handle;
};
struct SharedByte {
  unsigned char value;
};

std::string at(const Site& site) { return std::string(site.file) + ":" + std::to_string(site.line); }

/// Runs blocks, one after another.
class BlockRunner {
 public:
  ~BlockRunner() {
    drop_stacks();
    drop_fibers();
  }
  void begin(const Launch& launch, const Config& device) {
    launch_ = launch;
    device_ = device;
    lanes_.resize(std::size_t{launch.block.x} * launch.block.y * launch.block.z);
    reserve_stacks();
  }
  bool run_block(Extent index);
  void end() {
    acquire(&end_tags_[0]);
    acquire(&end_tags_[1]);
    if (device_.count_accesses) add_counts(recorder_.take());
  }

  Lane& lane() { return lanes_[current_]; }
  unsigned lane_of_wave() const { return current_ % device_.wave_size; }
  void wait(State state, const Site& site) {
    lane().state = state;
    lane().site = site;
    to_scheduler(false);
  }
  void* barrier_tag(unsigned id, unsigned phase) { return &barrier_tags_[id][phase & 1u]; }
  /// One for each wave, alternating.
  void* wave_tag(unsigned phase) { return &wave_tags_[current_ / device_.wave_size][phase & 1u]; }
  void* shared() { return shared_; }
  bool exhausted() const { return exhausted_; }
  void note(const void* address, bool atomic) {
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(shared_);
    try {
      if (offset < launch_.shared_bytes) return recorder_.shared_access(current_, offset, atomic);
    } catch (const std::bad_alloc&) {
      exhausted_ = failed_ = true;  // a lane's stack has no caller that could catch it
      return;
    }
    if (atomic) recorder_.global_atomic();
  }

  Launch launch_;
  Config device_;
  Extent block_;

 private:
  static void enter(context::transfer_t from);
  void to_scheduler(bool ending);
  void resume(unsigned lane);
  void prepare();
  void prepare_shared();
  void release_shared();
  void run_ready(std::mt19937& random);
  bool run_waves();
  bool wave_ready(unsigned first, unsigned end, const Site& site);
  bool open_barriers();
  bool finish();
  void fail(const std::string& what);
  void reserve_stacks();
  void drop_stacks();
  void drop_fibers();
  char* stack(unsigned lane) { return stacks_ + (set_ * slots_ + lane) * kSlot + kPage; }

  std::vector<Lane> lanes_;
  std::vector<LaneNumber> order_;
  std::vector<Fiber> fibers_[2];
  std::vector<SharedByte> arenas_[2];
  unsigned char* shared_ = nullptr;
  char* stacks_ = nullptr;
  std::size_t slots_ = 0;
  std::size_t set_ = 0;
  unsigned current_ = 0;
  bool failed_ = false;
  bool exhausted_ = false;
  AccessRecorder recorder_;

  context::fcontext_t scheduler_ = nullptr;
  void* scheduler_fake_stack_ = nullptr;
  const void* scheduler_bottom_ = nullptr;
  std::size_t scheduler_size_ = 0;
  void* scheduler_fiber_ = nullptr;
  char start_tag_ = 0;
  char end_tags_[2] = {};
  char barrier_tags_[kBarriers][2] = {};
  char wave_tags_[kMostWaves][2] = {};
};

thread_local BlockRunner* runner = nullptr;

void BlockRunner::to_scheduler(bool ending) {
  before_switch(ending ? nullptr : &lane().fake_stack, scheduler_bottom_, scheduler_size_);
  switch_fiber(scheduler_fiber_);
  scheduler_ = context::jump_fcontext(scheduler_, nullptr).fctx;
  after_switch(lane().fake_stack, &scheduler_bottom_, &scheduler_size_);
}

void BlockRunner::enter(context::transfer_t from) {
  BlockRunner& self = *static_cast<BlockRunner*>(from.data);
  self.scheduler_ = from.fctx;
  after_switch(nullptr, &self.scheduler_bottom_, &self.scheduler_size_);
  acquire(&self.start_tag_);
  self.launch_.body(self.launch_.argument);
  release(&self.end_tags_[self.set_]);
  self.lane().state = State::kDone;
  self.to_scheduler(true);
  std::abort();  // an ended lane is never resumed
}

void BlockRunner::resume(unsigned number) {
  current_ = number;
  Lane& lane = lanes_[number];
  lane.state = State::kReady;
  before_switch(&scheduler_fake_stack_, stack(number), kStack);
  switch_fiber(lane.sanitizer_fiber);
  lane.fiber = context::jump_fcontext(lane.fiber, this).fctx;
  after_switch(scheduler_fake_stack_, nullptr, nullptr);
}

void BlockRunner::reserve_stacks() {
  if (slots_ >= lanes_.size()) return;
  drop_stacks();
  slots_ = lanes_.size();
  void* memory =
      ::mmap(nullptr, 2 * slots_ * kSlot, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  stacks_ = static_cast<char*>(memory);
  for (std::size_t i = 0; i < 2 * slots_; ++i) ::mprotect(stacks_ + i * kSlot, kPage, PROT_NONE);
}

void BlockRunner::drop_stacks() {
  if (!stacks_) return;
  forget_stack(stacks_, 2 * slots_ * kSlot);
  ::munmap(stacks_, 2 * slots_ * kSlot);
  stacks_ = nullptr;
  slots_ = 0;
}

void BlockRunner::drop_fibers() {
  for (auto& set : fibers_) {
    for (const Fiber& fiber : set) destroy_fiber(fiber.handle);
    set.clear();
  }
}

void BlockRunner::prepare_shared() {
#if defined(GPUHISTO_ASAN)
  shared_ = new (std::align_val_t{16}) unsigned char[launch_.shared_bytes];  // the sanitizer guards its ends
  std::memset(shared_, kGarbage, launch_.shared_bytes);
#else
  auto& arena = arenas_[set_];
  if (arena.size() < launch_.shared_bytes + kCanaryBytes + 16) arena.resize(launch_.shared_bytes + kCanaryBytes + 16);
  auto start = reinterpret_cast<std::uintptr_t>(arena.data());
  shared_ = reinterpret_cast<unsigned char*>((start + 15) & ~std::uintptr_t{15});
  std::memset(shared_, kGarbage, launch_.shared_bytes);
  std::memset(shared_ + launch_.shared_bytes, kCanary, kCanaryBytes);
#endif
}

void BlockRunner::release_shared() {
#if defined(GPUHISTO_ASAN)
  ::operator delete[](shared_, std::align_val_t{16});
#else
  const unsigned char* end = shared_ + launch_.shared_bytes;
  if (std::any_of(end, end + kCanaryBytes, [](unsigned char byte) { return byte != kCanary; }))
    fail("a block wrote past the end of its shared memory");
#endif
  shared_ = nullptr;
}

void BlockRunner::prepare() {
  set_ ^= 1;
  failed_ = exhausted_ = false;
  acquire(&end_tags_[set_]);
  prepare_shared();
  scheduler_fiber_ = current_fiber();
  while (fibers_[set_].size() < lanes_.size()) fibers_[set_].push_back({create_fiber()});
  release(&start_tag_);
  const Extent block = launch_.block;
  order_.resize(lanes_.size());
  for (unsigned i = 0; i < lanes_.size(); ++i) {
    lanes_[i] = Lane{};
    lanes_[i].thread = {i % block.x, i / block.x % block.y, i / (block.x * block.y)};
    lanes_[i].fiber = context::make_fcontext(stack(i) + kStack, kStack, &BlockRunner::enter);
    lanes_[i].sanitizer_fiber = fibers_[set_][i].handle;
    order_[i] = {device_.order == LaneOrder::kReverse ? static_cast<unsigned>(lanes_.size()) - 1 - i : i};
  }
  if (device_.count_accesses) recorder_.start_block(lanes_.size());
}

void BlockRunner::run_ready(std::mt19937& random) {
  if (device_.order == LaneOrder::kRandom) std::shuffle(order_.begin(), order_.end(), random);
  for (const LaneNumber number : order_)
    if (lanes_[number.value].state == State::kReady) resume(number.value);
}

void BlockRunner::fail(const std::string& what) {
  add_fault(what);
  failed_ = true;
}

/// Computes what each lane of a wave gets, if all its lanes wait at one wave operation.
bool BlockRunner::wave_ready(unsigned first, unsigned end, const Site& site) {
  std::uint64_t mask = 0;
  for (unsigned i = first; i < end; ++i) {
    const Lane& lane = lanes_[i];
    if (lane.state != State::kWave) {
      fail("part of a wave misses the wave operation at " + at(site));
      return false;
    }
    if (lane.site.file != site.file || lane.site.line != site.line) {
      fail("one wave waits at two wave operations: " + at(site) + " and " + at(lane.site));
      return false;
    }
    if (lane.given & 1u) mask |= std::uint64_t{1} << (i - first);
  }
  for (unsigned i = first; i < end; ++i) {
    Lane& lane = lanes_[i];
    lane.got = lane.operation == WaveOperation::kBallot ? mask
               : first + lane.source < end              ? lanes_[first + lane.source].given
                                                        : lane.given;
  }
  return true;
}

/// Lets waves that wait at a wave operation go on. True when some did.
bool BlockRunner::run_waves() {
  const unsigned count = static_cast<unsigned>(lanes_.size());
  bool any = false;
  for (unsigned first = 0; first < count; first += device_.wave_size) {
    const unsigned end = std::min(count, first + device_.wave_size);
    unsigned waiting = first;
    while (waiting < end && lanes_[waiting].state != State::kWave) ++waiting;
    if (waiting == end) continue;
    if (!wave_ready(first, end, lanes_[waiting].site)) return false;
    for (unsigned i = first; i < end; ++i) lanes_[i].state = State::kReady;
    any = true;
  }
  return any;
}

/// Opens the barriers that are complete. True when some did.
bool BlockRunner::open_barriers() {
  unsigned arrived[kBarriers] = {};
  const Lane* first[kBarriers] = {};
  for (const Lane& lane : lanes_) {
    if (lane.state != State::kBarrier) continue;
    const Lane*& known = first[lane.barrier];
    if (!known) known = &lane;
    if (known->site.line != lane.site.line || known->site.file != lane.site.file) {
      fail("one barrier is waited for at two places: " + at(known->site) + " and " + at(lane.site));
      return false;
    }
    ++arrived[lane.barrier];
  }
  bool any = false;
  for (unsigned id = 0; id < kBarriers; ++id) {
    if (!first[id]) continue;
    const unsigned expected = first[id]->expected;
    if (arrived[id] % expected != 0 || arrived[id] < expected) continue;
    any = true;
    for (Lane& lane : lanes_)
      if (lane.state == State::kBarrier && lane.barrier == id) lane.state = State::kReady;
  }
  if (!any)
    for (const Lane* lane : first)
      if (lane && !failed_) fail("part of the block never reaches the barrier at " + at(lane->site));
  return any;
}

/// After a fault: the lanes that still wait are abandoned where they are, and their fibers not used again.
bool BlockRunner::finish() {
  if (failed_) {
    for (const Lane& lane : lanes_) take_over(lane.sanitizer_fiber, scheduler_fiber_);
    drop_stacks();
    reserve_stacks();
    drop_fibers();
  }
  return !failed_;
}

bool BlockRunner::run_block(Extent index) {
  block_ = index;
  prepare();
  std::mt19937 random(device_.seed * 7919u + index.x);
  while (!failed_) {
    run_ready(random);
    if (run_waves() || failed_) continue;
    if (device_.count_accesses) recorder_.end_phase(device_.wave_size);
    if (std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.state == State::kDone; })) break;
    open_barriers();
  }
  release_shared();
  return finish();
}

/// Runners not in use, kept so that their fibers are not made again.
class RunnerPool {
 public:
  std::unique_ptr<BlockRunner> take() {
    std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<BlockRunner>();
    auto taken = std::move(idle_.back());
    idle_.pop_back();
    return taken;
  }
  void give(std::unique_ptr<BlockRunner> used) {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(used));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockRunner>> idle_;
};

RunnerPool& pool() {
  static RunnerPool instance;
  return instance;
}

bool refused(const Launch& launch, const Config& device) {
  const std::uint64_t lanes = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  return lanes == 0 || blocks == 0 || lanes > device.max_block_lanes || launch.shared_bytes > device.shared_bytes;
}

}  // namespace

Extent thread_index() { return runner->lane().thread; }
Extent block_index() { return runner->block_; }
Extent block_extent() { return runner->launch_.block; }
Extent grid_extent() { return runner->launch_.grid; }
unsigned wave_size() { return runner->device_.wave_size; }
unsigned lane_of_wave() { return runner->lane_of_wave(); }
void* dynamic_shared() { return runner->shared(); }

void barrier(unsigned id, unsigned lanes, Site site) {
  Lane& lane = runner->lane();
  const Extent block = runner->launch_.block;
  lane.barrier = id;
  lane.expected = lanes ? lanes : block.x * block.y * block.z;
  void* tag = runner->barrier_tag(id, lane.phase[id]++);
  release(tag);
  runner->wait(State::kBarrier, site);
  acquire(tag);
}

std::uint64_t wave_ballot(bool bit, Site site) {
  Lane& lane = runner->lane();
  lane.operation = WaveOperation::kBallot;
  lane.given = bit;
  runner->wait(State::kWave, site);
  return lane.got;
}

void wave_barrier(Site site) {
  Lane& lane = runner->lane();
  lane.operation = WaveOperation::kBallot;
  lane.given = 0;
  void* tag = runner->wave_tag(lane.wave_phase++);
  release(tag);
  runner->wait(State::kWave, site);
  acquire(tag);
}

std::uint64_t wave_shuffle(std::uint64_t value, unsigned source, Site site) {
  Lane& lane = runner->lane();
  lane.operation = WaveOperation::kShuffle;
  lane.given = value;
  lane.source = source;
  runner->wait(State::kWave, site);
  return lane.got;
}

void note_atomic(const void* address) {
  if (runner->device_.count_accesses) runner->note(address, true);
}
void note_shared(const void* address) {
  if (runner->device_.count_accesses) runner->note(address, false);
}

int run(const Launch& launch) {
  const Config device = config();
  if (refused(launch, device)) return hipErrorInvalidConfiguration;
  const unsigned blocks = launch.grid.x * launch.grid.y * launch.grid.z;
  std::atomic<unsigned> next{0};
  std::atomic<bool> good{true}, exhausted{false};
  const auto run_blocks = [&] {
    auto mine = pool().take();
    mine->begin(launch, device);
    runner = mine.get();
    for (unsigned i; good && (i = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
      const Extent index{i % launch.grid.x, i / launch.grid.x % launch.grid.y, i / (launch.grid.x * launch.grid.y)};
      if (mine->run_block(index)) continue;
      if (mine->exhausted()) exhausted = true;
      good = false;
    }
    mine->end();
    runner = nullptr;
    pool().give(std::move(mine));
  };
  const auto work = [&] {
    try {
      run_blocks();
    } catch (const std::bad_alloc&) {
      runner = nullptr;
      exhausted = true;
      good = false;
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < std::min(device.workers, blocks); ++i) {
    try {
      others.emplace_back(work);
    } catch (const std::exception&) {
      break;  // no memory for one more thread: those there are do all the blocks
    }
  }
  work();
  for (auto& other : others) other.join();
  return good ? hipSuccess : exhausted ? hipErrorOutOfMemory : hipErrorLaunchFailure;
}

}  // namespace gpuhisto::emulated
