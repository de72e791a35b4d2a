#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report_test.py KERNEL_REPORT MODULE: a report is no success unless something was timed, and all of it right.

MODULE's device counts nothing; each measurement comes to the status that it is told.
"""
import os
import subprocess
import sys
import unittest

REPORT, MODULE = (os.path.abspath(path) for path in (sys.argv.pop(1), sys.argv.pop(1)))
OK, UNSUPPORTED, OUT_OF_MEMORY, DEVICE_FAILED = 0, 2, 3, 5  # of kernels/plugin.h


def report(status, *sections):
    environment = dict(os.environ, REPORT_TEST_STATUS=str(status))
    return subprocess.run([REPORT, MODULE, *sections], capture_output=True, text=True, env=environment, timeout=120)


class Report(unittest.TestCase):
    def test_an_unknown_section_is_a_usage_error(self):
        for sections in (['grya'], ['gray', 'grya'], ['layout', 'launches']):
            done = report(OK, *sections)
            self.assertEqual((done.returncode, done.stdout), (2, ''), sections)

    def test_a_device_that_fails_ends_the_report(self):
        for status in (OUT_OF_MEMORY, DEVICE_FAILED):
            done = report(status, 'layout')
            self.assertEqual((done.returncode, done.stderr), (1, 'a planned failure\n'))
            self.assertNotIn('every timed run', done.stdout)

    def test_what_the_device_cannot_do_is_told_but_something_must_be_timed(self):
        done = report(UNSUPPORTED, 'layout')
        self.assertEqual((done.returncode, done.stderr), (1, 'nothing was timed\n'))
        self.assertIn('a planned failure', done.stdout)

    def test_wrong_counts_are_no_success(self):
        done = report(OK, 'small')
        self.assertEqual(done.returncode, 5)
        self.assertIn('SOME RUNS COUNTED WRONG', done.stdout)


if __name__ == '__main__':
    unittest.main()
