#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""The kernels as compiled for AMD: registers, spills, instructions, occupancy. Nothing is run, no GPU is needed.

usage: isa.py [--check TABLE.md] [--report KERNEL_REPORT EMULATED.so] GPUHISTO_HIP.so > docs/amd-isa.md

Reads the code objects in the module. --report asks the emulated device, which stands for AMD's with 64 KiB of shared memory,
how methods launch their kernels. --check compares with a table made before, for the architectures that the module has, and
fails for spilled registers, variables in memory, and shared-memory atomics that return a value. LLVM=17 takes another version of LLVM's tools.
"""
import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile
from collections import namedtuple

LLVM = os.environ.get('LLVM', '15')
PATTERNS = {'ds_add': r'\bds_add_u32\b', 'ds_add_rtn': r'\bds_add_rtn_u32\b', 'global_add': r'\bglobal_atomic_add\b',
            'wide_loads': r'\bglobal_load_(dwordx4|b128)\b', 'scratch': r'\b(scratch_|buffer_(load|store))', 'flat': r'\bflat_'}

# What limits occupancy. A pool is what blocks share: a CU of CDNA, a WGP (two CUs) of RDNA. Registers: of a SIMD lane, and
# the granule of their allocation, as LLVM's AMDGPUBaseInfo.cpp has them for the wave size that is compiled for.
Chip = namedtuple('Chip', 'family wave simds registers granule waves pool shared')
CHIPS = {'gfx906': Chip('CDNA (GCN)', 64, 4, 256, 4, 10, 'CU', 64 << 10), 'gfx90a': Chip('CDNA', 64, 4, 512, 8, 8, 'CU', 64 << 10),
         'gfx942': Chip('CDNA', 64, 4, 512, 8, 8, 'CU', 64 << 10), 'gfx1030': Chip('RDNA', 32, 4, 1024, 16, 16, 'WGP', 128 << 10),
         'gfx1100': Chip('RDNA', 32, 4, 1536, 24, 16, 'WGP', 128 << 10), 'gfx1200': Chip('RDNA', 32, 4, 1536, 24, 16, 'WGP', 128 << 10)}
SHARED_GRANULE = 512
FORMATS = {1: 'GrayFormat', 2: 'GrayAlphaFormat', 3: 'RgbFormat', 4: 'RgbaFormat'}
PIXELS = {1: 'gray', 2: 'gray + alpha', 3: 'RGB', 4: 'RGBA'}

Kernel = namedtuple('Kernel', 'name vgpr sgpr spills shared block counts')


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def code_objects(module):
    """(architecture, code object) of every offload bundle in the module."""
    content = open(module, 'rb').read()
    magic = b'__CLANG_OFFLOAD_BUNDLE__'
    start = content.find(magic)
    while start >= 0:
        count, = struct.unpack_from('<Q', content, start + len(magic))
        at = start + len(magic) + 8
        for _ in range(count):
            offset, size, length = struct.unpack_from('<QQQ', content, at)
            target = content[at + 24:at + 24 + length].decode()
            at += 24 + length
            if 'amdgcn' in target and size:
                yield re.search(r'gfx\w+', target)[0], content[start + offset:start + offset + size]
        start = content.find(magic, start + 1)


def resources(code_object):
    """mangled name -> the notes of the code object."""
    kernels, current = {}, {}
    for line in run(f'llvm-readelf-{LLVM}', '--notes', code_object).splitlines():
        match = re.match(r'\s*(?:- )?\.(\w+):\s+(\S+)$', line)
        if match:
            current[match[1]] = match[2]
            if match[1] == 'wavefront_size':
                kernels[current['name']] = current
                current = {}
    return kernels


def instructions(code_object):
    """mangled name -> how often each pattern occurs."""
    counts, name = {}, None
    for line in run(f'llvm-objdump-{LLVM}', '-d', '--no-show-raw-insn', code_object).splitlines():
        start = re.match(r'[0-9a-f]+ <(\S+)>:', line)
        if start:
            name = start[1]
            counts[name] = dict.fromkeys(PATTERNS, 0)
        elif name:
            for key, pattern in PATTERNS.items():
                counts[name][key] += bool(re.search(pattern, line))
    return counts


def readable(names):
    texts = subprocess.run([f'llvm-cxxfilt-{LLVM}'], input='\n'.join(names), check=True, capture_output=True, text=True).stdout
    for text in texts.splitlines():
        text = re.sub(r'gpuhisto::kernels::|\(anonymous namespace\)::|per_block::|^void ', '', text)
        text = text.replace('(Take)0', 'all').replace('(Take)1', 'opaque')
        text = re.sub(r'\([^()]*\)$', '', text)
        yield re.sub(r'(\d+)u\b', r'\1', text)


def kernels_of(module):
    """architecture -> this project's kernels, by name."""
    found = {}
    for architecture, content in code_objects(module):
        with tempfile.NamedTemporaryFile(suffix='.co') as file:
            file.write(content)
            file.flush()
            notes = {name: use for name, use in resources(file.name).items() if 'rocprim' not in name}
            counts = instructions(file.name)
        for name, text in zip(notes, readable(notes)):
            use = notes[name]
            found.setdefault(architecture, []).append(
                Kernel(text, int(use['vgpr_count']), int(use['sgpr_count']),
                       int(use['vgpr_spill_count']) + int(use['sgpr_spill_count']), int(use['group_segment_fixed_size']),
                       int(use['max_flat_workgroup_size']), counts[name]))
    return {architecture: sorted(kernels) for architecture, kernels in sorted(found.items(), key=lambda item: list(CHIPS).index(item[0]))}


# --- occupancy

def waves_by_registers(chip, registers):
    """Waves that a SIMD holds."""
    used = max(chip.granule, -(-registers // chip.granule) * chip.granule)
    return min(chip.waves, chip.registers // used)


def blocks_by_shared(chip, shared):
    return chip.shared // (-(-shared // SHARED_GRANULE) * SHARED_GRANULE) if shared else 1 << 30


def occupancy(chip, registers, shared, threads):
    """(waves by registers, waves by shared memory, waves) of a pool, for blocks of that many threads."""
    per_block = -(-threads // chip.wave)
    most = chip.simds * chip.waves
    by_registers = chip.simds * waves_by_registers(chip, registers) // per_block * per_block
    by_shared = min(most // per_block, blocks_by_shared(chip, shared)) * per_block
    return by_registers, by_shared, min(by_registers, by_shared)


Launch = namedtuple('Launch', 'method channels luma kernel threads shared')


def launches_of(report, emulated):
    """Each once, in the report's order."""
    lines = [line.split('|') for line in run(report, emulated, 'launches').splitlines()]
    return list(dict.fromkeys(Launch(f[1], int(f[2]), f[3] == '1', f[4], int(f[5]), int(f[6])) for f in lines if f[0] == 'launch'))


def candidates(kernels, launch):
    """The kernels that the launch chooses from: of its pixels, and of its wish for luma where there are such."""
    named = [(k, re.match(r'(\w+)(?:<(.*)>)?$', k.name)) for k in kernels]
    named = [(k, match[2] or '') for k, match in named if match and match[1] == launch.kernel]
    formats = '|'.join(FORMATS.values())
    fitting = [(k, text) for k, text in named
               if FORMATS[launch.channels] in re.findall(r'\b(?:' + formats + r')\b', text) or not re.search(r'\b(?:' + formats + r')\b', text)]
    wished = [(k, text) for k, text in fitting if launch.channels < 3 or ('NoLuma' not in text) == launch.luma]
    return [k for k, _ in wished or fitting]


# --- the page

def occupancy_table(chip, kernels, launches):
    lines = [f'| method | pixels | kernel | threads | LDS of a block | VGPR | waves/{chip.pool}: by VGPR | by LDS | both, of '
             f'{chip.simds * chip.waves} |', '|---|---|---|---|---|---|---|---|---|']
    for launch in launches:
        chosen = candidates(kernels, launch)
        if not chosen:
            continue
        registers = max(k.vgpr for k in chosen)
        shared = launch.shared + max(k.shared for k in chosen)
        by_registers, by_shared, both = occupancy(chip, registers, shared, launch.threads)
        pixels = PIXELS[launch.channels] + (' + luma' if launch.channels > 2 and launch.luma else '')
        lines.append(f'| {launch.method} | {pixels} | `{launch.kernel}` | {launch.threads} | {shared} | {registers} | {by_registers} | '
                     f'{by_shared if shared else "–"} | {both} |')
    return lines


def section(architecture, kernels, launches):
    chip = CHIPS[architecture]
    spilled = sum(k.spills for k in kernels)
    lines = [f'## {architecture}: {chip.family}, waves of {chip.wave}', '',
             f'{len(kernels)} kernels, {spilled} registers spilled in all.', '']
    if launches:
        lines += occupancy_table(chip, kernels, launches) + ['']
    lines += ['| kernel | VGPR | SGPR | spills | static LDS | waves/SIMD | ds_add_u32 | ds_add_rtn | global add | 128-bit loads | '
              'scratch | flat |', '|---|---|---|---|---|---|---|---|---|---|---|---|']
    for k in kernels:
        cells = [f'`{k.name}`', k.vgpr, k.sgpr, k.spills, k.shared, waves_by_registers(chip, k.vgpr), *k.counts.values()]
        lines.append('| ' + ' | '.join(map(str, cells)) + ' |')
    return lines


def compiler():
    return re.search(r'version (\S+)', run(f'llvm-objdump-{LLVM}', '--version'))[1]


def header():
    return f'''# The kernels as compiled for AMD

Made by `./dev isa` with LLVM {compiler()}; nothing here was run or measured. Counts are instructions in the code, not executed
ones. `ds_add_rtn` would return a value that nobody wants and cost more. The first table of each architecture tells how many
waves its registers and its shared memory (LDS, bytes) leave room for, as the methods launch on a device with 64 KiB of it: VGPR
is the most of the kernels that the launch chooses from; what blocks share is a CU of CDNA (64 KiB), a WGP of RDNA (128 KiB).
'''.splitlines()


def check(path, page):
    """What is wrong with the page made before: its sections for the architectures at hand must be those of this page."""
    committed = open(path, encoding='utf-8').read().split('\n## ')
    if f'with LLVM {compiler()};' not in committed[0]:
        print(f'comparison skipped: {path} was not made with LLVM {compiler()}')
        return []
    wrong = []
    for part in page.split('\n## ')[1:]:
        if part.rstrip() not in [old.rstrip() for old in committed[1:]]:
            wrong.append(f'{path} is not what these kernels compile to for {part.split(":")[0]}: run ./dev isa')
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', metavar='TABLE.md')
    parser.add_argument('--report', nargs=2, metavar=('KERNEL_REPORT', 'EMULATED.so'))
    parser.add_argument('module')
    arguments = parser.parse_args()
    launches = launches_of(*arguments.report) if arguments.report else []
    found = kernels_of(arguments.module)
    lines = header()
    for architecture, kernels in found.items():
        lines += [''] + section(architecture, kernels, launches)
    page = '\n'.join(lines) + '\n'
    if not arguments.check:
        sys.stdout.write(page)
        return
    wrong = [] if found else [f'{arguments.module} has no code for AMD']
    for architecture, kernels in found.items():
        for k in kernels:
            if k.spills:
                wrong.append(f'{architecture}: {k.name} spills {k.spills} registers')
            if k.counts['scratch'] and not k.name.startswith('fill_'):  # makers of test patterns, which nobody waits for
                wrong.append(f'{architecture}: {k.name} keeps variables in memory')
            if k.counts['ds_add_rtn']:
                wrong.append(f'{architecture}: {k.name} has {k.counts["ds_add_rtn"]} ds_add_rtn_u32')
    wrong += check(arguments.check, page)
    print('\n'.join(wrong) or f'{", ".join(found)}: no spills, no returning atomics, the table is up to date')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
