// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhisto/decoder.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/histogram.hpp"
#include "gpuhisto/mask.hpp"
#include "gpuhisto/plot.hpp"
#include "gpuhisto/statistics.hpp"

namespace gpuhisto {

/// What became of an input.
enum class Status {
  kOk,       ///< counted; flags may say more
  kError,    ///< not counted
  kSkipped,  ///< found in a folder, and no image
};

struct TableFile;

/// One input's outcome: what every report is made of.
struct FileResult {
  std::string input;  ///< as the user named it; any bytes
  Status status = Status::kOk;
  std::string error;  ///< for kError and kSkipped: the cause, without the name
  ErrorKind error_kind = ErrorKind::kInput;
  Flags flags;
  std::vector<std::string> notes;                   ///< one sentence a flag, for stderr
  std::uint64_t frames = 1, width = 0, height = 0;  ///< as in ImageInfo
  std::string device = "cpu", method = "cpu";       ///< what counted: names of DeviceInfo::id and MethodInfo
  ImageHistogram histogram;
  std::shared_ptr<const TableFile> tables = {};  ///< of an input that is no image but a table; null: it is an image
};

/// Which shards of which list of inputs a total is the sum of.
struct ShardSet {
  std::vector<std::uint64_t> indexes;  ///< ascending, from 1
  std::uint64_t count = 1;             ///< of the shards that the list was split into
  std::uint64_t inputs = 0;            ///< in the whole list; with the digest only
  /// SHA-256 of all names in their order, each ended by NUL; empty: the list was not read to its end.
  std::string digest;
  std::string source;  ///< the environment that index and count were taken from; may be empty
};

/// The sum over all inputs of a run.
struct Total {
  std::uint64_t ok = 0, failed = 0, flagged = 0, skipped = 0;  ///< inputs
  ImageHistogram histogram;                                    ///< of those that are ok
  std::optional<ShardSet> shard;                               ///< absent: the total is of a whole list
  bool incomplete = false;                                     ///< the run ended before its inputs did
  /// Pixels of inputs that are ok only; `flagged` are those of them with a flag. Throws Error(kLimit) beyond 2^64 - 1
  /// pixels.
  void add(const FileResult& result);
};

/// "X,Y,WIDTH,HEIGHT", as the program takes it.
std::string roi_text(const Rectangle& roi);
/// The rectangle of such a text; nullopt for any other text, and where a side is 0.
std::optional<Rectangle> roi_of_text(std::string_view text);

/// How pixels were counted; JSON's "counting".
struct Counting {
  LumaRule luma = LumaRule::kBt601;
  bool skip_transparent = false;            ///< pixels of alpha 0 do not count
  ChannelSet channels = ChannelSet::all();  ///< those asked for: sums are of them alone
  std::optional<Rectangle> roi = {};        ///< counted alone
  std::optional<MaskName> mask = {};        ///< counted where it is not zero
  std::size_t bins = kBins;                 ///< of the tables: see bins.hpp
  bool operator==(const Counting&) const = default;
};

/// Formats of tables; docs/output.md has their columns and keys.
enum class ReportFormat { kText, kCsv, kJson, kJsonl };

/// What a report shows.
struct ReportOptions {
  Counting counting;
  std::vector<Percentile> percentiles;  ///< columns p…; empty: 1,5,95,99
  bool histograms = false;              ///< JSON: per-input histograms (hist always; stats with --histograms)
  bool statistics = true;               ///< false: counts of levels are not known, so nothing but their number is told
  bool cumulative = false;              ///< hist: running sums; in JSON "cumulative" beside "histogram"
  bool header = true;                   ///< CSV
  bool total_only = false;              ///< leaves the single inputs out
  bool color = false;                   ///< text for a terminal
  std::optional<TerminalOptions> sketch = {};  ///< stats as text: a histogram below each table
};

/// Writes results in the order given, as soon as each is given (JSON, too: one document, streamed).
/// begin(), result() for each input, then finish(). The total row appears `with_total`, or with total_only; JSON and
/// JSON lines always carry "total". A CSV total's status is "incomplete", or "error" where an input failed, "partial"
/// where it is of some shards, else "ok"; the CSV of hist, which has no status, has no incomplete total. Skipped inputs
/// appear in JSON only. Each piece is flushed; a stream that fails is left to the caller.
class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void begin() = 0;                                      ///< first, once
  virtual void result(const FileResult& result) = 0;             ///< each input, in order
  virtual void finish(const Total& total, bool with_total) = 0;  ///< last, once
};
/// Statistics of each channel. `out` must outlive the reporter.
std::unique_ptr<Reporter> make_stats_reporter(ReportFormat format, const ReportOptions& options, std::ostream& out);
/// Tables of all bins.
std::unique_ptr<Reporter> make_hist_reporter(ReportFormat format, const ReportOptions& options, std::ostream& out);

/// A name fit for a terminal or a one-line message: bytes that are not UTF-8, control characters, line separators and
/// marks that change the writing direction or are invisible as `\xNN`, and a backslash as two.
std::string printable_name(const std::string& bytes);
/// The same but for backslashes, which stay single: for messages, where names are printable already.
std::string printable_text(const std::string& bytes);
/// Valid UTF-8 for JSON: each bad byte as U+FFFD.
std::string utf8_name(const std::string& bytes);

/// One histogram out of a table that `hist` wrote. Where it has fewer than 256 bins, each count is that of the bin's
/// first level.
struct Table {
  std::string input;  ///< its exact bytes; empty for a total
  ImageHistogram histogram;
};
/// What a file of tables holds.
struct TableFile {
  std::vector<Table> tables;   ///< one an input; the total where no input has a histogram
  std::optional<Total> total;  ///< the file's own; CSV has no numbers of files
  Counting counting;
  bool counting_told = true;  ///< false: CSV, which tells the number of bins alone; the rest is the default

  /// A sentence where the file says that not all inputs were counted; else "".
  std::string incomplete() const {
    return total && total->incomplete ? "its run ended before all inputs were counted" : "";
  }
};
/// True when the bytes look like such a table ('{' or the CSV header), not like an image.
bool is_table(ByteSource& source);
/// Reads CSV with its header, or JSON documents or lines (several after another are one file; their totals are summed,
/// their counting must be equal). Strict: rows or bins missing, doubled or out of order, numbers beyond 64 bits, sums
/// that do not fit throw Error(kInput) with the line and, in JSON, the pointer; what the schema does not name is
/// ignored. Neither the input nor the tables may exceed `max_bytes`: Error(kLimit), naming --max-memory. A cumulative
/// CSV cannot be told from counts.
TableFile read_tables(ByteSource& source, std::uint64_t max_bytes);
/// Of all tables. Throws Error(kLimit) beyond 2^64 - 1 pixels.
ImageHistogram sum_of(const TableFile& file);

}  // namespace gpuhisto
