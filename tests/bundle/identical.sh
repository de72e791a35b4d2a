#!/bin/sh
# SPDX-License-Identifier: MIT
# identical.sh DEVICE METHOD: are statistics, tables and mapped images of the corpus beside this script the same bytes
# from the CPU and from the device? The last line says how many were compared.
set -eu
device=$1 method=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
gpuhisto=$here/bin/gpuhisto
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0 compared=0
cd "$here"
set -- corpus/*
for command in stats hist; do
  "$gpuhisto" $command -q --device cpu --format csv "$@" >"$work/cpu"
  "$gpuhisto" $command -q --device "$device" --method "$method" --format csv "$@" >"$work/device"
  cmp "$work/cpu" "$work/device" || wrong=$((wrong + 1))
  compared=$((compared + 1))
done
reference=corpus/flower.jpg
for how in 'equalize --channels luma' 'equalize --channels each' 'equalize --channels joint' 'stretch --channels joint' \
  'equalize --clahe' \
  "match $reference"; do
  rm -rf "$work/a" "$work/b"
  "$gpuhisto" $how -q --device cpu --to pam --output-dir "$work/a" "$@"
  "$gpuhisto" $how -q --device "$device" --method "$method" --to pam --output-dir "$work/b" "$@"
  diff -r "$work/a" "$work/b" || wrong=$((wrong + 1))
  compared=$((compared + $(find "$work/a" -type f | wc -l)))
done
echo "$compared outputs of $# pictures compared, $wrong differ"
[ "$compared" -gt 2 ] && [ $wrong -eq 0 ]
