#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one golden: golden.py GPUHISTO NAME.cmd

NAME.cmd is a shell script; it runs in an empty folder with gpuhisto on the PATH and $DATA as the folder of pictures.
What it prints and its exit code must equal NAME.stdout, NAME.stderr and NAME.exit beside it; a missing file means empty, or 0.
With GPUHISTO_UPDATE_GOLDENS=1 those files are written instead.
"""
import os
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(program, script):
    environment = {key: value for key, value in os.environ.items() if not key.startswith('GPUHISTO_')}
    environment.update(LC_ALL='C.UTF-8', DATA=os.path.join(SOURCE, 'data'),
                       PATH=os.path.dirname(os.path.abspath(program)) + ':' + os.environ['PATH'])
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(['sh', script], cwd=folder, env=environment, capture_output=True, timeout=60)


def main():
    program, script = sys.argv[1], os.path.abspath(sys.argv[2])
    done = run(program, script)
    data = os.path.join(SOURCE, 'data').encode()
    got = {'.stdout': done.stdout.replace(data, b'$DATA'), '.stderr': done.stderr.replace(data, b'$DATA'),
           '.exit': b'' if done.returncode == 0 else b'%d\n' % done.returncode}
    wrong = False
    for ending, content in got.items():
        path = script[:-len('.cmd')] + ending
        if os.environ.get('GPUHISTO_UPDATE_GOLDENS') == '1':
            if content:
                open(path, 'wb').write(content)
            elif os.path.exists(path):
                os.remove(path)
            continue
        expected = open(path, 'rb').read() if os.path.exists(path) else b''
        if content != expected:
            wrong = True
            print('%s differs\n--- expected\n%s\n--- got\n%s' % (os.path.basename(path), expected.decode('utf8', 'replace'),
                                                             content.decode('utf8', 'replace')))
    sys.exit(1 if wrong else 0)


main()
