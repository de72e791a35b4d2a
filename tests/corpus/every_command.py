#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""every_command.py GPUHISTO [--seconds S] [-j N] [FILE...]: every command on every file, those of ../shared/corpus or else of
data/. However odd the file, a command ends within S seconds with exit code 0 and its result, or with 1, one reason and no
result. Meant for a build with sanitizers, whose complaints are failures."""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = (os.path.join(os.path.dirname(SOURCE), 'shared', 'corpus'), os.path.join(SOURCE, 'data'))
FAULT = 99  # the exit code of a sanitizer
COMPLAINTS = (b'runtime error:', b'Sanitizer:')
EMULATED = ('--device', 'emulated')
# With bounds on what bombs may take: they are judged elsewhere. The result goes to OUT, or to standard output without it.
LIMITS = ('-q', '-j2', '--max-pixels', '50M', '--max-memory', '1G')
COMMANDS = (('stats', 'IN', '--format', 'json'), ('stats', *EMULATED, 'IN'), ('hist', 'IN'),
            ('equalize', 'IN', 'OUT.png', '--plot', 'OUT.svg'), ('equalize', '--gray', '--background', 'white', 'IN', 'OUT.jpg'),
            ('equalize', '--background', 'white', 'IN', 'OUT.jpg'),
            ('equalize', '--channels', 'each', '--tolerate-damage', 'IN', 'OUT.pam'),
            ('equalize', '--clahe', 'IN', 'OUT.png'), ('equalize', '--clahe', '--gray', '--tiles', '3x40', *EMULATED, 'IN', 'OUT.pam'),
            ('stretch', '--auto-gamma', 'IN', 'OUT.png'), ('match', 'IN', os.path.join(SOURCE, 'data', 'flower.jpg'), 'OUT.jpg'),
            ('match', '--channels', 'joint', os.path.join(SOURCE, 'data', 'flower.jpg'), 'IN', 'OUT.png'), ('plot', 'IN'),
            ('stats', '--roi', '0,0,1,1', '--mask', os.path.join(SOURCE, 'data', 'scan.png'), '--format', 'csv', 'IN'),
            ('hist', '--bins', '7', '--roi', '0,0,1,1', '--format', 'json', 'IN'),
            ('compare', '--format', 'csv', os.path.join(SOURCE, 'data', 'flower.jpg'), 'IN'),
            ('compare', '--bins', '16', '--sort', 'emd', 'IN', os.path.join(SOURCE, 'data', 'flower.jpg')),
            ('plot', 'IN', '-o', 'OUT.svg'), ('plot', 'IN', '-o', 'OUT.png'),
            ('plot', '--layout', 'stacked', '--theme', 'dark', '--scale', '2', 'IN', '-o', 'OUT.png'))


def commands_of(program):
    devices = subprocess.run([program, 'devices'], stdout=subprocess.PIPE, check=True).stdout
    emulated = b'\nemulated ' in devices
    if not emulated:
        print('without the emulated device, which this build has not')
    return [command for command in COMMANDS if emulated or 'emulated' not in command]


def files_of(folder):
    return sorted(os.path.join(place, name) for place, _, names in os.walk(folder) for name in names
                  if not name.endswith(('.json', '.py', '.md')))


def environment():
    options = 'exitcode=%d:allocator_may_return_null=1' % FAULT
    return {**os.environ, 'ASAN_OPTIONS': options, 'UBSAN_OPTIONS': 'exitcode=%d:print_stacktrace=1' % FAULT,
            'LC_ALL': 'C.UTF-8'}


def fault_of(command, file, options):
    """What is wrong with how the command ended, or ''."""
    with tempfile.TemporaryDirectory() as folder:
        line = [options.program, command[0], *LIMITS, *(word.replace('OUT', os.path.join(folder, 'out')) if word != 'IN'
                                                        else file for word in command[1:])]
        try:
            done = subprocess.run(line, capture_output=True, env=environment(), timeout=options.seconds)
        except subprocess.TimeoutExpired:
            return 'not ended after %d s' % options.seconds
        written = os.listdir(folder)
    if done.returncode not in (0, 1) or any(words in done.stderr for words in COMPLAINTS):
        return 'exit code %d: %s' % (done.returncode, done.stderr.decode(errors='replace'))
    result = written if any('OUT' in word for word in command) else done.stdout
    if done.returncode == 0:
        return '' if result else 'no result'
    if not done.stderr.startswith(b'gpuhisto: ') or done.stderr.count(b'\n') != 1:
        return 'not one line that says why: %s' % done.stderr.decode(errors='replace')
    return 'a result in spite of exit code 1' if written or (result and command[0] not in ('stats', 'hist', 'compare')) else ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program', type=os.path.abspath)
    parser.add_argument('files', nargs='*')
    parser.add_argument('--seconds', type=int, default=60)
    parser.add_argument('-j', type=int, default=2)
    options = parser.parse_args()
    files = options.files or next(found for found in map(files_of, FOLDERS) if found)
    commands, start, faults = commands_of(options.program), time.monotonic(), 0
    jobs = [(command, file) for file in files for command in commands]
    with concurrent.futures.ThreadPoolExecutor(options.j) as workers:
        for (command, file), fault in zip(jobs, workers.map(lambda job: fault_of(*job, options), jobs)):
            if fault:
                faults += 1
                print('%s %s: %s' % (' '.join(command), file, fault), flush=True)
    print('%d files, %d commands each, %d faults, %.0f s' % (len(files), len(commands), faults, time.monotonic() - start))
    return 1 if faults else 0


sys.exit(main())
