// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "gpuhisto/merge.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/plural.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/shard.hpp"
#include "report/table_input.hpp"

namespace gpuhisto {
namespace {

[[noreturn]] void refuse(const std::string& fact) { throw Error(ErrorKind::kInput, fact); }
[[noreturn]] void refuse_together(const std::string& fact) { throw Error(ErrorKind::kUsage, fact); }

constexpr const char* kUnfinished = "is of a run that did not finish; --partial adds it all the same";

std::string shard_text(const ShardSet& set) {
  if (set.indexes.size() == 1)
    return "shard " + std::to_string(set.indexes.front()) + " of " + std::to_string(set.count);
  return std::to_string(set.indexes.size()) + " of " + number_of(set.count, "shard");
}

std::string roi_or_none(const Counting& counting) { return counting.roi ? roi_text(*counting.roi) : "none"; }
std::string mask_or_none(const Counting& counting) {
  if (!counting.mask) return "none";
  return printable_name(counting.mask->name) + " (digest " + counting.mask->digest.substr(0, 12) + "...)";
}

std::string alpha_text(const Counting& counting) { return counting.skip_transparent ? "skip" : "count"; }

/// How many files a total should have met.
std::uint64_t inputs_of(const ShardSet& set) {
  std::uint64_t sum = 0;
  for (const std::uint64_t index : set.indexes) sum += inputs_of(Shard{index, set.count}, set.inputs);
  return sum;
}

std::uint64_t files_of(const Total& total) {
  std::uint64_t sum = total.ok;
  for (const std::uint64_t more : {total.failed, total.skipped})
    if (__builtin_add_overflow(sum, more, &sum)) refuse("has more than 2^64 - 1 files");
  return sum;
}

/// Throws where `a` and `b` cannot be parts of one list.
void check_same_list(const ShardSet& a, const std::string& a_name, const ShardSet& b, const std::string& b_name) {
  if (a.count != b.count) refuse_together(a_name + " is " + shard_text(a) + ", " + b_name + " is " + shard_text(b));
  if (a.digest.empty() || b.digest.empty() || (a.digest == b.digest && a.inputs == b.inputs)) return;
  refuse_together(a_name + " and " + b_name + " are shards of different lists: of " + number_of(a.inputs, "input") +
                  ", digest " + a.digest.substr(0, 12) + "..., and of " + number_of(b.inputs, "input") + ", digest " +
                  b.digest.substr(0, 12) + "...");
}

}  // namespace

/// What one file adds.
struct Merge::FileSum {
  std::optional<Counting> counting;
  std::optional<Total> total;  ///< its shard: the digest and count of all, and all their indexes, not yet sorted
  bool whole_list = false;     ///< a total said so
  bool of_unknown_shard = false;
};

/// Sums a file's totals, and checks each against the results before it.
class Merge::FileReader : public TableSink {
 public:
  FileReader(Accept accept, const std::string& name) : accept_(accept), name_(name) {}

  void set_counting(const Counting& counting) override {
    if (sum_.counting && *sum_.counting != counting) refuse("differs from the counting before it");
    sum_.counting = counting;
  }
  void add_result(Status status, std::uint64_t pixels, bool flagged) override {
    ++results_;
    seen_.flagged += flagged;
    std::uint64_t& count = status == Status::kOk ? seen_.ok : status == Status::kError ? seen_.failed : seen_.skipped;
    ++count;
    if (__builtin_add_overflow(pixels_, pixels, &pixels_))
      throw Error(ErrorKind::kLimit, "a total of more than 2^64 - 1 pixels");
  }
  void add(Table&& table) override {
    tables_ = true;
    seen_.histogram.add(table.histogram);  // bins are at most pixels, which add_result() has checked
  }
  void add_total(const Total& total) override {
    if (results_ > 0) check_results(total);
    if (total.incomplete && accept_ == Accept::kWhole) refuse(kUnfinished);
    check_shard(total);
    take(total);
    forget_results();
  }

  /// What a run was writing when it was killed.
  bool take_cut() override {
    if (results_ == 0 && !sum_.total) return false;
    if (accept_ == Accept::kWhole)
      refuse(
          "ends amid a document: the run did not finish; --partial adds its whole results, where they have histograms");
    return cut_ = true;
  }

  FileSum finish() {
    if (results_ > 0) take_results_without_total();
    if (!sum_.total) refuse("holds no total");
    if (!sum_.counting) refuse("does not tell how it was counted");
    sum_.total->incomplete |= cut_;
    if (sum_.total->shard) std::sort(sum_.total->shard->indexes.begin(), sum_.total->shard->indexes.end());
    return std::move(sum_);
  }

 private:
  void forget_results() {
    seen_ = {};
    results_ = pixels_ = 0;
    tables_ = false;
  }

  void check_results(const Total& total) const {
    const ImageHistogram& sum = seen_.histogram;
    const bool files = seen_.ok == total.ok && seen_.failed == total.failed && seen_.skipped == total.skipped &&
                       seen_.flagged == total.flagged;
    const bool bins = !tables_ || (sum.counts == total.histogram.counts && sum.channels == total.histogram.channels);
    if (!files || !bins || pixels_ != total.histogram.pixels) refuse("is not the sum of the results before it");
  }

  static void check_shard(const Total& total) {
    if (!total.shard || total.incomplete) return;
    if (total.shard->digest.empty()) refuse("is of a shard without a digest of its list");
    const std::uint64_t files = files_of(total), expected = inputs_of(*total.shard);
    if (files != expected)
      refuse("has " + number_of(files, "file") + ", but " + shard_text(*total.shard) + " has " +
             number_of(expected, "input"));
  }

  void take(const Total& total) {
    sum_.whole_list |= !total.shard;
    if (!sum_.total) {
      sum_.total = total;
      return;
    }
    std::optional<ShardSet>& all = sum_.total->shard;
    if (all.has_value() != total.shard.has_value())
      refuse_together(name_ + " holds shards and the total of a whole list");
    add_to(*sum_.total, total);
    if (!all) return;
    check_same_list(*all, name_, *total.shard, name_);
    all->indexes.insert(all->indexes.end(), total.shard->indexes.begin(), total.shard->indexes.end());
    if (all->digest.empty()) {
      all->digest = total.shard->digest;
      all->inputs = total.shard->inputs;
    }
  }

  /// A stream that ended before its total: what the results say, if they say enough.
  void take_results_without_total() {
    if (accept_ == Accept::kWhole)
      refuse("ends without a total: the run did not finish; --partial adds its results, where they have histograms");
    if (!tables_ && seen_.ok > 0) refuse("ends without a total, and its results have no histograms to add");
    seen_.histogram.pixels = pixels_;
    seen_.incomplete = true;
    sum_.of_unknown_shard = true;
    if (sum_.total)
      add_to(*sum_.total, seen_);
    else
      sum_.total = seen_;
  }

  Accept accept_;
  const std::string& name_;
  FileSum sum_;
  Total seen_;  ///< the results since the last total
  std::uint64_t results_ = 0, pixels_ = 0;
  bool tables_ = false, cut_ = false;
};

void Merge::add(ByteSource& source, const std::string& name) {
  FileReader reader(accept_, name);
  if (source.peek().empty()) refuse("is empty");
  if (!is_json_table(source))
    refuse("is no JSON or JSON lines of stats or hist" +
           std::string(is_table(source) ? ": CSV does not tell how it was counted" : ""));
  TextFeed feed(source, std::numeric_limits<std::uint64_t>::max());
  read_json_tables(feed, reader);
  const FileSum file = reader.finish();
  check_counting(file, name);
  check_shards(file, name);
  Total sum = sum_;
  add_to(sum, *file.total);
  if (const auto& shard = file.total->shard) {
    for (const std::uint64_t index : shard->indexes) found_.emplace(index, name);
    if (!sum.shard) sum.shard = ShardSet{{}, shard->count, 0, "", ""};
    if (sum.shard->digest.empty() && !shard->digest.empty()) {
      sum.shard->digest = shard->digest;
      sum.shard->inputs = shard->inputs;
      first_with_digest_ = name;
    }
  }
  sum_ = sum;
  counting_ = *file.counting;
  if (first_.empty()) first_ = name;
  if (file.of_unknown_shard) of_unknown_shard_.push_back(name);
  if (file.whole_list && whole_.empty()) whole_ = name;
}

void Merge::check_counting(const FileSum& file, const std::string& name) const {
  if (first_.empty() || *file.counting == counting_) return;
  const auto refuse_value = [&](const std::string& what, const std::string& here, const std::string& there) {
    if (here != there)
      refuse_together("counted differently: " + what + " is " + here + " in " + first_ + ", " + there + " in " + name);
  };
  refuse_value("luma", std::string(luma_name(counting_.luma)), std::string(luma_name(file.counting->luma)));
  refuse_value("alpha", alpha_text(counting_), alpha_text(*file.counting));
  refuse_value("roi", roi_or_none(counting_), roi_or_none(*file.counting));
  refuse_value("mask", mask_or_none(counting_), mask_or_none(*file.counting));
  refuse_value("bins", std::to_string(counting_.bins), std::to_string(file.counting->bins));
  refuse_value("channels", channel_list(counting_.channels), channel_list(file.counting->channels));
}

void Merge::check_shards(const FileSum& file, const std::string& name) const {
  const std::optional<ShardSet>& shard = file.total->shard;
  const auto refuse_mixed = [](const std::string& of_shard, const std::string& whole) {
    refuse_together(of_shard + " is of a shard, " + whole + " of a whole list");
  };
  if (file.whole_list && sum_.shard) refuse_mixed(found_.begin()->second, name);
  if (!shard) return;
  if (!whole_.empty()) refuse_mixed(name, whole_);
  if (sum_.shard) {
    ShardSet first = *sum_.shard;
    first.indexes = {found_.begin()->first};
    check_same_list(first, first_with_digest_.empty() ? found_.begin()->second : first_with_digest_, *shard, name);
  }
  for (std::size_t i = 0; i < shard->indexes.size(); ++i) {
    const std::uint64_t index = shard->indexes[i];
    const auto found = found_.find(index);
    const bool twice_here = i > 0 && shard->indexes[i - 1] == index;
    if (found != found_.end() || twice_here)
      refuse_together("shard " + std::to_string(index) + " of " + std::to_string(shard->count) + " is in both " +
                      (twice_here ? name : found->second) + " and " + name);
  }
}

std::string Merge::missing() const {
  constexpr int kMostRanges = 20;
  std::string text;
  if (!sum_.shard) return text;
  std::uint64_t next = 1;
  int ranges = 0;
  const auto add = [&](std::uint64_t first, std::uint64_t last) {
    if (first > last || ++ranges > kMostRanges + 1) return;
    text += text.empty() ? "" : ", ";
    if (ranges > kMostRanges)
      text += "...";
    else
      text += std::to_string(first) + (first < last ? "-" + std::to_string(last) : "");
  };
  for (const auto& [index, name] : found_) {
    add(next, index - 1);
    next = index + 1;
  }
  if (found_.empty() || found_.rbegin()->first < sum_.shard->count) add(next, sum_.shard->count);
  return text;
}

Total Merge::total() const {
  Total total = sum_;
  if (!total.shard) return total;
  if (found_.size() == total.shard->count) {
    total.shard.reset();
    return total;
  }
  for (const auto& [index, name] : found_) total.shard->indexes.push_back(index);
  return total;
}

}  // namespace gpuhisto
