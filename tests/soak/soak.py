#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""soak.py GPUHISTO [--decodes N] [--runs N] [unittest arguments]: many images in one long process need no more memory and no
more open files in the end than at the start, and many runs on one file print the same bytes. Without N a short turn for every
day; docs/reliability.md has the figures of a long one."""
import argparse
import os
import re
import subprocess
import sys
import threading
import time
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(SOURCE, 'data')
CORPUS = os.path.join(os.path.dirname(SOURCE), 'shared', 'corpus')
THREADS = (1, 2, 3, 8)
INTERVAL = 0.05  # seconds between two looks at the process


def parse_arguments():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument('program', type=os.path.abspath)
    parser.add_argument('--decodes', type=int, default=6000)
    parser.add_argument('--runs', type=int, default=56)
    options, sys.argv[1:] = parser.parse_known_args()
    return options


OPTIONS = parse_arguments()


def images():
    """The collection without its bombs, which are large on purpose; else the pictures of this project."""
    folder = CORPUS if os.path.isdir(CORPUS) else DATA
    return sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names
                  if os.path.basename(place) != 'bomb' and not name.endswith(('.json', '.py', '.md')))


def look_at(process):
    """-> (memory in use in KiB, open files), or None once it has ended."""
    try:
        with open('/proc/%d/status' % process) as status:
            memory = re.search(r'^VmRSS:\s+(\d+)', status.read(), re.M)
        return (int(memory[1]), len(os.listdir('/proc/%d/fd' % process))) if memory else None
    except OSError:
        return None


def feed(pipe, names, passes):
    for _ in range(passes):
        pipe.write(names)
    pipe.close()


class Flat(unittest.TestCase):
    def test_memory_and_descriptors(self):
        files = images()
        passes = -(-OPTIONS.decodes // len(files))
        names = b''.join(os.fsencode(name) + b'\0' for name in files)
        start, seen = time.monotonic(), []
        with subprocess.Popen([OPTIONS.program, 'stats', '-0', '--files-from', '-', '--format', 'csv', '--total-only',
                               '--no-header', '-q', '-j2', '--max-memory', '256M'], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            feeder = threading.Thread(target=feed, args=(process.stdin, names, passes))
            feeder.start()
            while process.poll() is None:
                looked = look_at(process.pid)
                if looked:
                    seen.append(looked)
                time.sleep(INTERVAL)
            feeder.join()
            self.assertIn(b',luma,', process.stdout.read())
        self.assertGreater(len(seen), 20)
        first, rest = seen[:len(seen) // 4], seen[len(seen) // 4:]
        (memory, open_files), (memory_later, open_later) = ([max(column) for column in zip(*part)] for part in (first, rest))
        print('%d decodes of %d files in %.0f s: %.1f MiB at most in the first quarter, %.1f MiB later; open files: %d, %d'
              % (passes * len(files), len(files), time.monotonic() - start, memory / 1024, memory_later / 1024, open_files,
                 open_later), file=sys.stderr)
        self.assertLess(memory_later, memory * 1.2)
        self.assertLessEqual(open_later, open_files + 1)


class Identical(unittest.TestCase):
    def methods(self):
        """As the help lists them: those that the emulated device runs, and the CPU's."""
        text = subprocess.run([OPTIONS.program, 'stats', '--help'], stdout=subprocess.PIPE, text=True, check=True).stdout
        named = re.search(r'How to count: (.*?);', text, re.S)[1].replace('[auto]', '')
        return [name for name in re.split(r'[,\s]+', named) if name not in ('auto', 'vendor', '')]

    def ways(self):
        """The arguments of each way to count."""
        listed = subprocess.run([OPTIONS.program, 'devices'], stdout=subprocess.PIPE, check=True).stdout
        emulated = b'\nemulated ' in listed
        for method in self.methods():
            if method != 'cpu' and not emulated:
                continue
            device = ['--device', 'cpu' if method == 'cpu' else 'emulated', '--method', method]
            for threads in THREADS:
                yield [*device, '-j%d' % threads]

    def test_every_method_and_number_of_threads(self):
        ways = list(self.ways())
        self.assertGreaterEqual(len(ways), len(THREADS))
        outputs, start = {}, time.monotonic()
        for number in range(OPTIONS.runs):
            way = ways[number % len(ways)]
            done = subprocess.run([OPTIONS.program, 'hist', *way, os.path.join(DATA, 'cutout.png')], capture_output=True)
            self.assertEqual((0, b''), (done.returncode, done.stderr), way)
            outputs.setdefault(done.stdout, way)
        print('%d runs in %d ways in %.0f s' % (OPTIONS.runs, len(ways), time.monotonic() - start), file=sys.stderr)
        self.assertEqual(1, len(outputs), list(outputs.values()))


if __name__ == '__main__':
    unittest.main()
