#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM SECONDS CORPUS [RANDOM]: runs one fuzz target (a libFuzzer program, fuzz_TARGET) from the committed seeds
# and CORPUS, where it keeps what it finds. A crash, leak, hang or broken promise ends it with 1 and says how to see it
# again. RANDOM is the first random number: with the same one two runs differ little, as is fit for a test.
set -eu
program=$1 seconds=$2 corpus=$3 random=${4:-0}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=$(basename "$program" | sed 's/^fuzz_//')
[ -x "$program" ] || { echo "skipped: there is no $program; ./dev fuzz builds it"; exit 77; }

dictionary= allocation=256  # MiB in one piece
[ ! -f "$here/dictionaries/$target" ] || dictionary=-dict=$here/dictionaries/$target
case $target in
  arguments) longest=400 quiet=-close_fd_mask=3 allocation=1024 ;;  # bench clears the processor's cache
  compare | merge | tables) longest=16384 quiet= ;;
  clahe | methods_agree | tones) longest=2048 quiet= ;;
  *) longest=8192 quiet= ;;
esac

mkdir -p "$corpus" "$corpus-crashes"
corpus=$(CDPATH='' cd -- "$corpus" && pwd)  # a target may change its folder
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
log=$corpus.log
# shellcheck disable=SC2086
if "$program" -seed="$random" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=3072 -malloc_limit_mb=$allocation -max_len=$longest \
   -print_final_stats=1 -artifact_prefix="$corpus-crashes/" $quiet $dictionary "$corpus" "$here/seeds/$target" \
   >"$log" 2>&1 </dev/null; then
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  times >"$TMPDIR/times"  # not in a pipeline, whose shell has no children yet
  spent=$(tail -n 1 "$TMPDIR/times" | awk '{ gsub("m", " "); gsub("s", ""); printf "%.1f", $1 + $2 / 60 + $3 + $4 / 60 }')
  echo "$target: $executions executions in $spent minutes of processor time, $(grep -o 'cov: [0-9]* ft: [0-9]* corp: [0-9]*' "$log" | tail -n 1)"
  exit 0
fi
tail -n 60 "$log" >&2
input=$(sed -n 's/^artifact_prefix=.*; Test unit written to //p' "$log" | tail -n 1)
echo "$target: failed; the whole log is $log" >&2
[ -z "$input" ] || echo "the input is $input; to see it again: $program $input" >&2
exit 1
