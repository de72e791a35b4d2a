#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""every_device.py GPUHISTO MAX_PIXELS DEVICE[/METHOD]... [-- FOLDER...]: the corpus gives the same bytes everywhere.

Statistics, tables and mapped images of all files in the folders (../shared/corpus where it is, and data/), those that are
refused included, are compared with the CPU's: standard output but for "device" and "method", what is complained about, exit
codes, and every file written. Larger images than MAX_PIXELS are refused everywhere.
"""
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMANDS = (('stats', '--format', 'jsonl'), ('hist', '--format', 'csv'), ('equalize', '--to', 'pam'),
            ('equalize', '--to', 'png', '--channels', 'each'), ('equalize', '--to', 'pam', '--channels', 'joint', '--alpha', 'skip'),
            ('stretch', '--to', 'pam', '--auto-gamma'), ('match', '--to', 'pam', '--channels', 'each', 'REFERENCE'), ('equalize', '--to', 'pam', '--clahe', '--tiles', '5x3'))
REFERENCE = os.path.join(SOURCE, 'data', 'flower.jpg')


def gather(folders, target):
    """Links to all files in one folder, each with a number before its name, so that no two become one output."""
    files = sorted(os.path.join(place, name) for folder in folders for place, _, names in os.walk(folder) for name in names)
    for number, path in enumerate(files):
        os.symlink(path, os.path.join(target, '%04d_%s' % (number, os.path.basename(path))))
    return len(files)


def run(program, limit, gathered, command, wish):
    """Everything that can be seen of a run, by name."""
    with tempfile.TemporaryDirectory() as folder:
        output = ['--output-dir', os.path.join(folder, 'out')] if command[0] not in ('stats', 'hist') else []
        environment = {key: value for key, value in os.environ.items() if not key.startswith('GPUHISTO_')}
        words = [REFERENCE if word == 'REFERENCE' else word for word in command]
        done = subprocess.run([program, *words, '-j', '2', '--max-pixels', limit, *wish, *output, '-r', gathered],
                              cwd=folder, capture_output=True, env=environment, timeout=1200)
        seen = {'standard output': re.sub(rb'"device":"[^"]*","method":"[^"]*"', b'', done.stdout),
                'standard error': done.stderr.replace(folder.encode(), b''), 'exit code': b'%d' % done.returncode}
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                with open(path, 'rb') as file:
                    seen[os.path.relpath(path, folder)] = file.read()
        return seen


def first_difference(a, b):
    for number, (one, other) in enumerate(zip(a.splitlines(), b.splitlines()), 1):
        if one != other:
            return 'line %d: %r and %r' % (number, one[:300], other[:300])
    return '%d and %d bytes' % (len(a), len(b))


def compare(program, limit, gathered, devices):
    compared = wrong = 0
    for command in COMMANDS:
        expected = run(program, limit, gathered, command, ['--device', 'cpu'])
        if expected['exit code'] not in (b'0', b'1'):  # then both sides would agree on nothing
            sys.exit('%s: exit %s on the CPU' % (' '.join(command), expected['exit code'].decode()))
        for device in devices:
            name, _, method = device.partition('/')
            wish = ['--device', name] + (['--method', method] if method else [])
            got = run(program, limit, gathered, command, wish)
            for key in sorted(expected.keys() | got.keys()):
                compared += 1
                if expected.get(key) != got.get(key):
                    wrong += 1
                    print('WRONG: %s %s, %s: %s' % (command, device, key, first_difference(expected.get(key, b''), got.get(key, b''))))
        print('%s: %d things of the CPU' % (' '.join(command), len(expected)), flush=True)
    print('%d outputs compared, %d differ' % (compared, wrong))
    return wrong > 0


def main():
    words, _, named = '\0'.join(sys.argv[1:]).partition('\0--\0')
    program, limit, *devices = words.split('\0')
    known = (os.path.join(SOURCE, '..', 'shared', 'corpus'), os.path.join(SOURCE, 'data'))
    folders = [os.path.abspath(name) for name in (named.split('\0') if named else known) if os.path.isdir(name)]
    with tempfile.TemporaryDirectory() as gathered:
        print('%d files of %s' % (gather(folders, gathered), ', '.join(folders)))
        return compare(os.path.abspath(program), limit, gathered, devices)


if __name__ == '__main__':
    sys.exit(main())
