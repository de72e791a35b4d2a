# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""What the tests of this folder share: the program, the library that injects faults, runs that are measured, images."""
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

PROGRAM = os.path.abspath(sys.argv.pop(1))
# Sanitizers have an allocator of their own, which must come first: there is no library to load then.
LIBRARY = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].endswith('.so') else None
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(ROOT, 'data')
FLOWER, ROSE, SCAN, LANDSCAPE = (os.path.join(DATA, name) for name in ('flower.jpg', 'rose.ppm', 'scan.png', 'landscape.jpg'))
HEAVY = os.environ.get('GPUHISTO_HEAVY_TESTS') == '1'
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith('GPUHISTO_')}
needs_library = unittest.skipIf(LIBRARY is None, 'no faults can be injected into a program with a sanitizer')


def run(*arguments, fault=None, file=None, **more):
    """`fault`: for the library, see fault_injection.cpp; `file` is the one that it spoils."""
    environment = {**ENVIRONMENT, **more.pop('env', {})}
    if fault:
        environment.update(LD_PRELOAD=LIBRARY, FAULT=fault, FAULT_FILE=file or '')
    more.setdefault('timeout', 60)
    if 'stdout' not in more:
        more['stdout'] = subprocess.PIPE
    return subprocess.run([PROGRAM, *arguments], stderr=subprocess.PIPE, env=environment, **more)


def limited(**limits):
    """For preexec_fn: limited(AS=256 << 20) is RLIMIT_AS."""
    def limit():
        for name, value in limits.items():
            number = getattr(resource, 'RLIMIT_' + name)
            resource.setrlimit(number, (value, resource.getrlimit(number)[1]))
    return limit


# A process begins with the memory of the one that it comes from, as far as the system's record of the most goes: so the
# program comes from a small one.
MEASURE = """
import os, sys, time
started = time.monotonic()
_, status, usage = os.wait4(os.spawnvp(os.P_NOWAIT, sys.argv[2], sys.argv[2:]), 0)
with open(sys.argv[1], 'w') as file:
    print(os.waitstatus_to_exitcode(status), time.monotonic() - started, usage.ru_maxrss / 1024, file=file)
"""


class Measured:
    """A run with what it took: code, out, err, seconds, and the most memory it held, in MiB."""

    def __init__(self, *arguments, limit=300):
        with tempfile.NamedTemporaryFile('r') as figures:
            done = subprocess.run([sys.executable, '-I', '-S', '-c', MEASURE, figures.name, 'timeout', '-k', '1', str(limit), PROGRAM,
                                   *arguments], capture_output=True, env=ENVIRONMENT, check=False)
            code, seconds, mebibytes = figures.read().split()
        self.code, self.seconds, self.mebibytes = int(code), float(seconds), float(mebibytes)
        self.out, self.err = done.stdout, done.stderr

    def luma(self):
        return json.loads(self.out)['results'][0]['channels']['luma']['histogram']


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder.name)

    def assertOneLine(self, done, *words):
        self.assertRegex(done.stderr, rb'\Agpuhisto: [^\n]+\n\Z')
        for word in words:
            self.assertIn(word, done.stderr)


def write(name, content):
    with open(name, 'wb') as file:
        file.write(content)
    return name


def content_of(name):
    with open(name, 'rb') as file:
        return file.read()


def chunk(kind, content):
    return struct.pack('>I', len(content)) + kind + content + struct.pack('>I', zlib.crc32(kind + content))


def png_head(width, height, depth=8, color=0, interlaced=0):
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, depth, color, 0, 0, interlaced))


def gray_png(width, height, value, more=b''):
    rows = (b'\0' + bytes([value]) * width) * height
    return png_head(width, height) + more + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b'')
