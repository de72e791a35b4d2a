#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""Measures gpuhisto on an NVIDIA GPU beside CUB, NPP, PyTorch and CuPy, all in one run, on the same values.

usage: gpu.py [--gpuhisto PROGRAM] [--csv FILE] [--svg FILE] [--only TEXT] [--turns N] [--seconds S]
       gpu.py --fill CSV      tables and picture of docs/benchmarks.md from the CSV of a run

Needs a driver and gpuhisto with gpuhisto_cuda; each peer whose library is missing is told in a line and left out. NPP's program
is built on the spot by nvcc. Programs take turns on every input, so that what else the machine does hits all alike; every call's
counts are compared with a count one by one before it is timed and after, a wrong one is not timed. The table comes last.
"""
import argparse
import dataclasses
import os
import statistics
import sys
import tempfile
import time

import gpu_peers
import gpu_results
from gpu_peers import Failed
from gpu_results import OURS, Row

BUILD = os.path.join(os.path.dirname(gpu_peers.HERE), 'build', 'release', 'bin')
# As gpuhisto bench does: so many bytes pass before values are read again, that no cache holds them.
ROTATED_BYTES = 512 << 20
BURSTS, BURST_SECONDS = 5, 0.5


@dataclasses.dataclass(frozen=True)
class Values:
    """channels 0: 32-bit keys below bins."""
    name: str
    pattern: str
    pixels: int
    channels: int
    bins: int = 256

    @property
    def bytes(self):
        return self.pixels * (self.channels or 4)

    @property
    def copies(self):
        return min(256, max(1, -(-ROTATED_BYTES // self.bytes)))


def plan():
    pictures = ('uniform', 'photo', 'constant')
    return [*(Values('gray, 2^26 pixels', p, 1 << 26, 1) for p in pictures),
            *(Values('gray, 2^28 pixels', p, 1 << 28, 1) for p in pictures),
            *(Values('RGB, 2^26 pixels', p, 1 << 26, 3) for p in pictures),
            *(Values(f'2^26 32-bit keys, {bins} bins', p, 1 << 26, 0, bins) for bins in (256, 4096) for p in ('uniform', 'zipf'))]


def difference(counts, expected):
    """'' if they are equal, else the first place where they differ."""
    if len(counts) != len(expected):
        return f'{len(counts)} counts instead of {len(expected)}'
    for index, (got, wanted) in enumerate(zip(counts, expected)):
        if got != wanted:
            return f'bin {index}: {wanted} expected, {got} counted'
    return ''


class Call:
    """A peer's call on one input: verified, then timed in turns."""

    def __init__(self, values, name, includes=''):
        self.row = Row(values.name, values.pattern, values.pixels, values.bins, name, includes)
        self.bytes, self.medians, self.failed = values.bytes, [], False

    def fail(self, verified, note):
        self.failed, self.row.verified, self.row.note = True, verified, note

    def turn(self, peer, index, expected, bursts=BURSTS):
        """Times of this turn; a wrong count or a failure ends the call's turns."""
        if self.failed:
            return
        try:
            times, counts = peer.call(index, bursts, BURST_SECONDS)
        except Failed as error:
            return self.fail('', str(error))
        wrong = difference(counts, expected)
        if wrong:
            return self.fail('wrong', wrong)
        self.row.verified = 'exact'
        self.medians.append(statistics.median(times))

    def turn_of_gpuhisto(self, line):
        if self.failed:
            return
        if line is None or 'median_us' not in line or line.get('verified', 'exact') != 'exact':
            return self.fail((line or {}).get('verified', ''), (line or {}).get('note', 'not measured'))
        self.row.verified = 'exact' if 'verified' in line else ''
        self.medians.append(line['median_us'])

    def finish(self, read_us, our_us):
        row = self.row
        if self.failed or not self.medians:
            return row
        row.us, row.turns = statistics.median(self.medians), len(self.medians)
        row.lowest_us, row.highest_us = min(self.medians), max(self.medians)
        row.gb_per_s = self.bytes / row.us / 1e3
        row.share_of_read = read_us / row.us if read_us else None
        row.times_gpuhisto = row.us / our_us if our_us else None
        return row


def load_peers(values, peers, path, expected):
    """-> [(peer, index, Call)] of what each peer can call, verified; calls that failed are among them."""
    calls = []
    for peer in peers:
        try:
            offered = peer.load(values, path, values.copies)['calls']
        except Failed as error:
            calls.append((peer, 0, Call(values, peer.name)))
            calls[-1][2].fail('', str(error))
            continue
        for index, offer in enumerate(offered):
            call = Call(values, offer['name'], offer['includes'])
            call.turn(peer, index, expected, 1)
            call.medians.clear()  # it was the first, warming up
            calls.append((peer, index, call))
    return calls


def measure(values, gpuhisto, peers, path, expected, turns):
    """The rows of one input."""
    ours = {method: Call(values, name, gpuhisto.INCLUDES.get(method, ''))
            for method, name in {'read': 'read kernel', **gpuhisto.METHODS}.items()}
    calls = load_peers(values, peers, path, expected)
    for _ in range(turns):
        try:
            lines = gpuhisto.bench(values, BURSTS)
        except Failed as error:
            for call in ours.values():
                call.fail('', str(error))
            lines = {}
        for method, call in ours.items():
            call.turn_of_gpuhisto(lines.get(method))
        for peer, index, call in calls:
            call.turn(peer, index, expected)

    def median(call):
        return statistics.median(call.medians) if call.medians and not call.failed else None

    known = median(ours['read']), median(ours['per-block'])
    return [call.finish(*known) for call in [*ours.values(), *(call for _, _, call in calls)]]


def make_values(program, values, path):
    """Writes the values to the path; the counts of them, channel after channel."""
    return [int(word) for word in gpu_peers.run([program, values.pattern, str(values.pixels), str(values.channels),
                                                 str(values.bins), '1', path]).split()]


def say(text):
    print(text, file=sys.stderr, flush=True)


def facts_of(gpuhisto, found):
    facts = {'device': gpuhisto.device_name(), 'date': time.strftime('%Y-%m-%d', time.gmtime())}
    for name, command, pick in (
            ('driver', ['nvidia-smi', '--query-gpu=driver_version', '--format=csv,noheader'], lambda text: text.split('\n')[0]),
            ('CUDA', ['nvcc', '--version'], lambda text: text.split('release ')[1].split(',')[0])):
        try:
            facts[name] = pick(gpu_peers.run([gpu_peers.find_nvcc() if command[0] == 'nvcc' else command[0], *command[1:]]))
        except (Failed, IndexError):
            say(f'{name}: version not known')
    for name, peer in found:
        if isinstance(peer, gpu_peers.Peer):
            facts[name] = peer.version
    return facts


def run_all(options, folder):
    """Measures; facts and rows."""
    gpuhisto = gpu_peers.Gpuhisto(options.gpuhisto)
    gpuhisto.device_name()
    program = gpu_peers.find_pattern_data(options.peers, folder)
    found = gpu_peers.peers(folder, options.python)
    for name, peer in found:
        say(f'{name}: {peer.version if isinstance(peer, gpu_peers.Peer) else "skipped, " + peer}')
    facts, rows, started = facts_of(gpuhisto, found), [], time.monotonic()
    peers = [peer for _, peer in found if isinstance(peer, gpu_peers.Peer)]
    try:
        for values in plan():
            title = f'{values.name}, {values.pattern}'
            if options.only not in title:
                continue
            if time.monotonic() - started > options.seconds:
                say(f'{title}: skipped, the {options.seconds:.0f} s are over')
                continue
            say(f'{title} ... ({time.monotonic() - started:.0f} s)')
            path = os.path.join(folder, 'values')
            expected = make_values(program, values, path)
            rows += measure(values, gpuhisto, peers, path, expected, options.turns)
            if options.csv:
                gpu_results.write_csv(options.csv, facts, rows)
    finally:
        for peer in peers:
            peer.stop()
    return facts, rows


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument('--gpuhisto', default=os.path.join(BUILD, 'gpuhisto'), help='the program [build/release/bin/gpuhisto]')
    parser.add_argument('--peers', default=os.path.join(BUILD, 'peers'), help='folder of peers built before [beside it]')
    parser.add_argument('--python', default=sys.executable, help='interpreter that may have PyTorch and CuPy [this one]')
    parser.add_argument('--csv', help='write the results there, after every input')
    parser.add_argument('--svg', help='draw them there')
    parser.add_argument('--only', default='', help="inputs with this in their name: 'RGB', '2^28', 'gray, 2^26 pixels, photo'")
    parser.add_argument('--turns', type=int, default=3, help='of every program on every input [3]')
    parser.add_argument('--seconds', type=float, default=450, help='start no further input after so long [450]')
    parser.add_argument('--fill', metavar='CSV', help='fill docs/benchmarks.md from it instead')
    options = parser.parse_args()
    if options.turns < 1:
        parser.error('--turns is at least 1')
    return options


def main():
    options = parse()
    try:
        if options.fill:
            for path in gpu_results.fill_docs(options.fill):
                say('made ' + os.path.relpath(path))
            return 0
        with tempfile.TemporaryDirectory() as folder:
            facts, rows = run_all(options, folder)
    except (Failed, OSError, gpu_results.page.raw.Missing) as error:
        say(f'gpu.py: {error}')
        return 1
    if options.svg:
        gpu_results.page.write(options.svg, gpu_results.chart(facts, rows))
    print('\n'.join([', '.join(facts.values()), *gpu_results.text_table(rows)]))
    measured = any(row.us is not None and row.call == OURS for row in rows)
    return 0 if measured and all(row.verified != 'wrong' for row in rows if row.call == OURS) else 1


if __name__ == '__main__':
    sys.exit(main())
