#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""each_call.py GPUHISTO MODULE [SECONDS]: every call of a device's runtime fails in turn, once or from then on.

MODULE is a device module that takes GPUHISTO_TEST_FAULT. With the device asked for by name, the result must be the CPU's, or
exit code 4 with nothing written; with only a method named, it must be the CPU's. Stops after SECONDS (300), saying so.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

PROGRAM, MODULE = (os.path.abspath(name) for name in sys.argv[1:3])
LIMIT = time.monotonic() + float(sys.argv[3] if len(sys.argv) > 3 else 300)
HERE = os.path.dirname(os.path.abspath(__file__))
DATA = next(folder for folder in (os.path.join(HERE, 'corpus'), os.path.join(HERE, '..', '..', 'data')) if os.path.isdir(folder))
PICTURES = [os.path.join(DATA, name) for name in ('scan.png', 'flower.jpg', 'cutout.png', 'rose.ppm')]

OUT_OF_MEMORY, UNKNOWN, LAUNCH = 2, 999, 719
CALLS = (('hipMalloc', OUT_OF_MEMORY), ('hipMalloc', UNKNOWN), ('hipHostMalloc', OUT_OF_MEMORY), ('hipMemcpyAsync', UNKNOWN),
         ('hipMemsetAsync', UNKNOWN), ('launch', LAUNCH), ('hipStreamSynchronize', UNKNOWN), ('hipEventSynchronize', UNKNOWN),
         ('hipEventRecord', UNKNOWN), ('hipStreamCreateWithFlags', UNKNOWN), ('hipEventCreateWithFlags', UNKNOWN))
COMMANDS = (['hist', '-j', '2', *PICTURES], ['equalize', '--to', 'pam', PICTURES[1], 'out'],
            ['equalize', '--to', 'pam', '--channels', 'each', PICTURES[3], 'out'],
            ['equalize', '--to', 'pam', '--clahe', PICTURES[3], 'out'],
            ['match', '--to', 'pam', PICTURES[1], PICTURES[2], 'out'],
            ['hist', '-j', '1', '--mask', 'MADE/mask.pgm', 'MADE/rgb.ppm', 'MADE/rgba.pam'])
UNTOUCHED = 4  # so many runs in a row without a word of a device: the call is not made so often
ALWAYS = 1 << 30


def run(program, fault, *arguments):
    """Exit code, what was printed or written, and the complaints."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith('GPUHISTO_')}
    if fault:
        environment['GPUHISTO_TEST_FAULT'] = '%s %d %d %d' % fault
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, *arguments], cwd=folder, env=environment, timeout=120, capture_output=True)
        output = os.path.join(folder, 'out')
        written = open(output, 'rb').read() if os.path.exists(output) else b''
    return done.returncode, done.stdout + written, done.stderr


def rows_of_files(table):
    """The rows of the single files: the total is of those that were done."""
    return {row for row in table.splitlines() if not row.startswith(b',')}


def judge(expected, code, content, named):
    if (code, content) == (0, expected):
        return True
    # Of several files those that were done are printed.
    return named and code == 4 and (not content or rows_of_files(content) < rows_of_files(expected))


def make_pictures(folder):
    """A mask for two images, the second of which needs more memory, but not twice as much."""
    width, height = 160, 120
    for name, head, bytes_per_pixel in (('mask.pgm', 'P5 %d %d 255\n', 1), ('rgb.ppm', 'P6 %d %d 255\n', 3),
                                        ('rgba.pam', 'P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n', 4)):
        with open(os.path.join(folder, name), 'wb') as file:
            file.write((head % (width, height)).encode())
            file.write(bytes(i * i >> 3 & 255 for i in range(width * height * bytes_per_pixel)))


class Tally:
    runs = failures = wrong = 0
    cut = False


def fail_in_turn(program, command, expected, call, error, times, wish):
    tally = Tally()
    quiet = skip = 0
    while quiet < UNTOUCHED:
        if time.monotonic() > LIMIT:
            tally.cut = True
            break
        fault = (call, error, skip, times)
        code, content, told = run(program, fault, *command, *wish)
        tally.runs += 1
        skip += 1
        quiet = 0 if b'hipError' in told or b'cudaError' in told else quiet + 1
        tally.failures += quiet == 0
        if not judge(expected, code, content, wish[0] == '--device'):
            tally.wrong += 1
            print('WRONG: fault %s, %s: exit code %d, %s' % (fault, command[:1] + wish, code, told[:300]))
    return tally


def main():
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(min(8, os.cpu_count())) as pool:
        os.makedirs(os.path.join(folder, 'bin'))
        os.makedirs(os.path.join(folder, 'lib/gpuhisto'))
        program = os.path.join(folder, 'bin/gpuhisto')
        shutil.copy(PROGRAM, program)
        shutil.copy(MODULE, os.path.join(folder, 'lib/gpuhisto/gpuhisto_cuda.so'))
        make_pictures(folder)
        cases = []
        for command in COMMANDS:
            command = [word.replace('MADE', folder) for word in command]
            code, expected, told = run(program, None, *command, '--device', 'cpu')
            assert code == 0, told
            code, content, told = run(program, None, *command, '--device', 'gpu')
            assert (code, content) == (0, expected), told
            cases += [(command, expected, call, error, times, wish) for call, error in CALLS for times in (1, ALWAYS)
                      for wish in (['--device', 'gpu'], ['--method', 'per-block'])]
        random.Random(1).shuffle(cases)  # a run that is cut has seen some of all
        waiting = [pool.submit(fail_in_turn, program, *case) for case in cases]
        tallies = [one.result() for one in waiting]
    wrong = sum(tally.wrong for tally in tallies)
    failures = sum(tally.failures for tally in tallies)
    print('%d runs, %d with a failure that was told, %d WRONG%s' % (
        sum(tally.runs for tally in tallies), failures, wrong,
        '; the time was up' if any(tally.cut for tally in tallies) else ''))
    return wrong > 0 or failures == 0


if __name__ == '__main__':
    sys.exit(main())
