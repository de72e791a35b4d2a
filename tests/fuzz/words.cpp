// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "fuzz/words.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "program.hpp"

namespace gpuhisto::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariables[] = {"GPUHISTO_DEVICE",
                                      "GPUHISTO_METHOD",
                                      "GPUHISTO_THREADS",
                                      "NO_COLOR",
                                      "TERM",
                                      "COLUMNS",
                                      "SLURM_ARRAY_TASK_ID",
                                      "SLURM_ARRAY_TASK_MIN",
                                      "SLURM_ARRAY_TASK_MAX",
                                      "SLURM_ARRAY_TASK_STEP",
                                      "SLURM_ARRAY_TASK_COUNT",
                                      "SLURM_PROCID",
                                      "SLURM_NTASKS",
                                      "SLURM_STEP_NUM_TASKS",
                                      "OMPI_COMM_WORLD_RANK",
                                      "OMPI_COMM_WORLD_SIZE",
                                      "PMI_RANK",
                                      "PMI_SIZE",
                                      "PMIX_RANK",
                                      "JOB_COMPLETION_INDEX"};

/// Slashes stay where a shard is meant: all else could be a path.
void keep_inside(std::string& word) {
  const std::string value = word.starts_with("--shard=") ? word.substr(8) : word;
  if (value.find_first_not_of("0123456789/") != value.npos) std::replace(word.begin(), word.end(), '/', '_');
  if (word.starts_with('/')) word[0] = '_';
  for (auto at = word.find(".."); at != word.npos; at = word.find("..")) word.replace(at, 2, "__");
  if (word.starts_with("--sandbox")) word = "--sandbox=none";  // a real one would hold for all inputs after this
}

/// Of several values the last counts: what decides how much work there is gets a small one.
std::vector<std::string> small_values(const std::vector<std::string>& words) {
  const auto any = [&](const char* begin) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return word.starts_with(begin); });
  };
  std::vector<std::string> values;
  if (any("bench")) values = {"--hot", "--rounds=1", "--min-time=0", "--threads=2"};
  if (any("bench") && !any("--batch") && !any("--input")) values.push_back("--pixels=64");
  if (any("bench") && any("--batch")) values.push_back("--batch=3x2x2");
  if (any("bench") && any("--bins")) values.push_back("--bins=64");
  if (any("plot")) values.push_back("--size=320x200");
  return values;
}

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// The working folder and what is in it at first: pictures, one of them cut short, tables, and a list of names.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "gpuhisto-fuzz-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
    path_ = name;
    fs::current_path(path_);
    write("a.pgm", std::string("P5 3 2 255\n") + "\1\x80\xFF\x7F" + "ab");
    write("b.ppm", "P6 2 2 65535\n0123456789");
    write("names", "a.pgm\nb.ppm\n");
    write("a.pam", "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabc0defg");
    app::run_program({"equalize", "a.pgm", "a.jpg"});
    app::run_program({"equalize", "a.pam", "a.png"});
    app::run_program({"hist", "a.png", "a.jpg", "-o", "a.csv"});
    app::run_program({"stats", "a.png", "a.jpg", "--shard=1/2", "--format=json", "-o", "1.json"});
    app::run_program({"stats", "a.png", "a.jpg", "--shard=2/2", "--format=jsonl", "-o", "2.json"});
    for (const auto& entry : fs::directory_iterator(path_)) files_[entry.path().filename()] = contents(entry.path());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void make_fresh() const {
    for (const auto& entry : fs::directory_iterator(path_)) fs::remove_all(entry.path());
    for (const auto& [name, text] : files_) write(path_ / name, text);
    fs::create_directory(path_ / "d");
    fs::copy_file(path_ / "a.png", path_ / "d" / "a.png");
  }

 private:
  fs::path path_;
  std::map<std::string, std::string> files_;
};

void open_as(int descriptor, const char* path, int flags) {
  const int file = ::open(path, flags);
  require(file >= 0 && ::dup2(file, descriptor) == descriptor, "a standard stream can be replaced");
  ::close(file);
}

}  // namespace

std::vector<std::string> words_in(Bytes bytes) {
  std::vector<std::string> words;
  for (const Bytes line : parts_of(bytes, '\n', 24)) {
    words.emplace_back(line.begin(), std::find(line.begin(), line.end(), 0));  // no argument holds a NUL
    keep_inside(words.back());
  }
  const auto small = small_values(words);
  words.insert(std::find(words.begin(), words.end(), "--"), small.begin(), small.end());
  return words;
}

void take_environment(std::vector<std::string>& words) {
  for (const char* name : kVariables) ::unsetenv(name);
  while (!words.empty()) {
    const auto equals = words[0].find('=');
    const std::string name = words[0].substr(0, equals);
    const bool known = std::find(std::begin(kVariables), std::end(kVariables), name) != std::end(kVariables);
    if (equals == std::string::npos || !known) break;
    ::setenv(name.c_str(), words[0].c_str() + equals + 1, 1);
    words.erase(words.begin());
  }
}

void enter_fresh_folder() {
  static const Folder folder;
  folder.make_fresh();
  open_as(STDIN_FILENO, "a.pgm", O_RDONLY);
  open_as(STDOUT_FILENO, "/dev/null", O_WRONLY);
}

}  // namespace gpuhisto::fuzz
