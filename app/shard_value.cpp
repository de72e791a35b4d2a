// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#include "shard_value.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "gpuhisto/error.hpp"
#include "gpuhisto/report.hpp"

namespace gpuhisto::app {
namespace {

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& flag, const std::string& fact) {
  throw Error(ErrorKind::kUsage, "--shard " + printable_name(flag) + ": " + fact);
}

/// Reads variables of an engine, and remembers what it read.
class Variables {
 public:
  explicit Variables(const std::string& flag) : flag_(flag) {}

  std::optional<std::uint64_t> find(const std::string& name) {
    const char* text = std::getenv(name.c_str());
    if (!text) return std::nullopt;
    const auto value = number(text);
    if (!value) refuse(flag_, name + " is '" + printable_name(text) + "', not a number");
    taken_ += (taken_.empty() ? "" : ", ") + name + "=" + text;
    return value;
  }
  std::uint64_t get(const std::string& name) {
    const auto value = find(name);
    if (!value) refuse(flag_, name + " is not set");
    return *value;
  }
  [[noreturn]] void contradict() const { refuse(flag_, "these contradict each other: " + taken_); }
  const std::string& taken() const { return taken_; }

 private:
  const std::string& flag_;
  std::string taken_;
};

/// From a rank, which begins at 0.
Shard of_rank(std::uint64_t rank, std::uint64_t count, const Variables& variables) {
  if (rank >= count) variables.contradict();
  return {rank + 1, count};
}

Shard slurm_array(Variables& variables) {
  const auto id = variables.get("SLURM_ARRAY_TASK_ID"), first = variables.get("SLURM_ARRAY_TASK_MIN");
  const auto last = variables.get("SLURM_ARRAY_TASK_MAX"), step = variables.get("SLURM_ARRAY_TASK_STEP");
  const auto count = variables.get("SLURM_ARRAY_TASK_COUNT");
  const bool range = step > 0 && first <= id && id <= last && (id - first) % step == 0;
  // An array such as 1,3,7 has no step that tells a task's place in it.
  if (!range || (last - first) / step + 1 != count) variables.contradict();
  return {(id - first) / step + 1, count};
}

Shard slurm(Variables& variables) {
  const auto rank = variables.get("SLURM_PROCID"), count = variables.get("SLURM_NTASKS");
  const auto in_step = variables.find("SLURM_STEP_NUM_TASKS");
  if (in_step && *in_step != count) variables.contradict();
  return of_rank(rank, count, variables);
}

Shard mpi(const std::string& flag, Variables& variables) {
  constexpr const char* kRanks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
  constexpr const char* kSizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
  const auto agreed = [&](const auto& names) {
    std::optional<std::uint64_t> value;
    for (const char* name : names) {
      const auto next = variables.find(name);
      if (value && next && *value != *next) variables.contradict();
      if (next) value = next;
    }
    return value;
  };
  const auto rank = agreed(kRanks);
  if (!rank) refuse(flag, "none of OMPI_COMM_WORLD_RANK, PMI_RANK and PMIX_RANK is set");
  auto size = agreed(kSizes);
  if (!size) size = variables.find("SLURM_NTASKS");  // srun --mpi=pmix
  if (!size) refuse(flag, "none of OMPI_COMM_WORLD_SIZE, PMI_SIZE and SLURM_NTASKS is set");
  return of_rank(*rank, *size, variables);
}

/// A number that the flag gives after its colon.
std::optional<std::uint64_t> given_count(const std::string& flag, std::size_t colon) {
  if (colon == flag.npos) return std::nullopt;
  const auto count = number(flag.substr(colon + 1));
  if (!count || *count == 0) refuse(flag, "the number of shards, after ':', is from 1");
  return count;
}

Shard from_engine(const std::string& flag, const std::string& engine, std::optional<std::uint64_t> count,
                  Variables& variables) {
  if (engine == "slurm-array" && !count) return slurm_array(variables);
  if (engine == "slurm-array") {
    const auto id = variables.get("SLURM_ARRAY_TASK_ID");
    if (id < 1 || id > *count)
      refuse(flag, "SLURM_ARRAY_TASK_ID is " + std::to_string(id) + ", not from 1 to " + std::to_string(*count));
    return {id, *count};
  }
  if (engine == "k8s") {
    if (!count) refuse(flag, "the number of completions is needed: k8s:N");
    const auto index = variables.get("JOB_COMPLETION_INDEX");
    if (index >= *count)
      refuse(flag, "JOB_COMPLETION_INDEX is " + std::to_string(index) + ", not below " + std::to_string(*count));
    return {index + 1, *count};
  }
  if (count) refuse(flag, engine + " takes no number");
  return engine == "slurm" ? slurm(variables) : mpi(flag, variables);
}

}  // namespace

ShardValue parse_shard(const std::string& text) {
  const std::size_t colon = text.find(':'), slash = text.find('/');
  const std::string engine = text.substr(0, colon);
  if (engine == "slurm-array" || engine == "slurm" || engine == "mpi" || engine == "k8s") {
    Variables variables(text);
    const Shard shard = from_engine(text, engine, given_count(text, colon), variables);
    return {shard, engine, variables.taken()};
  }
  const auto index = number(text.substr(0, slash));
  const auto count = slash == text.npos ? std::nullopt : number(text.substr(slash + 1));
  if (!index || !count) refuse(text, "not I/N, slurm-array, slurm-array:N, slurm, mpi or k8s:N");
  if (*index < 1 || *index > *count) refuse(text, "the part is from 1 to the number of parts");
  return {{*index, *count}, "", ""};
}

}  // namespace gpuhisto::app
