#!/bin/sh
# SPDX-License-Identifier: MIT
# strained.sh full MODULE | shared N: does the GPU count right, or say that it cannot, while nearly all of its memory is
# taken, or while N processes use it at once? The last line sums up.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
gpuhisto=$here/bin/gpuhisto
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
picture=$here/corpus/flower.jpg

# judge NAME CODE: the result in $work/NAME is the CPU's, or the code is 4 and nothing was written.
right=0 refused=0 wrong=0
judge() {
  if [ "$2" -eq 0 ] && cmp -s "$work/$1" "$work/cpu_$1"; then
    right=$((right + 1))
  elif [ "$2" -eq 4 ] && [ ! -s "$work/$1" ]; then
    refused=$((refused + 1))
  else
    wrong=$((wrong + 1))
    echo "WRONG: $1, exit code $2"
  fi
}

full() {
  "$gpuhisto" hist -q --device cpu "$picture" >"$work/cpu_hist"
  "$gpuhisto" equalize -q --device cpu --to pam "$picture" "$work/cpu_equalize"
  for mib in 0 256 512 544 576 608 640 672 704 768 1024; do
    code=0
    "$here/bin/fill_device" "$1" $mib "$gpuhisto" hist -q --device gpu:0 "$picture" >"$work/hist" 2>>"$work/told" || code=$?
    judge hist $code
    rm -f "$work/equalize"
    code=0
    "$here/bin/fill_device" "$1" $mib "$gpuhisto" equalize -q --device gpu:0 --to pam "$picture" "$work/equalize" \
      2>>"$work/told" || code=$?
    judge equalize $code
  done
  sort "$work/told" | uniq -c | sort -rn | head -n 5
  echo "0 to 1024 MiB left: $right right, $refused refused with exit code 4, $wrong wrong"
}

shared() {
  pids=
  for n in $(seq "$1"); do
    "$here/identical.sh" gpu:0 auto >"$work/$n" 2>&1 &
    pids="$pids $!"
  done
  for pid in $pids; do wait "$pid" && right=$((right + 1)) || wrong=$((wrong + 1)); done
  cat "$work"/[0-9]* | sort | uniq -c | head -n 20
  echo "of $1 processes at once $right right, $wrong wrong"
}

"$1" "$2"
[ $wrong -eq 0 ] && [ $right -gt 0 ]
