#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""Registers, spills and shared-memory instructions of every kernel as compiled for AMD, without a GPU.

usage: kernels/tools/isa.py ARCHITECTURE... > docs/isa.md
Needs Debian's hipcc (clang 15) and llvm-15; LLVM=17 in the environment takes another version.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LLVM = os.environ.get("LLVM", "15")
ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ["methods/per_grid.cpp", "methods/per_grid_vec4.cpp", "methods/wave_aggregated.cpp", "methods/per_block_partial.cpp",
           "methods/per_block/flat.cpp", "methods/per_block/rows.cpp", "methods/per_block/masked.cpp",
           "methods/per_block/fused.cpp", "methods/per_block/batch.cpp", "methods/per_thread/per_thread.cpp",
           "transforms/apply_tables.cpp", "transforms/apply_luma.cpp", "engine/support_kernels.cpp"]
# Vector registers of a SIMD lane, their granule, and the waves a SIMD holds at most (AMD's ISA guides).
REGISTER_FILE = {"gfx906": (256, 4, 10), "gfx90a": (512, 8, 8), "gfx942": (512, 8, 8), "gfx1030": (1024, 8, 16),
                 "gfx1100": (1536, 16, 16), "gfx1200": (1536, 16, 16)}
PATTERNS = {"ds_add": r"\bds_add_u32\b", "ds_add_rtn": r"\bds_add_rtn_u32\b",
            "global_add": r"\bglobal_atomic_add\b", "wide_loads": r"\bglobal_load_(dwordx4|b128)\b",
            "scratch": r"\b(scratch_|buffer_(load|store))", "flat": r"\bflat_"}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compile_for(architecture, source, folder):
    target = pathlib.Path(folder) / "kernel.co"
    multiarch = run("gcc", "-print-multiarch").strip()
    run(f"clang++-{LLVM}", "-x", "hip", "-std=c++20", "-O3", f"--offload-arch={architecture}", "--rocm-path=/usr",
        f"--rocm-device-lib-path=/usr/lib/{multiarch}/amdgcn/bitcode", "--cuda-device-only", "--no-gpu-bundle-output",
        "-Wno-pass-failed", f"-I{ROOT}", f"-I{ROOT.parent}/lib/include", "-c", str(ROOT / source), "-o", str(target))
    return str(target)


def resources(code_object):
    """name -> registers and spills, from the code object's notes."""
    kernels, current = {}, {}
    for line in run(f"llvm-readelf-{LLVM}", "--notes", code_object).splitlines():
        match = re.match(r"\s*(?:- )?\.(\w+):\s+(\S+)$", line)
        if not match:
            continue
        current[match[1]] = match[2]
        if match[1] == "wavefront_size":
            kernels[current["name"]] = dict(current)
            current = {}
    return kernels


def instructions(code_object):
    """name -> how often each pattern occurs."""
    counts, name = {}, None
    for line in run(f"llvm-objdump-{LLVM}", "-d", "--no-show-raw-insn", code_object).splitlines():
        start = re.match(r"[0-9a-f]+ <(\S+)>:", line)
        if start:
            name = start[1]
            counts[name] = dict.fromkeys(PATTERNS, 0)
        elif name:
            for key, pattern in PATTERNS.items():
                counts[name][key] += bool(re.search(pattern, line))
    return counts


def readable(mangled):
    text = run(f"llvm-cxxfilt-{LLVM}", mangled).strip()
    text = re.sub(r"gpuhisto::kernels::|\(anonymous namespace\)::|per_block::|^void ", "", text)
    text = text.replace("(Take)0", "all").replace("(Take)1", "opaque")
    text = re.sub(r"\([^()]*\)$", "", text)
    return re.sub(r"(\d+)u\b", r"\1", text)


def waves(architecture, registers):
    file, granule, most = REGISTER_FILE[architecture]
    used = max(granule, -(-registers // granule) * granule)
    return min(most, file // used)


def table(architecture):
    rows, spilled = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for source in SOURCES:
            code_object = compile_for(architecture, source, folder)
            counted = instructions(code_object)
            for name, use in resources(code_object).items():
                vector = int(use["vgpr_count"])
                spills = int(use["vgpr_spill_count"]) + int(use["sgpr_spill_count"])
                spilled += spills
                c = counted[name]
                rows.append((readable(name), vector, use["sgpr_count"], spills, waves(architecture, vector), c["ds_add"],
                             c["ds_add_rtn"], c["global_add"], c["wide_loads"], c["scratch"], c["flat"]))
    print(f"\n## {architecture}\n\n{len(rows)} kernels, {spilled} registers spilled in all.\n")
    print("| kernel | VGPR | SGPR | spills | waves/SIMD | ds_add_u32 | ds_add_rtn | global add | 128-bit loads | scratch | flat |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for row in sorted(rows):
        print("| `" + row[0] + "` | " + " | ".join(str(x) for x in row[1:]) + " |")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("# The kernels as compiled for AMD\n")
    print(f"Made by `kernels/tools/isa.py {' '.join(sys.argv[1:])}` with clang {LLVM}; nothing here was run or measured. Counts are")
    print("instructions in the code, not executed ones. `waves/SIMD` is what the vector registers allow; shared memory is dynamic")
    print("and limits it further by policy. `ds_add_rtn` would return a value nobody wants and cost more.")
    for architecture in sys.argv[1:]:
        table(architecture)


if __name__ == "__main__":
    main()
