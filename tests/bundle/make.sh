#!/bin/sh
# SPDX-License-Identifier: MIT
# make.sh BUILD FOLDER: puts what was built, what it needs and what checks it into FOLDER, for a machine with a GPU and
# perhaps nothing else: no network, no compiler, no sources. Needs there: Linux with glibc 2.36 and libstdc++ of GCC 12, or
# later, and the GPU's driver.
set -eu
build=$1 folder=$2
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib/gpuhisto" "$folder/corpus"

cp "$build/bin/gpuhisto" "$build/bin/kernel_report" "$build"/bin/kernel_*_test "$folder/bin/"
# Not the drawing: OpenCV is large, and no plot runs on a GPU.
for module in codecs emulated cuda hip; do
  [ ! -f "$build/lib/gpuhisto/gpuhisto_$module.so" ] || cp "$build/lib/gpuhisto/gpuhisto_$module.so" "$folder/lib/gpuhisto/"
done
cp "$build/bin/fill_device" "$folder/bin/"
if [ -f "$build/tests/device/failing_cuda.so" ]; then
  mkdir "$folder/failing"
  cp "$build/tests/device/failing_cuda.so" "$folder/failing/"
fi
strip --strip-unneeded "$folder"/bin/* "$folder"/lib/gpuhisto/*.so

# Everything they are linked to but the C and C++ runtimes, which belong to the machine.
ldd "$folder"/bin/* "$folder"/lib/gpuhisto/*.so | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -Ev '/(libc|libm|libpthread|libdl|librt|libgcc_s|libstdc\+\+)\.so' | while read -r library; do
    cp -L "$library" "$folder/lib/"
  done

# Pictures: those of the repository, and each kind of pixel as PAM.
cp "$root"/data/*.jpg "$root"/data/*.png "$root"/data/*.ppm "$folder/corpus/"
for picture in "$root"/data/*.jpg "$root"/data/*.png; do
  name=$(basename "$picture")
  "$build/bin/gpuhisto" equalize -q --channels each "$picture" "$folder/corpus/${name%.*}_each.pam"
  "$build/bin/gpuhisto" equalize -q --gray "$picture" "$folder/corpus/${name%.*}_gray.pam"
done
cp "$root/tests/bundle/run.sh" "$root/tests/bundle/identical.sh" "$root/tests/bundle/strained.sh" \
  "$root/tests/device/each_call.py" "$folder/"
chmod +x "$folder"/*.sh
