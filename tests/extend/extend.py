#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""extend.py GPUHISTO MODULE CROSS_TEST: the method that dummy.cpp adds is one like all others.

GPUHISTO and MODULE, the emulated device's, are built with it. CROSS_TEST is this build's, which knows nothing of it; it may
be empty.
"""
import json
import os
import re
import subprocess
import sys
import unittest

PROGRAM, MODULE, CROSS_TEST = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'data')
PICTURES = sorted(os.path.join(DATA, name) for name in os.listdir(DATA) if not name.endswith('.md'))
DUMMY = ('--method', 'dummy', '--device', 'emulated')


def run(*command, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith('GPUHISTO_')}
    return subprocess.run(command, capture_output=True, text=True, env={**clean, **environment}, timeout=100)


class Extend(unittest.TestCase):
    def printed(self, *arguments):
        done = run(PROGRAM, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        return done.stdout

    def test_it_counts_what_the_cpu_counts(self):
        small = [picture for picture in PICTURES if os.path.getsize(picture) < 200000]
        self.assertGreater(len(small), 2)
        for picture in small:
            self.assertEqual(self.printed('hist', *DUMMY, picture), self.printed('hist', '--device', 'cpu', picture))
        result = json.loads(self.printed('stats', *DUMMY, '--format', 'json', small[0]))['results'][0]
        self.assertEqual((result['device'], result['method']), ('emulated', 'dummy'))

    def test_it_has_a_name(self):
        self.assertIn('per-thread, vendor, dummy;', self.printed('hist', '--help'))
        self.assertIn('per-thread vendor dummy', self.printed('--generate', 'bash'))
        done = run(PROGRAM, 'hist', '--method', 'dumy', PICTURES[0])
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'dummy'?", done.stderr)

    def test_it_is_measured(self):
        self.assertRegex(self.printed('bench', *DUMMY, '--pixels', '10000', '--pattern', 'uniform', '-q'), r'\n *dummy .*5 of 5')

    @unittest.skipUnless(CROSS_TEST, 'not in a build with sanitizers')
    def test_the_cross_of_shapes_and_patterns_takes_it_in(self):
        done = run(CROSS_TEST, '--gtest_filter=*DrawnCellsOfEachMethod', GPUHISTO_TEST_MODULE=MODULE, GPUHISTO_TEST_CELLS='60')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        counted = re.search(r'^dummy: (\d+) cells counted', done.stdout, re.MULTILINE)
        self.assertGreater(int(counted[1]), 20, done.stdout)


unittest.main()
