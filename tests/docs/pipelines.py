#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pipelines.py GPUHISTO: the pipelines of docs/data-sets.md, as they stand there, on photos made for it. 77: skipped."""
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

PHOTOS = {'burnt': [255] * 30 + [128] * 70, 'dark one': [10] * 90 + [255] * 10, 'good': list(range(100, 200))}
ALL = [value / 255 for values in PHOTOS.values() for value in values]


def is_text(text):
    return lambda printed: printed == text


def is_normalization(printed):
    """To the digits that jq keeps."""
    return all(math.isclose(a, b, rel_tol=1e-12)
               for a, b in zip(json.loads(printed), (statistics.fmean(ALL), statistics.pstdev(ALL)), strict=True))


CHECKS = (is_text('photos/burnt.pgm\n'), is_text('photos/damaged.pgm: the image is truncated\n'), is_normalization)


def main():
    program = os.path.abspath(sys.argv[1])
    if not shutil.which('jq'):
        print('skipped: jq is not installed')
        sys.exit(77)
    with open(os.path.join(SOURCE, 'docs', 'data-sets.md')) as page:
        scripts = re.findall(r'^```sh pipeline\n(.*?)^```', page.read(), re.M | re.S)
    if len(scripts) != len(CHECKS):
        sys.exit('docs/data-sets.md has %d pipelines' % len(scripts))
    environment = dict(os.environ, PATH=os.path.dirname(program) + ':' + os.environ['PATH'])
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, 'photos'))
        os.chdir(os.path.join(folder, 'photos'))
        for name, values in PHOTOS.items():
            with open(name + '.pgm', 'wb') as file:
                file.write(b'P5 10 10 255\n' + bytes(values))
        with open('damaged.pgm', 'wb') as file:
            file.write(b'P5 10 10 255\nshort')
        os.chdir(folder)
        for script, check in zip(scripts, CHECKS):
            done = subprocess.run(['sh', '-c', script], env=environment, capture_output=True, text=True, timeout=60)
            if not check(done.stdout):
                sys.exit('%sprints\n%s%s' % (script, done.stdout, done.stderr))
        os.chdir(SOURCE)


main()
