// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "pipeline/strips.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "gpuhisto/error.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kStripBytes = 512 * 1024;  // two strips fit into a core's second-level cache, wake-ups stay rare
constexpr std::size_t kRowGroup = 16;            // a row of a JPEG's blocks with 4:2:0 subsampling

std::size_t row_bytes_of(const ImageInfo& info) {
  return static_cast<std::size_t>(info.width) * static_cast<std::size_t>(info.channels);
}

std::size_t strip_rows(const ImageInfo& info) {
  std::size_t rows = std::max<std::size_t>(1, kStripBytes / row_bytes_of(info));
  if (rows > kRowGroup) rows -= rows % kRowGroup;
  return std::min(rows, static_cast<std::size_t>(info.height));
}

/// Decodes until the strip is full or the image ends; returns how many rows.
std::size_t decode_rows(Decoder& decoder, const MutableImageView& strip) {
  std::size_t rows = 0;
  while (rows < strip.height) {
    const std::size_t got = decoder.read_rows(strip.row(rows), strip.row_bytes, strip.height - rows);
    decoder.time_limit().check();
    if (got == 0) break;
    rows += got;
  }
  return rows;
}

/// A decoder checks the file's tail when it is asked for rows beyond the last.
void check_end(Decoder& decoder) {
  std::vector<std::uint8_t> row(row_bytes_of(decoder.info()));
  if (decoder.read_rows(row.data(), row.size(), 1) != 0)
    throw Error(ErrorKind::kInput, "there are more rows than the header says");
}

/// Runs the consumer on a thread of its own, strip after strip; on the caller's where no thread can be had.
class ConsumerThread {
 public:
  explicit ConsumerThread(const StripConsumer& consume) : consume_(consume) {
    try {
      thread_ = std::thread([this] { serve(); });
    } catch (const std::system_error&) {
      // A limit on threads or memory: give() consumes.
    }
  }
  ~ConsumerThread() {
    if (!thread_.joinable()) return;
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  ConsumerThread(const ConsumerThread&) = delete;
  ConsumerThread& operator=(const ConsumerThread&) = delete;

  void give(const ImageView& strip, std::uint64_t first_row) {
    if (!thread_.joinable()) return consume_(strip, first_row);
    {
      std::lock_guard lock(mutex_);
      strips_.emplace_back(strip, first_row);
    }
    changed_.notify_all();
  }
  /// Waits until at most `count` strips are not yet consumed; rethrows what the consumer threw.
  void wait_for_backlog(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return strips_.size() <= count; });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return closed_ || !strips_.empty(); });
      if (strips_.empty()) return;
      const auto [strip, first_row] = strips_.front();
      const bool wanted = !closed_ && !error_;
      lock.unlock();
      std::exception_ptr error;
      try {
        if (wanted) consume_(strip, first_row);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error && !error_) error_ = error;
      strips_.pop_front();
      changed_.notify_all();
    }
  }

  const StripConsumer& consume_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<ImageView, std::uint64_t>> strips_;  // the first one is being consumed
  bool closed_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses the others
};

/// Gives the memory for the next strip.
using NextStrip = std::function<MutableImageView(std::uint64_t first_row, std::size_t rows)>;

std::size_t run_here(Decoder& decoder, const NextStrip& next, const StripConsumer& consume) {
  const std::size_t most = strip_rows(decoder.info());
  for (std::size_t row = 0;;) {
    const MutableImageView strip = next(row, most);
    const std::size_t rows = decode_rows(decoder, strip);
    if (rows > 0) consume(strip.rows(0, rows), row);
    row += rows;
    if (rows < most) return row;
  }
}

/// `backlog`: strips that may wait to be consumed while the next one is decoded.
std::size_t run_beside(Decoder& decoder, const NextStrip& next, const StripConsumer& consume, std::size_t backlog) {
  ConsumerThread other(consume);
  std::size_t row = 0;
  const auto give = [&](const ImageView& strip, std::uint64_t first_row) { other.give(strip, first_row); };
  const auto next_free = [&](std::uint64_t first_row, std::size_t rows) {
    other.wait_for_backlog(backlog);
    return next(first_row, rows);
  };
  row = run_here(decoder, next_free, give);
  other.wait_for_backlog(0);
  return row;
}

struct Buffer {
  std::unique_ptr<std::uint8_t[]> bytes;  // not zeroed: a header may claim rows of any length
  std::size_t size = 0;
};

/// Two buffers, kept for a next image: fresh memory costs more than the counting of a thumbnail. (Not by the thread:
/// where memory is short, libc ends a program that it cannot promise to clear a thread's variables.)
class StripBuffers {
 public:
  StripBuffers() {
    std::lock_guard lock(kept_.mutex);
    if (kept_.count > 0) buffers_ = std::move(kept_.buffers[--kept_.count]);
  }
  ~StripBuffers() {
    std::lock_guard lock(kept_.mutex);
    if (buffers_[0].size <= 2 * kStripBytes && kept_.count < kept_.buffers.size())
      kept_.buffers[kept_.count++] = std::move(buffers_);
  }
  StripBuffers(const StripBuffers&) = delete;
  StripBuffers& operator=(const StripBuffers&) = delete;

  std::uint8_t* get(std::size_t turn, std::size_t bytes) {
    Buffer& buffer = buffers_[turn];
    if (buffer.size < bytes) buffer = {std::make_unique_for_overwrite<std::uint8_t[]>(bytes), bytes};
    return buffer.bytes.get();
  }

 private:
  using Buffers = std::array<Buffer, 2>;
  struct Kept {
    std::mutex mutex;
    std::array<Buffers, 64> buffers;
    std::size_t count;
  };
  static inline Kept& kept_ = *new Kept{};  // never destroyed: a thread that outlives main() may count
  Buffers buffers_;
};

bool overlaps(const ImageInfo& info, int threads) { return threads > 1 && info.height > strip_rows(info); }

}  // namespace

std::uint64_t strip_memory(const ImageInfo& info) { return std::uint64_t{2} * strip_rows(info) * row_bytes_of(info); }

int consumer_threads(const ImageInfo& info, int threads) { return overlaps(info, threads) ? threads - 1 : threads; }

std::size_t stream_strips(Decoder& decoder, int threads, const StripConsumer& consume) {
  const ImageInfo& info = decoder.info();
  StripBuffers buffers;
  std::size_t turn = 0;
  const NextStrip next = [&](std::uint64_t, std::size_t rows) -> MutableImageView {
    std::uint8_t* const buffer = buffers.get(turn, rows * row_bytes_of(info));
    if (overlaps(info, threads)) turn = 1 - turn;
    return {buffer, static_cast<std::size_t>(info.width), rows, info.channels, row_bytes_of(info)};
  };
  return overlaps(info, threads) ? run_beside(decoder, next, consume, 1) : run_here(decoder, next, consume);
}

std::size_t stream_strips(Decoder& decoder, int threads, Histogrammer& counter) {
  const ImageInfo& info = decoder.info();
  const auto count = [&](const ImageView& strip, std::uint64_t first_row) { counter.count(strip, first_row); };
  std::uint8_t* first = counter.strip_memory(strip_rows(info) * row_bytes_of(info));
  if (!first) return stream_strips(decoder, threads, count);
  const NextStrip next = [&](std::uint64_t, std::size_t rows) -> MutableImageView {
    std::uint8_t* memory = first ? std::exchange(first, nullptr) : counter.strip_memory(rows * row_bytes_of(info));
    return {memory, static_cast<std::size_t>(info.width), rows, info.channels, row_bytes_of(info)};
  };
  return run_here(decoder, next, count);
}

std::size_t fill_strips(Decoder& decoder, const MutableImageView& image, int threads, const StripConsumer& consume) {
  const NextStrip next = [&](std::uint64_t first_row, std::size_t rows) {
    const auto first = static_cast<std::size_t>(first_row);
    return image.rows(first, std::min(rows, image.height - first));
  };
  constexpr std::size_t kAny = static_cast<std::size_t>(-1);
  const std::size_t rows =
      overlaps(decoder.info(), threads) ? run_beside(decoder, next, consume, kAny) : run_here(decoder, next, consume);
  if (rows == image.height) check_end(decoder);
  return rows;
}

}  // namespace gpuhisto
