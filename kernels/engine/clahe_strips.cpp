// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
//
// CLAHE of whole images: counts must be complete before the first pixel is mapped, so an image from the host is on the
// device in one piece. Gray rows at multiples of 4 bytes are worked on where they lie, others by way of a plane.
#include "engine/clahe_strips.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gpuhisto::kernels {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{16} << 20;
constexpr std::size_t kAlign = 16;  // of the rows of what is allocated here
constexpr std::uint64_t kMostSide = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostExtended = std::uint64_t{1} << 32;  // pixels of all tiles: 32-bit counters
constexpr std::uint32_t kMostTiles = 4096;                       // in each direction

std::size_t rounded_up(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

void check(const gpuhisto_apply& request) {
  const auto refuse = [](const std::string& text) { throw DeviceError(Failure::kRequest, text); };
  if (request.channels < 1 || request.channels > 4)
    refuse("a pixel has 1 to 4 channels, not " + std::to_string(request.channels));
  if (request.skip_transparent) refuse("tiles count every pixel, whatever its alpha");
  for (const std::uint32_t tiles : {request.tiles_across, request.tiles_down})
    if (tiles < 1 || tiles > kMostTiles)
      refuse("there can be 1 to " + std::to_string(kMostTiles) + " tiles in each direction, not " +
             std::to_string(tiles));
  for (const std::uint64_t side : {request.tile_width, request.tile_height})
    if (side < 1 || side >= kMostSide) refuse("a tile cannot have a side of " + std::to_string(side) + " pixels");
  const std::uint64_t wide = request.tile_width * request.tiles_across, high = request.tile_height * request.tiles_down;
  for (std::uint32_t i = 0; i < request.strips_count; ++i)
    if (request.strips[i].width > wide || request.strips[i].height > high) refuse("the tiles do not cover the image");
  if (wide >= kMostSide || high >= kMostSide || wide * high >= kMostExtended)
    throw DeviceError(Failure::kUnsupported, "tiles of " + std::to_string(wide) + " x " + std::to_string(high) +
                                                 " pixels together are more than 2^31 in a direction or 2^32 in all");
}

/// Appends where cells begin, and where the last one ends: cell i has the pixels of positions from i - 1 up to i.
void add_cells(std::uint32_t pixels, std::uint32_t tiles, std::uint32_t tile_size, std::vector<std::uint32_t>& cells) {
  const float inverse = 1.0f / static_cast<float>(tile_size);
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i <= tiles; ++i) {
    cells.push_back(begin);
    std::uint32_t end = pixels;
    while (begin < end) {
      const std::uint32_t middle = begin + (end - begin) / 2;
      if (std::floor(tile_position(middle, inverse)) < static_cast<float>(i))
        begin = middle + 1;
      else
        end = middle;
    }
  }
  cells.push_back(pixels);
}

std::uint32_t largest(const std::uint32_t* cells, std::uint32_t tiles) {
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i <= tiles; ++i) most = std::max(most, cells[i + 1] - cells[i]);
  return most;
}

}  // namespace

ClaheMapper::ClaheMapper(Engine& engine, const gpuhisto_apply& request) : engine_(engine), request_(request) {
  check(request);
  const auto narrow = [](std::uint64_t n) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, UINT32_MAX));
  };
  task_.tiles = {request.tiles_across, request.tiles_down, narrow(request.tile_width), narrow(request.tile_height),
                 narrow(request.bin_limit)};
}

void ClaheMapper::run() {
  for (std::uint32_t i = 0; i < request_.strips_count; ++i) {
    const gpuhisto_apply_strip& strip = request_.strips[i];
    if (strip.width == 0 || strip.height == 0) continue;
    prepare(strip);
    if (request_.memory == GPUHISTO_ON_HOST)
      map_on_host(strip);
    else
      map_on_device(strip);
    engine_.lane_.stream.wait();  // the buffers are the next image's
  }
}

void ClaheMapper::prepare(const gpuhisto_apply_strip& strip) {
  const TileGrid& tiles = task_.tiles;
  const std::size_t count = std::size_t{tiles.across} * tiles.down;
  reserve_counts(count * (kBins + 1) * sizeof(std::uint32_t));
  engine_.tile_tables_.reserve(count * kBins);
  engine_.plane_.reserve(rounded_up(strip.width) * strip.height);
  cells_.clear();
  add_cells(static_cast<std::uint32_t>(strip.width), tiles.across, tiles.tile_width, cells_);
  add_cells(static_cast<std::uint32_t>(strip.height), tiles.down, tiles.tile_height, cells_);
  const std::size_t bytes = cells_.size() * sizeof cells_[0];
  engine_.cells_.reserve(bytes);
  engine_.upload(engine_.cells_.as<void>(), cells_.data(), bytes);
  task_.counts = engine_.tile_counts_.as<std::uint32_t>();
  task_.tables = engine_.tile_tables_.as<std::uint8_t>();
  task_.cell_columns = engine_.cells_.as<std::uint32_t>();
  task_.cell_rows = task_.cell_columns + tiles.across + 2;
  task_.largest_cell_columns = largest(cells_.data(), tiles.across);
  task_.largest_cell_rows = largest(cells_.data() + tiles.across + 2, tiles.down);
}

/// Zero once: the kernels leave them so. Counts that could not be zeroed are not kept.
void ClaheMapper::reserve_counts(std::size_t bytes) {
  if (bytes <= engine_.tile_counts_.bytes()) return;
  engine_.tile_counts_ = DeviceBuffer();
  DeviceBuffer counts(bytes);
  GPUHISTO_CHECK(hipMemsetAsync(counts.as<void>(), 0, bytes, engine_.lane_.stream.get()));
  engine_.tile_counts_ = std::move(counts);
}

void ClaheMapper::map_on_device(const gpuhisto_apply_strip& strip, Event* between) {
  const Stream& stream = engine_.lane_.stream;
  const PixelView pixels = {static_cast<const std::uint8_t*>(strip.from), static_cast<std::uint32_t>(strip.width),
                            static_cast<std::uint32_t>(strip.height), static_cast<std::size_t>(strip.from_row_bytes)};
  auto* to = static_cast<std::uint8_t*>(strip.to);
  const auto to_pitch = static_cast<std::size_t>(strip.to_row_bytes);
  const bool in_words = (reinterpret_cast<std::uintptr_t>(pixels.data) | reinterpret_cast<std::uintptr_t>(to) |
                         (strip.height > 1 ? pixels.pitch | to_pitch : 0)) %
                            4 ==
                        0;
  const bool in_place = request_.channels == 1 && in_words;
  task_.from = pixels;
  task_.to = to;
  task_.to_pitch = to_pitch;
  if (!in_place) {
    task_.to = engine_.plane_.as<std::uint8_t>();
    task_.to_pitch = rounded_up(strip.width);
    task_.from = {task_.to, pixels.width, pixels.rows, task_.to_pitch};
    take_gray(pixels, request_.channels, task_.to, task_.to_pitch, engine_.traits_, stream);
  }
  make_tile_tables(task_, engine_.traits_, stream);
  if (between) between->record(stream);
  map_cells(task_, engine_.traits_, stream);
  if (!in_place) put_gray(pixels, request_.channels, {task_.to, task_.to_pitch}, to, to_pitch, engine_.traits_, stream);
}

void ClaheMapper::map_on_host(const gpuhisto_apply_strip& strip) {
  const std::size_t pitch = rounded_up(static_cast<std::size_t>(strip.width) * request_.channels);
  engine_.image_.reserve(pitch * static_cast<std::size_t>(strip.height));
  transfer(strip, pitch, true);
  gpuhisto_apply_strip on_device = strip;
  on_device.from = on_device.to = engine_.image_.as<void>();
  on_device.from_row_bytes = on_device.to_row_bytes = pitch;
  map_on_device(on_device);
  transfer(strip, pitch, false);
}

/// How many rows of an image both stages hold.
std::size_t ClaheMapper::rows_at_once(const gpuhisto_apply_strip& strip, std::size_t pitch) {
  std::size_t room = std::min(std::max(kPieceBytes, pitch), pitch * static_cast<std::size_t>(strip.height));
  for (Stage& stage : engine_.stages_) room = std::min(room, stage.reserve_pinned(room, pitch));
  return room / pitch;
}

/// The image to the device or back, in pieces by way of pinned memory: while one is copied there, the next is on its
/// way.
void ClaheMapper::transfer(const gpuhisto_apply_strip& strip, std::size_t pitch, bool up) {
  const std::size_t row = static_cast<std::size_t>(strip.width) * request_.channels;
  const auto height = static_cast<std::size_t>(strip.height);
  const std::size_t most = rows_at_once(strip, pitch), pieces = (height + most - 1) / most;
  const hipStream_t stream = engine_.lane_.stream.get();
  const auto rows_of = [&](std::size_t piece) { return std::min(most, height - piece * most); };
  const auto copy_rows = [&](std::size_t piece) {
    std::uint8_t* pinned = engine_.stages_[piece % 2].pinned();
    for (std::size_t i = 0; i < rows_of(piece); ++i) {
      const std::size_t y = piece * most + i;
      if (up)
        std::memcpy(pinned + i * pitch, static_cast<const std::uint8_t*>(strip.from) + y * strip.from_row_bytes, row);
      else
        std::memcpy(static_cast<std::uint8_t*>(strip.to) + y * strip.to_row_bytes, pinned + i * pitch, row);
    }
  };
  for (std::size_t piece = 0; piece < pieces + (up ? 0 : 1); ++piece) {
    if (piece < pieces) {
      Stage& stage = engine_.stages_[piece % 2];
      stage.wait();
      if (up) copy_rows(piece);
      std::uint8_t* on_device = engine_.image_.as<std::uint8_t>() + piece * most * pitch;
      GPUHISTO_CHECK(hipMemcpyAsync(up ? on_device : stage.pinned(), up ? stage.pinned() : on_device,
                                    rows_of(piece) * pitch, up ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost,
                                    stream));
      stage.close(engine_.lane_.stream);
    }
    if (up || piece == 0) continue;
    engine_.stages_[(piece - 1) % 2].wait();
    copy_rows(piece - 1);
  }
}

}  // namespace gpuhisto::kernels
