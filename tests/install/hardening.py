#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hardening.py LIBRARY PROGRAM MODULE...: reads from the files what cmake/hardening.cmake asked for. What the compiler does
is looked for in the project's own library, since a program also holds objects of the distribution, built in other ways."""
import platform
import re
import subprocess
import sys
import unittest

LIBRARY, PROGRAM, *MODULES = sys.argv[1:]
OF_ARCHITECTURE = {'x86_64': r'x86 feature: IBT, SHSTK', 'aarch64': r'AArch64 feature: BTI, PAC'}
PROBE = b'\x48\x83\x0c\x24\x00'  # x86-64: orq $0, (%rsp), which touches each page of a large frame in turn


def readelf(*arguments):
    return subprocess.run(['readelf', '-W', *arguments], check=True, capture_output=True, text=True).stdout


class Linked(unittest.TestCase):
    def test_the_program_can_lie_anywhere(self):
        self.assertRegex(readelf('-h', PROGRAM), r'Type: +DYN')
        self.assertRegex(readelf('-d', PROGRAM), r'FLAGS_1\).*\bPIE\b')

    def test_addresses_are_bound_at_the_start_and_then_read_only(self):
        for file in (PROGRAM, *MODULES):
            with self.subTest(file=file):
                self.assertRegex(readelf('-l', file), r'GNU_RELRO ')
                self.assertRegex(readelf('-d', file), r'FLAGS_1\).*\bNOW\b')

    def test_nothing_is_written_and_executed(self):
        for file in (PROGRAM, *MODULES):
            with self.subTest(file=file):
                segments = re.findall(r'^  (LOAD|GNU_STACK) .* ([R ][W ][E ]) 0x', readelf('-l', file), re.MULTILINE)
                self.assertEqual(1, sum(kind == 'GNU_STACK' for kind, _ in segments))
                self.assertGreater(len(segments), 2)
                self.assertNotIn('RWE', [rights for _, rights in segments])
                self.assertNotIn('E', ''.join(rights for kind, rights in segments if kind == 'GNU_STACK'))
                self.assertNotIn('TEXTREL', readelf('-d', file))


class Compiled(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.symbols = readelf('-s', LIBRARY)

    def test_frames_with_arrays_are_watched(self):
        self.assertIn(' UND __stack_chk_fail', self.symbols)

    def test_calls_of_the_c_library_know_their_bounds(self):
        self.assertRegex(self.symbols, r' UND __(memcpy|memmove|memset|read)_chk\b')

    def test_jumps_land_where_they_may(self):
        wanted = OF_ARCHITECTURE.get(platform.machine())
        if not wanted:
            self.skipTest('no such protection on ' + platform.machine())
        files = re.split(r'^File: ', readelf('-n', LIBRARY), flags=re.MULTILINE)[1:]
        self.assertGreater(len(files), 50)
        self.assertEqual([], [file.splitlines()[0] for file in files if not re.search(wanted, file)])

    @unittest.skipUnless(platform.machine() == 'x86_64', 'the instruction is known for x86-64 alone')
    def test_large_frames_touch_each_page(self):
        with open(LIBRARY, 'rb') as library:
            self.assertIn(PROBE, library.read())


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
