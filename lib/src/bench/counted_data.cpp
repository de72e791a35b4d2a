// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "bench/counted_data.hpp"

#include <algorithm>

#include "gpuhisto/devices.hpp"
#include "gpuhisto/error.hpp"

namespace gpuhisto::bench {
namespace {

constexpr std::uint64_t kPoison = 0xABABABABABABABAB;
constexpr std::uint64_t kPoisonPixels = 4096;
constexpr std::uint64_t kLeastData = std::uint64_t{64} << 20;  // of a CPU: for the copy
constexpr std::uint64_t kMostBins = std::uint64_t{1} << 29;    // 4 GiB of counts
constexpr std::uint64_t kSlack = 256;

bool is_cpu(const Target& target) { return target.info().id == "cpu"; }

Rotation rotation_of(const Target& target, const Request& request) {
  const std::uint64_t bytes = request.shape.bytes();
  Rotation rotation = request.hot ? hot_rotation(bytes) : cold_rotation(bytes, target.info().cache_bytes);
  if (!target.info().timed) rotation.evict = false;
  return rotation;
}

void check_memory(std::uint64_t bytes, const std::string& id, std::uint64_t memory) {
  if (memory > 0 && bytes > memory / 10 * 9)
    throw Error(ErrorKind::kLimit, "this takes " + std::to_string(bytes >> 20) + " MiB of memory; " + id + " has " +
                                       std::to_string(memory >> 20));
}

/// Of the images; there must be room for them, and on the host for a copy of one.
std::uint64_t bytes_of(const Target& target, const Rotation& rotation, const Shape& shape) {
  const TargetInfo& info = target.info();
  std::uint64_t bytes = rotation.copies * rotation.stride;
  if (info.timed) bytes = std::max(bytes, info.cache_bytes > 0 ? info.cache_bytes : kLeastData);
  check_memory(is_cpu(target) ? bytes + shape.bytes() : bytes, info.id, info.memory_bytes);
  if (!is_cpu(target)) check_memory(shape.bytes(), "the host", cpu_info().memory_bytes);
  return bytes;
}

}  // namespace

CountedData::CountedData(Target& target, const Request& request)
    : target_(target),
      request_(request),
      shape_(request.shape),
      rotation_(rotation_of(target, request)),
      bytes_(bytes_of(target, rotation_, shape_)),
      data_(target, bytes_ + kSlack),
      host_(static_cast<std::size_t>(shape_.bytes()) + sizeof(std::uint64_t)) {
  check_bins();
  if (is_cpu(target)) return;  // it writes straight into the poisoned counts
  poison_launch_ = {shape_, "per-block", ""};
  poison_launch_.shape.width = std::max<std::uint64_t>(1, kPoisonPixels / shape_.images);
  poison_launch_.shape.height = 1;
  Input ramp;
  ramp.pattern.pattern = Pattern::kRamp;
  ramp.key_range = std::min<std::uint64_t>(shape_.bins, kPoisonPixels);
  const std::uint64_t poison_bytes = poison_launch_.shape.bytes();
  poison_ = std::make_unique<Buffer>(target_, poison_bytes);
  target_.fill(poison_->at(0), poison_bytes, ramp, shape_.keys, 0);
}

void CountedData::check_bins() const {
  if (shape_.counts() > kMostBins)
    throw Error(ErrorKind::kLimit, std::to_string(shape_.counts()) + " bins in all are more than the " +
                                       std::to_string(kMostBins) + " that are measured");
}

void CountedData::fill(unsigned round) {
  expected_.clear();
  if (request_.input.image) {
    load_image();
    return;
  }
  const std::uint64_t granule = shape_.keys == Keys::kU32 ? sizeof(std::uint32_t) : 1;
  const std::uint64_t bytes = rotation_.copies * rotation_.stride / granule * granule;
  target_.fill(data_.at(0), bytes, request_.input, shape_.keys, request_.seed + round);
  if (request_.input.bins_from_keys) find_bins();
}

void CountedData::load_image() {
  const ImageView view = request_.input.image->view();
  for (std::uint64_t i = 0; i < rotation_.copies; ++i)
    target_.upload(data_.at(i * rotation_.stride), view.data, shape_.bytes());
}

void CountedData::find_bins() {
  const auto* keys = reinterpret_cast<const std::uint32_t*>(on_host(0));
  const auto n = static_cast<std::size_t>(shape_.pixels());
  shape_.bins = n == 0 ? 1 : std::uint64_t{*std::max_element(keys, keys + n)} + 1;
  check_bins();
}

const std::uint8_t* CountedData::on_host(std::uint64_t offset) {
  target_.download(host_.data(), data_.at(offset), shape_.bytes());
  return host_.data();
}

const std::vector<std::uint64_t>& CountedData::expected(std::uint64_t offset) {
  const auto known = expected_.find(offset);
  if (known != expected_.end()) return known->second;
  return expected_[offset] = reference_counts(shape_, on_host(offset));
}

void CountedData::evict() {
  if (rotation_.evict) target_.evict(data_.at(0), bytes_);
}

void CountedData::poison(std::vector<std::uint64_t>& counts) {
  counts.assign(static_cast<std::size_t>(shape_.counts()), kPoison);
  if (!poison_) return;
  poison_launch_.shape.bins = shape_.bins;
  (void)target_.measure(poison_launch_, poison_->at(0), {1, 0, 0}, {});
}

double CountedData::copy() {
  evict();
  return target_.copy(data_.at(bytes_ / 2), data_.at(0), bytes_ / 2);
}

}  // namespace gpuhisto::bench
