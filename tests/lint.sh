#!/bin/sh
# SPDX-License-Identifier: MIT
# lint.sh BUILD [FILE...]: clang-tidy and cppcheck over lib/ and app/, or over some of their sources. BUILD is a folder that
# cmake has configured. Not among the tests: it takes half an hour of one core, and each version of the tools finds others.
set -eu
cd "$(dirname -- "$0")/.."
build=${1:?usage: lint.sh BUILD [FILE...]}
shift
[ $# -gt 0 ] || set -- $(git ls-files 'lib/src/*.cpp' 'app/*.cpp')
failed=0
# Left out of cppcheck: uninitMemberVar, since buffers are left as they are on purpose, and the compiler warns of reading one;
# and what it thinks of ChannelCounts, which refers to no temporary.
cppcheck --std=c++20 --language=c++ --enable=warning,performance,portability --inline-suppr --quiet --error-exitcode=1 \
  --suppress=missingIncludeSystem --suppress=uninitMemberVar --suppress=returnTempReference:lib/include/gpuhisto/histogram.hpp \
  -I lib/include -I lib/src -I . -I app "$@" || failed=1
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 4 \
  clang-tidy -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option || failed=1
exit $failed
