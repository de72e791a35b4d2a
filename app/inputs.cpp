// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "inputs.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gpuhisto/byte_source.hpp"
#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"
#include "signals.hpp"

namespace gpuhisto::app {
namespace {

namespace fs = std::filesystem;

/// A name below --output-dir: relative paths as they are (without "." and ".."), of absolute ones the last part.
fs::path relative_name(const std::string& name) {
  const fs::path path(name);
  if (path.is_absolute()) return path.has_filename() ? path.filename() : path.parent_path().filename();
  fs::path kept;
  for (const auto& part : path.lexically_normal())
    if (part != ".." && part != "." && !part.empty()) kept /= part;
  return kept;
}

/// What `read` throws names the list.
template <typename Read>
auto naming_list(const std::string& path, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.kind(), "--files-from " + printable_name(path) + ": " + error.what());
  }
}

std::unique_ptr<ByteSource> open_list(const std::string& path) {
  // No name is worth waiting for at the end.
  return naming_list(path, [&] { return open_file(path, {}, {}, std::chrono::milliseconds(0)); });
}

/// Names from a file, one a line or NUL-separated; blank lines mean nothing.
class NameList {
 public:
  NameList(const std::string& path, char separator) : path_(path), source_(open_list(path)), separator_(separator) {}

  bool next(std::string& name) {
    bool ended = true;
    do {
      name.clear();
      ended = read_name(name);
    } while (name.empty() && ended);
    return !name.empty();
  }

 private:
  static void check(const std::string& name) {
    constexpr std::size_t kLongest = 64 * 1024;  // of a path, systems take 4096 bytes
    // The system would take the part before the NUL for the whole name, and the rest would be lost without a word.
    if (name.find('\0') != std::string::npos)
      throw Error(ErrorKind::kUsage, "--files-from: there is a NUL in the list; -0 reads names that end with NUL");
    if (name.size() > kLongest) throw Error(ErrorKind::kUsage, "--files-from: a name of more than 65536 bytes is none");
  }

  /// False at the end of the list, where a last name need not have its separator.
  bool read_name(std::string& name) {
    for (;;) {
      if (waits_end()) throw Error(ErrorKind::kInterrupted, "interrupted");
      const auto bytes = naming_list(path_, [this] { return source_->peek(); });
      if (bytes.empty()) return false;
      const auto stop = std::find(bytes.begin(), bytes.end(), static_cast<std::uint8_t>(separator_));
      const bool ended = stop != bytes.end();
      name.append(bytes.begin(), stop);
      check(name);
      source_->consume(static_cast<std::size_t>(stop - bytes.begin()) + (ended ? 1 : 0));
      if (ended) return true;
    }
  }

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  char separator_;
};

/// The files below a folder, one folder's listing in memory for each level.
class FolderWalk {
 public:
  FolderWalk(const std::string& folder, fs::path relative, const InputOptions& options) : options_(options) {
    enter({folder, std::move(relative), ""});
  }

  bool next(Input& input) {
    if (!error_.name.empty()) {
      input = std::exchange(error_, {});
      return true;
    }
    while (!levels_.empty()) {
      Level& level = levels_.back();
      if (level.position == level.names.size()) {
        levels_.pop_back();
        continue;
      }
      const std::string name = level.names[level.position++];
      const Place& place = level.place;
      if (visit({place.path / name, place.relative / name, place.below + name}, input)) return true;
    }
    return false;
  }

 private:
  struct Place {
    fs::path path, relative;
    std::string below;  ///< the path below the named folder; of a folder that is walked with its last '/'
  };
  struct Level {
    Place place;
    std::vector<std::string> names;
    std::size_t position = 0;
  };

  /// True when `place` gives an input; a folder is entered instead, anything else passed over.
  bool visit(Place&& place, Input& input) {
    std::error_code error;
    const auto status = fs::status(place.path, error);
    if (fs::is_directory(status)) {
      if (walks_into(place)) enter({std::move(place.path), std::move(place.relative), place.below + '/'});
      if (error_.name.empty()) return false;
      input = std::exchange(error_, {});
      return true;
    }
    // FIFOs and devices would hang or never end; a broken link is reported when it is opened.
    if (!fs::is_regular_file(status) && fs::exists(status)) return false;
    if (!options_.filter.takes_file(place.below)) return false;
    input = {};
    input.name = place.path.string();
    input.from_folder = true;
    input.relative = place.relative.string();
    return true;
  }

  bool walks_into(const Place& place) const {
    return options_.filter.enters_folder(place.below) && !is_being_walked(place.path) &&
           !(options_.leave_out && options_.leave_out(place.path.string()));
  }

  bool is_being_walked(const fs::path& path) const {
    std::error_code error;
    return std::any_of(levels_.begin(), levels_.end(),
                       [&](const Level& level) { return fs::equivalent(level.place.path, path, error); });
  }

  void enter(Place place) {
    Level level{std::move(place), {}, 0};
    const fs::path& folder = level.place.path;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      std::string name = entry->path().filename().string();
      if (!name.starts_with('.')) level.names.push_back(std::move(name));
    }
    if (error) {
      error_.name = folder.string();
      error_.error = reason(error);
      return;
    }
    std::sort(level.names.begin(), level.names.end());
    levels_.push_back(std::move(level));
  }

  const InputOptions& options_;
  std::vector<Level> levels_;
  Input error_;
};

class Lister {
 public:
  explicit Lister(const InputOptions& options) : options_(options), stdin_taken_(options.files_from == "-") {
    if (!options.files_from.empty())
      list_ = std::make_unique<NameList>(options.files_from, options.null_separated ? '\0' : '\n');
  }

  bool next(Input& input) {
    for (;;) {
      if (walk_) {
        if (walk_->next(input)) return true;
        walk_.reset();
      }
      std::string name;
      if (!next_name(name)) return false;
      std::error_code error;
      if (options_.recursive && fs::is_directory(name, error)) {
        start_walk(name);
        continue;
      }
      input = {};
      input.relative = relative_name(name).string();
      if (name == "-") take_stdin(input);
      input.name = std::move(name);
      return true;
    }
  }

 private:
  bool next_name(std::string& name) {
    if (position_ < options_.names.size()) {
      name = options_.names[position_++];
      return true;
    }
    return list_ && list_->next(name);
  }

  void start_walk(const std::string& folder) {
    fs::path relative = relative_name(folder);
    // Without a name of its own below the outputs ("." and the like), the inputs are where the outputs go: in place.
    if (!relative.empty() && options_.leave_out && options_.leave_out(folder))
      throw Error(ErrorKind::kUsage,
                  printable_name(folder) + " is the output folder too: the next run would take its results for inputs");
    walk_ = std::make_unique<FolderWalk>(folder, std::move(relative), options_);
  }

  void take_stdin(Input& input) {
    if (stdin_taken_)
      input.error = std::string(options_.files_from == "-" ? "gives the list of names" : "was read already") +
                    " and cannot be an image too; a file called '-' is './-'";
    stdin_taken_ = true;
  }

  InputOptions options_;
  bool stdin_taken_;
  std::size_t position_ = 0;
  std::unique_ptr<NameList> list_;
  std::unique_ptr<FolderWalk> walk_;
};

std::optional<std::uint64_t> count_all(const InputOptions& options, const std::stop_token& stop) try {
  Lister lister(options);
  std::uint64_t count = 0;
  for (Input input; lister.next(input); ++count)
    if (stop.stop_requested()) return std::nullopt;
  return count;
} catch (const std::exception&) {  // whoever needs the list will meet it too, and tell
  return std::nullopt;
}

}  // namespace

std::string reason(const std::error_code& error) {
  std::string words = error.message();
  if (!words.empty() && words[0] >= 'A' && words[0] <= 'Z') words[0] = static_cast<char>(words[0] - 'A' + 'a');
  return words;
}

void refuse_reading_twice(const InputOptions& options) {
  const auto readings =
      std::count(options.names.begin(), options.names.end(), "-") + (options.files_from == "-" ? 1 : 0);
  if (readings > 1) throw Error(ErrorKind::kUsage, "standard input can be read only once");
}

Inputs list_inputs(const InputOptions& options) {
  if (options.names.empty() && options.files_from.empty())
    throw Error(ErrorKind::kUsage, "no input: name images, '-' for standard input, or --files-from");
  refuse_reading_twice(options);
  auto lister = std::make_shared<Lister>(options);
  Inputs inputs;
  inputs.list = [lister](Input& input) { return lister->next(input); };
  if (!options.recursive && options.files_from.empty()) inputs.count = options.names.size();
  std::error_code error;
  inputs.may_wait = !options.files_from.empty() && !fs::is_regular_file(options.files_from, error);
  if (!inputs.count && !inputs.may_wait && !options.leave_out)
    inputs.count_ahead = [options](const std::stop_token& stop) { return count_all(options, stop); };
  return inputs;
}

std::set<std::string> folders_of_list(const InputOptions& options) {
  std::error_code error;
  if (!fs::is_regular_file(options.files_from, error)) return {"."};
  std::set<std::string> folders;
  NameList list(options.files_from, options.null_separated ? '\0' : '\n');
  for (std::string name; list.next(name);) {
    const fs::path path(name);
    const bool walked = options.recursive && fs::is_directory(path, error);
    folders.insert(walked ? name : path.has_parent_path() ? path.parent_path().string() : ".");
  }
  return folders;
}

}  // namespace gpuhisto::app
