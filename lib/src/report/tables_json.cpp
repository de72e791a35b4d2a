// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
// Tables out of JSON documents, one or several after another (JSON lines are the latter). Event by event: the memory
// needed is that of the tables, whatever else the documents hold. What the schema does not name is ignored.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "gpuhisto/bins.hpp"
#include "report/counting_text.hpp"
#include "report/json_model.hpp"
#include "report/names.hpp"
#include "report/table_input.hpp"
#include "report/table_reading.hpp"

namespace gpuhisto {
namespace {

constexpr std::size_t kDeepest = 100;  // the schema itself needs 6

static_assert(std::size(kRules) <= 64, "Level::seen has a bit a rule");

class TableHandler {
 public:
  TableHandler(TextFeed& feed, TableSink& tables) : feed_(feed), tables_(tables) {}

  bool null() { return scalar(Type::kOther); }
  bool boolean(bool value) {
    if (enter(Type::kBoolean) == Place::kIncomplete) unit_.total.incomplete = value;
    return leave();
  }
  bool number_integer(std::int64_t) { return scalar(Type::kOther); }  // negative: the others are unsigned
  bool number_unsigned(std::uint64_t value) {
    const Place place = enter(Type::kNumber);
    take_number(place, value);
    return leave();
  }
  bool number_float(double, const std::string&) { return scalar(Type::kOther); }
  bool string(std::string& value) {
    const Place place = enter(Type::kString);
    take_string(place, value);
    return leave();
  }
  bool binary(nlohmann::json::binary_t&) { return scalar(Type::kOther); }
  bool start_object(std::size_t) { return open(Type::kObject); }
  bool start_array(std::size_t) { return open(Type::kArray); }
  bool end_array() {
    if (levels_.back().place == Place::kHistogram) end_histogram();
    return close();
  }

  bool end_object() {
    const Place place = levels_.back().place;
    if (place == Place::kCounting) end_counting();
    if (place == Place::kResult) end_result();
    if (place == Place::kShard) end_shard();
    if (place == Place::kFiles)
      for (const char* key : {"ok", "failed", "flagged", "skipped"}) require(key);
    if (place == Place::kTotal) end_total();
    if (place == Place::kDocument) end_document();
    return close();
  }

  bool key(std::string& name) {
    Level& level = levels_.back();
    level.key = name;
    level.next = &kIgnore;
    for (std::size_t i = 0; i < std::size(kRules); ++i) {
      if (kRules[i].parent != level.place || kRules[i].key != name) continue;
      level.next = &kRules[i];
      if (level.seen >> i & 1) fail("is given twice");
      level.seen |= std::uint64_t{1} << i;
    }
    if (level.place == Place::kChannelMap && level.next == &kIgnore) fail("is no channel");
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
    if (feed_.peek() == TextFeed::kEnd && tells_counting_first() && tables_.take_cut()) return false;
    const std::string_view why = error.what();
    const bool cut = why.find("end of input") != why.npos || why.find("missing closing quote") != why.npos;
    feed_.fail(cut ? "the JSON ends too early" : "not JSON");  // cppcheck-suppress missingReturn
  }

 private:
  /// Stops with the line and the JSON pointer of the value at hand; `outer`: of the object or array around it.
  [[noreturn]] void fail(const std::string& fact, std::size_t outer = 0) const {
    std::string pointer;
    for (std::size_t i = 0; i + outer < levels_.size(); ++i)
      pointer += '/' + (levels_[i].array ? std::to_string(levels_[i].index) : levels_[i].key);
    feed_.fail((pointer.empty() ? "the document" : printable_name(pointer)) + " " + fact);
  }

  /// The place of the value that begins, once its type is known to be right.
  Place enter(Type type) {
    feed_.forget_steps();
    if (levels_.empty()) {
      if (type != Type::kObject) feed_.fail("not a JSON object");
      return Place::kDocument;
    }
    const Level& level = levels_.back();
    const Rule& rule = level.place == Place::kResults        ? kResultRule
                       : level.place == Place::kHistogram    ? kBinRule
                       : level.place == Place::kFlags        ? kFlagRule
                       : level.place == Place::kShardIndexes ? kShardIndexRule
                       : level.array                         ? kIgnore
                                                             : *level.next;
    if (rule.child != Place::kIgnored && rule.type != type)
      fail(std::string("is not ") + kTypeNames[static_cast<std::size_t>(rule.type)]);
    return rule.child;
  }
  bool leave() {
    if (!levels_.empty()) ++levels_.back().index;
    return true;
  }
  bool scalar(Type type) {
    enter(type);
    return leave();
  }

  bool open(Type type) {
    const Place place = enter(type);
    if (levels_.size() == kDeepest) fail("is nested too deep");
    if (place == Place::kResult || place == Place::kTotal) unit_ = {};
    if (place == Place::kChannel) begin_channel();
    if (place == Place::kHistogram) unit_.histograms.set(channel_);
    if (place == Place::kDocument) bins_.reset(), counted_ = false;
    if (place == Place::kCounting) counting_ = {};
    if (place == Place::kShard) unit_.total.shard.emplace();
    levels_.push_back({.place = place, .array = type == Type::kArray});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return leave();
  }

  void begin_channel() {
    channel_ = *std::find_if(kChannels.begin(), kChannels.end(),
                             [&](Channel c) { return channel_name(c) == levels_.back().key; });
    unit_.channels.set(channel_);
  }

  void take_number(Place place, std::uint64_t value) {
    if (place == Place::kBin) {
      const std::size_t index = levels_.back().index;
      if (const std::size_t most = bins_.value_or(kBins); index >= most)
        fail("is one count more than " + std::to_string(most));
      unit_.total.histogram[channel_][index] = value;
      return;
    }
    if (place == Place::kSchemaNumber && value != kSchema) fail("is not " + std::to_string(kSchema));
    if (place == Place::kBinCount && (value < 1 || value > kBins)) fail("is not 1 to 256");
    if (place == Place::kBinCount) counting_.bins = static_cast<std::size_t>(value);
    if (place == Place::kPixels) unit_.pixels = value;
    if (place == Place::kCount) unit_.counts[static_cast<std::size_t>(channel_)] = value;
    if (place == Place::kOk) unit_.total.ok = value;
    if (place == Place::kFailed) unit_.total.failed = value;
    if (place == Place::kFlagged) unit_.total.flagged = value;
    if (place == Place::kSkipped) unit_.total.skipped = value;
    if (place == Place::kShardIndex || place == Place::kShardIndexOfSeveral)
      unit_.total.shard->indexes.push_back(value);
    if (place == Place::kShardCount) unit_.total.shard->count = value;
    if (place == Place::kShardInputs) unit_.total.shard->inputs = value;
  }

  void take_string(Place place, const std::string& value) {
    if (place == Place::kInput) unit_.input = value;
    if (place == Place::kInputBase64 && !(unit_.exact_input = from_base64(value))) fail("is not base64");
    if (place == Place::kStatus) {
      if (value != "ok" && value != "error" && value != "skipped") fail("is not ok, error or skipped");
      unit_.status = value;
    }
    if (place == Place::kFlag) unit_.flagged = true;
    if (place == Place::kShardDigest && !is_sha256(value)) fail(std::string(kNoSha256));
    if (place == Place::kShardDigest) unit_.total.shard->digest = value;
    if (const auto fault = take_counting(place, value, counting_); !fault.empty()) fail(std::string(fault));
  }

  bool has(std::string_view key) const { return has(levels_.back(), key); }
  static bool has(const Level& level, std::string_view key) {
    for (std::size_t i = 0; i < std::size(kRules); ++i)
      if (kRules[i].parent == level.place && kRules[i].key == key) return level.seen >> i & 1;
    return false;
  }
  /// Of a document that was cut, and has begun: whether it told how what it gave was counted.
  bool tells_counting_first() const {
    if (levels_.empty() || counted_) return !levels_.empty();
    return !has(levels_.front(), "results") && !has(levels_.front(), "result") && !has(levels_.front(), "total");
  }
  void require(std::string_view key) const {
    if (!has(key)) fail("has no \"" + std::string(key) + "\"", 1);
  }

  void end_counting() {
    for (const char* key : {"luma", "alpha", "bins"}) require(key);
    if (has("mask") != has("mask_digest")) fail("needs \"mask\" and \"mask_digest\", or neither", 1);
    if (bins_.value_or(counting_.bins) != counting_.bins) fail("has not the bins of the histograms before it", 1);
    bins_ = counting_.bins;
    tell([&] { tables_.set_counting(counting_); });
    counted_ = true;
  }

  /// What the sink has against it, with the position.
  template <typename Action>
  void tell(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInput) throw;
      fail(error.what(), 1);
    }
  }

  void end_shard() {
    require("count");
    if (has("index") == has("indexes")) fail("needs either \"index\" or \"indexes\"", 1);
    if (has("inputs") != has("digest")) fail("needs \"inputs\" and \"digest\", or neither", 1);
    const ShardSet& shard = *unit_.total.shard;
    std::uint64_t before = 0;
    for (const std::uint64_t index : shard.indexes) {
      if (index <= before || index > shard.count) fail("has an index out of order or beyond its count", 1);
      before = index;
    }
    if (shard.indexes.empty()) fail("has no index", 1);
  }

  /// As many counts as bins, which may be told only later. They become those of the bins' first levels.
  void end_histogram() {
    const std::size_t count = levels_.back().index, bins = bins_.value_or(count > 0 ? count : kBins);
    if (count != bins) fail("has " + std::to_string(count) + " counts, not " + std::to_string(bins), 1);
    bins_ = bins;
    Histogram& histogram = unit_.total.histogram[channel_];
    const Histogram counts = std::exchange(histogram, {});
    for (std::size_t bin = 0; bin < bins; ++bin) histogram[first_level(bin, bins)] = counts[bin];
  }

  void check_unit() {
    unit_.total.histogram.channels = unit_.histograms;
    unit_.total.histogram.pixels = *unit_.pixels;
    const std::string fault = disagreement(unit_, levels_.back().place == Place::kTotal);
    if (!fault.empty()) fail(fault, 1);
  }

  void end_result() {
    for (const char* key : {"input", "status"}) require(key);
    if (unit_.status != "ok")
      return tables_.add_result(unit_.status == "error" ? Status::kError : Status::kSkipped, 0, false);
    for (const char* key : {"pixels", "channels"}) require(key);
    tables_.add_result(Status::kOk, *unit_.pixels, unit_.flagged);
    const bool bare = unit_.histograms.empty();
    if (!bare && unit_.histograms != unit_.channels) fail("has channels without histogram", 1);
    if (!unit_.channels.empty()) (bare ? any_bare_ : any_tables_) = true;
    if (any_bare_ && any_tables_) fail("has histograms, others have none, or the other way round", 1);
    if (bare && !unit_.channels.empty()) return;
    check_unit();
    Table table{unit_.exact_input.value_or(unit_.input), unit_.total.histogram};
    bare ? tables_.add_without_channels(std::move(table)) : tables_.add(std::move(table));
  }

  void end_total() {
    for (const char* key : {"files", "pixels", "channels"}) require(key);
    if (unit_.histograms != unit_.channels) fail("has channels without histogram", 1);
    if (unit_.total.flagged > unit_.total.ok) fail("has more files flagged than ok", 1);
    check_unit();
    tell([&] { tables_.add_total(unit_.total); });
  }

  void end_document() {
    for (const char* key : {"schema", "counting"}) require(key);
    if (!has("results") && !has("result") && !has("total")) fail("has neither results nor a total", 1);
  }

  TextFeed& feed_;
  TableSink& tables_;
  std::vector<Level> levels_;
  Unit unit_;
  Channel channel_ = Channel::kLuma;
  Counting counting_;
  std::optional<std::size_t> bins_;  ///< of the document's histograms, once they or its counting have told
  bool counted_ = false;             ///< the document has told its counting
  bool any_bare_ = false, any_tables_ = false;
};

bool skip_space(TextFeed& feed) {
  const auto is_space = [](int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (is_space(feed.peek())) feed.advance();
  return feed.peek() != TextFeed::kEnd;
}

}  // namespace

void read_json_tables(TextFeed& feed, TableSink& tables) {
  TableHandler handler(feed, tables);
  while (skip_space(feed))
    nlohmann::json::sax_parse(FeedIterator(&feed), FeedIterator(nullptr), &handler,
                              nlohmann::json::input_format_t::json, false);
}

}  // namespace gpuhisto
