// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gpuhisto/backend.hpp"
#include "gpuhisto/decoder.hpp"
#include "gpuhisto/encoder.hpp"
#include "gpuhisto/histogram.hpp"
#include "gpuhisto/report.hpp"
#include "gpuhisto/tone.hpp"

namespace gpuhisto {

/// One input of a run.
struct Input {
  std::string name;          ///< a path, or "-"
  std::string error;         ///< not empty: this input could not even be listed, and why
  bool from_folder = false;  ///< found by walking a folder: content that is no image is skipped, not an error
  std::string relative;      ///< the name below --output-dir
};
/// Gives the next input; false at the end. Called by one thread at a time. What it throws, run_ordered() throws.
using InputList = std::function<bool(Input& input)>;

/// A result, or what will give one: counts that a device is still at.
class PendingResult {
 public:
  PendingResult() = default;
  /// One that is complete.
  PendingResult(FileResult result) : result_(std::move(result)) {}
  /// `complete` may wait; it must not throw.
  PendingResult(FileResult result, std::function<void(FileResult&)> complete)
      : result_(std::move(result)), complete_(std::move(complete)) {}
  /// Whether it is known by now that the input failed.
  bool failed() const { return result_.status == Status::kError; }
  /// The result, complete: waits for it. To be called once.
  FileResult take() {
    if (complete_) complete_(result_);
    return std::move(result_);
  }

 private:
  FileResult result_;
  std::function<void(FileResult&)> complete_;
};

/// How much run_ordered() does at a time.
struct OrderedOptions {
  int threads = 1;          ///< all that may work at a time
  std::size_t window = 0;   ///< inputs taken but not yet reported, at most; 0: eight a worker, 64 if pending
  int workers = 0;          ///< inputs in work at a time, at most; 0: as many as threads
  bool slow_list = false;   ///< the next input may be long in coming: none is waited for to share the threads out
  bool background = false;  ///< results may be pending: even a single worker goes on to the next input
};

/// What run_ordered() is given to do.
struct OrderedWork {
  /// On a worker thread; `threads` is this input's share. Must not throw.
  std::function<PendingResult(const Input& input, int threads)> work;
  /// On the calling thread, in input order, each as soon as its turn comes.
  std::function<void(FileResult&&)> report;
  /// Asked before each input is taken; true ends the run early: what is in flight is still reported. May be empty.
  std::function<bool()> stop;
};

/// The bounded ordered queue. Workers take inputs in order and work in parallel; at most `window` inputs are in flight
/// or wait for their turn, so memory does not grow with the number of inputs. With fewer inputs than threads, each
/// input gets several threads.
void run_ordered(const InputList& inputs, const OrderedOptions& options, const OrderedWork& jobs);

/// How files are counted.
struct CountOptions {
  CountSpec spec;                              ///< what is counted
  DecodeOptions decode;                        ///< max_memory: for all images in flight
  int workers = 1;                             ///< images in flight at most: each one's share is max_memory / workers
  bool strict = false;                         ///< every flag is an error
  double max_seconds = 0;                      ///< from opening an input until its last row is counted; 0: no limit
  std::string device = "cpu", method = "cpu";  ///< as choose_execution() names them
  std::string policy;                          ///< of the device's method: "key=value,…" over its own
  /// A device that may be ready some time; from then on it counts, and what is mapped it maps. `device` is "cpu" then,
  /// and `on_device_failure` is kUseCpu.
  std::shared_ptr<DeviceStart> device_start;
  OnDeviceFailure on_device_failure = OnDeviceFailure::kThrow;  ///< what then becomes of the image
  /// With kUseCpu, what the inputs of a run share: set by the first that loses the device; from then on all are the
  /// CPU's. Null: each input tries the device, and its result has the note.
  std::shared_ptr<std::atomic<bool>> device_lost;
  std::function<void(const std::string& note)> on_device_lost;  ///< called once, by any worker, when it is set
  std::function<void(const std::string& name)> on_wait;         ///< an input could not be opened within two seconds
};

/// Counts all rows that a decoder gives, strip by strip. With two threads or more, the calling thread decodes while the
/// others count the strip before.
ImageHistogram count_rows(Decoder& decoder, const CountSpec& spec, int threads);

/// Decodes and counts one input with `threads` threads: with two or more, one strip is counted while the next is
/// decoded. Rows stream through; the image is never held unless its decoder must. Never throws: the result carries the
/// error.
FileResult count_file(const Input& input, const CountOptions& options, int threads);
/// The same, but what a device counts may still be under way when it returns.
PendingResult count_file_later(const Input& input, const CountOptions& options, int threads);

/// The same for an input that may be a table instead; a file met in a folder may not.
PendingResult count_or_read_later(const Input& input, const CountOptions& options, int threads);

/// The same for an input that is open already, with all of options.decode.max_memory for it alone.
FileResult count_source(ByteSource& source, const std::string& name, const CountOptions& options, int threads);

/// How an image is written.
struct ImageOutputOptions {
  std::optional<Format> to;  ///< default: by the output's extension, else the input's format
  bool no_clobber = false;   ///< an existing output is an error, and stays
  bool strip = false;        ///< the output carries no metadata
  int quality = 92;          ///< of JPEG, 1..100
  std::optional<std::array<std::uint8_t, 3>> background;  ///< for formats without alpha
};

/// The counts of all channels of the pixels that are mapped.
struct Change {
  ImageHistogram before, after;
};

/// How files are mapped.
struct MapFileOptions {
  CountOptions count;  ///< spec.predicate and decode options; spec.luma is the rule of `gray`
  std::shared_ptr<const ToneOperation> operation;  ///< null where `clahe` is given
  std::optional<ClaheOptions> clahe;               ///< in place of an operation; its threads are the image's share
  bool gray = false;                               ///< the image becomes its luma first
  ImageOutputOptions output;
  /// Called by any worker directly before an output is opened: what it throws is why that cannot be written.
  std::function<void(const std::string& output)> before_output = {};
  /// Called by any worker for each output that was written. Null: changes are not counted.
  std::function<void(const Change& change)> on_change = {};
};

/// Reads one image, maps its pixels by their counts and writes it; the output appears whole or not at all. Never
/// throws.
FileResult map_file(const Input& input, const std::string& output, const MapFileOptions& options, int threads);

}  // namespace gpuhisto
