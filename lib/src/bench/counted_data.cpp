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
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 48;
// A method's, and what the first and the last image of a burst must give.
constexpr std::uint64_t kCountCopies = 3;

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

/// The smaller of two sizes, of which 0 is unknown.
std::uint64_t least_known(std::uint64_t a, std::uint64_t b) { return a == 0 || b == 0 ? a + b : std::min(a, b); }

/// Throws Error(kLimit) for sizes beyond what is measured, before anything is multiplied or allocated.
Shape checked(const Shape& shape) {
  check_size(shape);
  std::uint64_t counts = 0;
  if (__builtin_mul_overflow(shape.counts_per_image(), shape.images, &counts) || counts > kMostBins)
    throw Error(ErrorKind::kLimit, std::to_string(shape.counts_per_image()) + " bins in " +
                                       std::to_string(shape.images) + " images are more than the " +
                                       std::to_string(kMostBins) + " that are measured");
  return shape;
}

/// Of the images; there must be room for them, and on the host for a copy of one, for the counts and to work in.
std::uint64_t bytes_of(const Target& target, const Rotation& rotation, const Request& request, const Shape& shape) {
  const TargetInfo& info = target.info();
  std::uint64_t bytes = rotation.copies * rotation.stride;
  if (info.timed) bytes = std::max(bytes, info.cache_bytes > 0 ? info.cache_bytes : kLeastData);
  const std::uint64_t on_host =
      shape.bytes() + kCountCopies * shape.counts() * sizeof(std::uint64_t) + target.working_bytes(shape);
  if (is_cpu(target)) {
    check_memory(bytes + on_host, info.id, least_known(info.memory_bytes, request.host_memory));
  } else {
    check_memory(bytes, info.id, info.memory_bytes);
    check_memory(on_host, "the host", least_known(cpu_info().memory_bytes, request.host_memory));
  }
  return bytes;
}

}  // namespace

void check_size(const Shape& shape) {
  std::uint64_t bytes = shape.pixel_bytes();
  bool fits = shape.images <= kMostBytes;  // of no pixels too
  for (const std::uint64_t factor : {shape.width, shape.height, shape.images})
    fits = fits && !__builtin_mul_overflow(bytes, factor, &bytes);
  if (!fits || bytes > kMostBytes)
    throw Error(ErrorKind::kLimit, std::to_string(shape.width) + (shape.keys == Keys::kU32 ? " keys" : " pixels") +
                                       " are too many: 2^48 bytes are the most of one input");
}

CountedData::CountedData(Target& target, const Request& request)
    : target_(target),
      request_(request),
      shape_(checked(request.shape)),
      rotation_(rotation_of(target, request)),
      bytes_(bytes_of(target, rotation_, request, shape_)),
      data_(target, bytes_ + kSlack),
      host_(static_cast<std::size_t>(shape_.bytes()) + sizeof(std::uint64_t)) {
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
  (void)bytes_of(target_, rotation_, request_, checked(shape_));
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
