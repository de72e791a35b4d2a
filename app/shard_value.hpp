// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: The gpuhisto authors
#pragma once

#include <string>

#include "gpuhisto/shard.hpp"

namespace gpuhisto::app {

struct ShardValue {
  Shard shard;
  std::string source;  ///< "slurm-array", "slurm", "mpi", "k8s"; empty: given as I/N
  std::string taken;   ///< the variables and their values, for people
};

/// "2/4": I from 1 to N. Or the name of an engine, whose variables in the environment tell:
///   slurm-array    the task's place among the tasks of a Slurm array, which must be a range
///   slurm-array:N  the task's number is I, of N; so a single task can be run again
///   slurm          the rank in a job step of srun
///   mpi            the rank in Open MPI, or in whatever sets PMI_RANK and PMI_SIZE; PMIX_RANK with one of the sizes
///   k8s:N          the completion index of an indexed Job of N completions
/// Throws Error(kUsage) naming the value, or the variable that is missing, no number or contradicts another.
ShardValue parse_shard(const std::string& text);

}  // namespace gpuhisto::app
