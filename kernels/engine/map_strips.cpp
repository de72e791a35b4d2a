// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// Lookup tables over strips: on the device they are cut into launches, on the host into pieces that go up, through the
// tables and back down while the next is on its way.
#include "engine/map_strips.hpp"

#include <algorithm>
#include <cstring>

#include "engine/clahe_strips.hpp"

namespace gpuhisto::kernels {
namespace {

constexpr std::size_t kStageBytes = std::size_t{16} << 20;
constexpr std::uint64_t kMostLaunched = std::uint64_t{1} << 30;  // pixels; grids then have room

void check_request(const gpuhisto_apply& request) {
  if (request.channels < 1 || request.channels > 4)
    throw DeviceError(Failure::kRequest, "a pixel has 1 to 4 channels, not " + std::to_string(request.channels));
  if (request.kind > GPUHISTO_APPLY_TILES)
    throw DeviceError(Failure::kUnsupported,
                      "tables of kind " + std::to_string(request.kind) + " are not applied by this version");
  if (request.kind == GPUHISTO_APPLY_YCRCB_LUMA && request.channels < 3)
    throw DeviceError(Failure::kRequest, "YCrCb luma needs pixels of 3 or 4 channels");
  if (!request.tables) throw DeviceError(Failure::kRequest, "there is no table");
}

}  // namespace

StripMapper::StripMapper(Engine& engine, const gpuhisto_apply& request)
    : engine_(engine), request_(request), stage_bytes_(kStageBytes) {
  check_request(request);
  const unsigned colors = request.channels - (request.channels % 2 == 0 ? 1 : 0);
  for (unsigned c = 0; c < 4; ++c)
    for (unsigned v = 0; v < kTableBytes; ++v) {
      const unsigned table = request.kind == GPUHISTO_APPLY_CHANNELS ? c : 0;
      tables_[c * kTableBytes + v] =
          c < colors ? request.tables[table * kTableBytes + v] : static_cast<std::uint8_t>(v);
    }
  engine.tables_.reserve(sizeof tables_);
  engine.upload(engine.tables_.as<void>(), tables_, sizeof tables_);
}

void StripMapper::run() {
  for (std::uint32_t i = 0; i < request_.strips_count; ++i) {
    const gpuhisto_apply_strip& strip = request_.strips[i];
    if (strip.width == 0 || strip.height == 0) continue;
    if (request_.memory == GPUHISTO_ON_HOST)
      map_on_host(strip);
    else
      map_on_device(strip);
  }
  for (Piece& piece : pieces_) finish(piece);
  engine_.lane_.stream.wait();
}

ApplyTask StripMapper::task_of(const std::uint8_t* from, std::uint8_t* to) const {
  ApplyTask task;
  task.from.data = from;
  task.to = to;
  task.channels = request_.channels;
  task.kind = static_cast<gpuhisto_apply_kind>(request_.kind);
  task.skip_transparent = request_.skip_transparent != 0 && request_.channels % 2 == 0;
  task.tables = engine_.tables_.as<std::uint8_t>();
  return task;
}

void StripMapper::launch_flat(const std::uint8_t* from, std::uint8_t* to, std::uint64_t pixels) {
  // One table for every byte: the pixels of RGB are as good as gray ones, three times as many.
  const bool bytes_alike = request_.kind == GPUHISTO_APPLY_ONE && request_.channels == 3;
  for (std::uint64_t done = 0; done < pixels;) {
    const std::uint64_t now = std::min(pixels - done, kMostLaunched / 3);
    ApplyTask task = task_of(from + done * request_.channels, to + done * request_.channels);
    if (bytes_alike) task.channels = 1;
    task.from.width = static_cast<std::uint32_t>(bytes_alike ? 3 * now : now);
    task.from.rows = 1;
    launch(task);
    done += now;
  }
}

void StripMapper::launch(const ApplyTask& task) {
  if (request_.kind == GPUHISTO_APPLY_YCRCB_LUMA)
    apply_luma(task, engine_.traits_, engine_.lane_.stream);
  else
    apply_tables(task, engine_.traits_, engine_.lane_.stream);
}

void StripMapper::map_on_device(const gpuhisto_apply_strip& strip) {
  const auto* from = static_cast<const std::uint8_t*>(strip.from);
  auto* to = static_cast<std::uint8_t*>(strip.to);
  const std::uint64_t row = strip.width * request_.channels;
  if (strip.height == 1 || (strip.from_row_bytes == row && strip.to_row_bytes == row))
    return launch_flat(from, to, strip.width * strip.height);
  if (strip.width > kMostLaunched) {
    for (std::uint64_t y = 0; y < strip.height; ++y)
      launch_flat(from + y * strip.from_row_bytes, to + y * strip.to_row_bytes, strip.width);
    return;
  }
  for (std::uint64_t y = 0; y < strip.height;) {
    const std::uint64_t rows = std::min(strip.height - y, kMostLaunched / strip.width);
    ApplyTask task = task_of(from + y * strip.from_row_bytes, to + y * strip.to_row_bytes);
    task.from.width = static_cast<std::uint32_t>(strip.width);
    task.from.rows = static_cast<std::uint32_t>(rows);
    task.from.pitch = strip.from_row_bytes;
    task.to_pitch = strip.to_row_bytes;
    launch(task);
    y += rows;
  }
}

/// What begins at that pixel.
gpuhisto_apply_strip StripMapper::part_of(gpuhisto_apply_strip strip, std::uint64_t x, std::uint64_t y) const {
  strip.from = static_cast<const std::uint8_t*>(strip.from) + y * strip.from_row_bytes + x * request_.channels;
  strip.to = static_cast<std::uint8_t*>(strip.to) + y * strip.to_row_bytes + x * request_.channels;
  strip.width -= x;
  strip.height -= y;
  return strip;
}

/// In pieces of whole rows; of a row that a stage does not hold, in pieces of that.
void StripMapper::map_on_host(const gpuhisto_apply_strip& strip) {
  const std::uint64_t row = strip.width * request_.channels;
  for (std::uint64_t y = 0; y < strip.height;) {
    gpuhisto_apply_strip part = part_of(strip, 0, y);
    const std::uint64_t fit = next_stage(part.height * row) / row;
    part.height = std::clamp<std::uint64_t>(fit, 1, part.height);
    if (fit == 0)
      map_row_on_host(part);
    else
      start(part);
    y += part.height;
  }
}

void StripMapper::map_row_on_host(const gpuhisto_apply_strip& row) {
  for (std::uint64_t x = 0; x < row.width;) {
    gpuhisto_apply_strip part = part_of(row, x, 0);
    part.width = std::min(part.width, next_stage(part.width * request_.channels) / request_.channels);
    start(part);
    x += part.width;
  }
}

/// Turns to the other stage, which is empty then. Returns its room: that much, or as much as memory allows.
std::uint64_t StripMapper::next_stage(std::uint64_t bytes) {
  turn_ ^= 1;
  finish(pieces_[turn_]);
  const std::uint64_t wanted = std::min(bytes, stage_bytes_);
  const std::uint64_t room = engine_.stages_[turn_].reserve(static_cast<std::size_t>(wanted));
  if (room < wanted) stage_bytes_ = room;
  return std::min(room, wanted);
}

/// Maps a part that fits the stage.
void StripMapper::start(const gpuhisto_apply_strip& part) {
  Stage& stage = engine_.stages_[turn_];
  const std::size_t row = static_cast<std::size_t>(part.width) * request_.channels;
  const std::size_t bytes = row * static_cast<std::size_t>(part.height);
  for (std::uint64_t y = 0; y < part.height; ++y)
    std::memcpy(stage.pinned() + y * row, static_cast<const std::uint8_t*>(part.from) + y * part.from_row_bytes, row);
  stage.send(bytes, engine_.lane_.stream);
  launch_flat(stage.device(), stage.device(), part.width * part.height);
  stage.fetch(bytes, engine_.lane_.stream);
  stage.close(engine_.lane_.stream);
  pieces_[turn_] = {part, true};
}

void StripMapper::finish(Piece& piece) {
  if (!piece.started) return;
  Stage& stage = engine_.stages_[&piece - pieces_];
  stage.wait();
  const std::size_t row = static_cast<std::size_t>(piece.part.width) * request_.channels;
  for (std::uint64_t y = 0; y < piece.part.height; ++y)
    std::memcpy(static_cast<std::uint8_t*>(piece.part.to) + y * piece.part.to_row_bytes, stage.pinned() + y * row, row);
  piece.started = false;
}

void Engine::apply(const gpuhisto_apply& request) {
  if (request.kind == GPUHISTO_APPLY_TILES)
    ClaheMapper(*this, request).run();
  else
    StripMapper(*this, request).run();
}

}  // namespace gpuhisto::kernels
