#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh [SECONDS [FOLDER [PART]]]: checks and times everything that runs on this machine's GPU in about SECONDS (520), at
# most 540. PART: checks, sanitizers (which then get to 200 cells of each method) or timings, instead of all.
# FOLDER (results, beside this script) gets summary.txt, report.txt (the timings) and raw.txt (what everything printed).
# Without a GPU it says so, and checks the emulated device. Exit code 0 if all is right.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
seconds=${1:-520} out=${2:-$here/results} part=${3:-all}
mkdir -p "$out" || exit 2
summary=$out/summary.txt report=$out/report.txt raw=$out/raw.txt
: >"$summary"; : >"$report"; : >"$raw"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
for variable in GPUHISTO_DEVICE GPUHISTO_METHOD GPUHISTO_THREADS GPUHISTO_PLUGIN_PATH GPUHISTO_TEST_MODULE; do unset $variable; done
gpuhisto=$here/bin/gpuhisto
failed= cut=
started=$(date +%s)

# share N: N hundredths of the time.
share() { echo $((seconds * $1 / 100 + 1)); }
wanted() { [ "$part" = all ] || [ "$part" = "$1" ]; }
left() { echo $((seconds - $(date +%s) + started)); }

row() { printf '%-46s %-7s %5ss  %s\n' "$1" "$2" "$3" "$4" | tee -a "$summary"; }

# step NAME LIMIT HOW-TO-SUM-UP COMMAND...: runs it within LIMIT seconds; a function of its output gives the row's text.
step() {
  name=$1 limit=$2 sum_up=$3
  shift 3
  [ "$limit" -lt "$(left)" ] || limit=$(left)
  [ "$limit" -gt 4 ] || { row "$name" skipped 0 "the time is up"; return; }
  printf '\n=== %s\n' "$name" >>"$raw"
  begin=$(date +%s)
  timeout -k 5 "$limit" "$@" >"$work/output" 2>&1
  code=$?
  cat "$work/output" >>"$raw"
  verdict=ok text=$($sum_up <"$work/output")
  if [ $code -eq 124 ]; then
    verdict=cut cut="$cut, $name" text="not done in $limit s; $text"
  elif [ $code -ne 0 ]; then
    verdict=FAILED failed="$failed, $name"
    text=$(grep -m 1 'FAILED  \] [A-Z]\|WRONG' "$work/output" || grep -vE '^(=+ *)?$' "$work/output" | last_line)
  fi
  row "$name" $verdict $(($(date +%s) - begin)) "$text"
}
cells() { grep -E 'cells counted|tests? from .* ran' | sed 's/\[=*\] //' | paste -sd';' | cut -c1-150; }
last_line() { tail -n 1 | cut -c1-150; }
hazards() { grep -hE 'ERROR SUMMARY|RACECHECK SUMMARY|cells counted' | sed 's/=* *//; s/ with a reason//' | tail -n 3 | paste -sd';' | cut -c1-150; }

# --- the parts

# The kernel tests but the cross, which has its own shares of the time, and the failures, which only emulation can plan.
kernel_tests() {
  for program in "$here"/bin/kernel_*_test; do
    name=$(basename "$program" _test)
    case $name in kernel_cross | kernel_emulated) continue ;; esac
    step "$(echo "$name" | tr _ ' '), $1" "$(share 8)" cells "$program"
  done
}

emulated_part() {
  export GPUHISTO_TEST_SECONDS="$(share 5)"
  kernel_tests emulated
  step "methods against the oracle, emulated" "$(share 60)" cells "$here/bin/kernel_cross_test"
  step "failures of a device, emulated" "$(share 15)" cells "$here/bin/kernel_emulated_test"
  step "CPU and emulated device, byte for byte" "$(share 40)" last_line "$here/identical.sh" emulated auto
}

# sanitizer TOOL: some hundred cells of each method under one of compute-sanitizer's tools.
sanitizer() {
  if [ "$part" = sanitizers ]; then limit=$(share 25); else limit=$(share 7); fi
  step "compute-sanitizer $1" $((limit + 20)) hazards env GPUHISTO_TEST_CELLS=200 GPUHISTO_TEST_SECONDS="$limit" \
    "$compute_sanitizer" --tool "$1" --error-exitcode 9 "$here/bin/kernel_cross_test"
}

# The method that is meant to race shows that racecheck sees races. Racecheck's own exit code says that it does.
racecheck_sees_races() {
  printf '\n=== racecheck of unsafe-nonatomic\n' >>"$raw"
  begin=$(date +%s)
  timeout 60 "$compute_sanitizer" --tool racecheck "$here/bin/kernel_abi_test" --gtest_filter='*Unsafe*' >"$work/output" 2>&1
  cat "$work/output" >>"$raw"
  found=$(sed -n 's/.*RACECHECK SUMMARY: \([0-9]*\) hazard.*/\1/p' "$work/output" | tail -n 1)
  verdict=ok
  [ "${found:-0}" -gt 0 ] || { verdict=FAILED; failed="$failed, racecheck of unsafe-nonatomic"; }
  row "racecheck of unsafe-nonatomic" $verdict $(($(date +%s) - begin)) "${found:-no} hazards, as there should be"
}

sanitizers() {
  compute_sanitizer=$(command -v compute-sanitizer || ls -d /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | tail -n 1)
  if [ -z "$compute_sanitizer" ]; then
    row "compute-sanitizer" skipped 0 "it is not installed here"
    return
  fi
  for tool in memcheck racecheck initcheck synccheck; do sanitizer $tool; done
  for tool in memcheck racecheck; do
    step "compute-sanitizer $tool, keys" "$(share 6)" hazards "$compute_sanitizer" --tool $tool --error-exitcode 9 \
      "$here/bin/kernel_key_cross_test"
  done
  racecheck_sees_races
}

# Of the lines for per-block, the smallest share of the read kernel's rate.
slowest() {
  awk '/WRONG/ { wrong++ } /^  per-block |^  RGB|^  gray/ { for (i = 2; i <= NF; ++i) if ($i == "%" && (n++ == 0 || $(i - 1) < low)) low = $(i - 1) }
    END { if (n) printf "per-block: at least %.1f %% of the read kernel; ", low; printf "%d wrong", wrong }'
}
timings() {
  : >"$work/output"
  step "gpuhisto bench" 60 last_line "$gpuhisto" bench --device gpu:0
  { printf '\n=== gpuhisto bench\n'; cat "$work/output"; } >>"$report"
  for section in gray color small layout tables clahe keys batch slow policies; do
    : >"$work/output"
    step "timings, $section" 120 slowest stdbuf -oL "$here/bin/kernel_report" "$module_file" $section
    { printf '\n=== %s\n' "$section"; cat "$work/output"; } >>"$report"
  done
}

checks() {
  kernel_tests "$module"
  step "CPU and GPU, byte for byte" "$(share 10)" last_line "$here/identical.sh" gpu:0 auto
  methods="per-grid per-grid-vec4 wave-aggregated per-block-partial per-thread"
  if "$gpuhisto" stats -q --device gpu:0 --method vendor "$here/corpus/scan.png" >/dev/null 2>&1; then
    methods="$methods vendor"
  else
    row "CPU and GPU, vendor" skipped 0 "this module has no library of the vendor's"
  fi
  for method in $methods; do
    step "CPU and GPU, $method" "$(share 5)" last_line "$here/identical.sh" gpu:0 $method
  done
  step "nearly all memory taken" "$(share 10)" last_line "$here/strained.sh" full "$module_file"
  step "eight processes at once" "$(share 10)" last_line "$here/strained.sh" shared 8
  if [ -f "$here/failing/failing_cuda.so" ] && [ "$module" = gpuhisto_cuda ]; then
    step "each call fails in turn" $(($(share 15) + 10)) last_line \
      python3 "$here/each_call.py" "$gpuhisto" "$here/failing/failing_cuda.so" "$(share 15)"
  fi
  whole=$(share 20)
  step "methods against the oracle, $module" $((whole + $(share 6) + 20)) cells \
    env GPUHISTO_TEST_SECONDS="$(share 4)" GPUHISTO_TEST_WHOLE="$whole" "$here/bin/kernel_cross_test"
}

gpu_part() {
  export GPUHISTO_TEST_MODULE="$module_file"
  export GPUHISTO_TEST_SECONDS="$(share 2)"
  if wanted checks; then checks; fi
  if wanted sanitizers && [ "$module" = gpuhisto_cuda ]; then sanitizers; fi
  if wanted timings; then timings; fi
}

# --- all of it

printf '=== devices\n' >>"$raw"
"$gpuhisto" devices 2>&1 | sed 's/; looked in [^)]*)/)/' | tee -a "$raw" "$summary"  # no folder of this machine
echo | tee -a "$summary"
line=$("$gpuhisto" devices --format csv | grep '^gpu:0,') || line=
if [ -n "$line" ]; then
  module=$(echo "$line" | grep -o 'gpuhisto_[a-z]*' | tail -n 1)
  module_file=$here/lib/gpuhisto/$module.so
  if [ "$module" = gpuhisto_hip ]; then
    # The module is not linked to AMD's runtime; the program opens it, the tests take it so.
    for name in libamdhip64.so.7 libamdhip64.so.6 libamdhip64.so.5; do
      runtime=$(ldconfig -p | sed -n "s/.*$name .*=> //p" | head -n 1)
      [ -z "$runtime" ] || { export LD_PRELOAD="$runtime"; break; }
    done
  fi
  gpu_part
else
  echo "no GPU can be used here: the emulated device is checked instead" | tee -a "$summary"
  emulated_part
fi
if [ -z "$failed" ]; then verdict="verdict: everything that ran is right"; else verdict="verdict: FAILED${failed#,}"; fi
[ -z "$cut" ] || verdict="$verdict; not done in time:${cut#,}"
echo "$verdict, in $(($(date +%s) - started)) s; details in $(basename "$out")" | tee -a "$summary"
[ -z "$failed" ]
