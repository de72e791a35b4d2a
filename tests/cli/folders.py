#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""folders.py GPUHISTO [unittest arguments]: folders that are read, and those that outputs go to."""
import os
import subprocess
import time
import unittest

from behaviour import FLOWER, PROGRAM, InFolder, content_of, gray_png, run


class Reading(InFolder):
    def test_photos_of_kinds_that_are_not_read_are_told(self):
        os.mkdir('p')
        for name in ('IMG_1.HEIC', 'b.avif', 'c.RAF', 'd.jxl', 'notes.txt', 'README'):
            self.write('p/' + name, b'\0\0\0\x18ftypheic' + bytes(99))
        self.write('p/z.png', gray_png(3, 3, 9))
        done = run('stats', '-r', 'p')
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.decode().splitlines(),
                         ['gpuhisto: p/%s: skipped: %s is not read' % (name, kind) for name, kind in
                          (('IMG_1.HEIC', 'HEIC'), ('b.avif', 'AVIF'), ('c.RAF', 'RAF'), ('d.jxl', 'JXL'))])

    def test_a_report_may_lie_in_the_folder_that_it_is_of(self):
        self.write('a.png', gray_png(3, 3, 9))
        first = run('stats', '-r', '.', '--format', 'json', '-o', 'z.json')
        again = run('stats', '-r', '.', '--format', 'json', '-o', 'z.json')
        self.assertEqual((first.returncode, again.returncode), (0, 0), again.stderr)
        done = run('hist', '-r', '.', '--plot', 'a.png')
        self.assertEqual(done.returncode, 2)
        self.assertEqual(content_of('a.png'), gray_png(3, 3, 9))


class Writing(InFolder):
    def test_a_folder_is_no_output(self):
        os.mkdir('out')
        for name in ('out', 'out/', 'missing/'):
            done = run('equalize', FLOWER, name)
            self.assertEqual(done.returncode, 2)
            self.assertIn(b'--output-dir', done.stderr, name)

    def test_a_plot_goes_where_a_folder_will_be(self):
        done = run('equalize', FLOWER, '--output-dir', 'out', '--plot', 'out/plot.svg')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.exists('out/plot.svg'))
        done = run('equalize', FLOWER, '--output-dir', 'new', '--plot', 'new/sub/plot.svg')
        self.assertEqual(done.returncode, 1)
        self.assertFalse(os.path.exists('new'))  # told before the work

    def test_runs_side_by_side_into_one_new_folder(self):
        self.write('cut.png', gray_png(2000, 2000, 7)[:-30])
        self.write('whole.png', gray_png(4000, 4000, 7))
        for i in range(6):
            folder = 'out%d' % i
            first = subprocess.Popen([PROGRAM, 'equalize', '-j1', 'cut.png', '--output-dir', folder], stderr=subprocess.DEVNULL)
            time.sleep(0.01 * i)
            done = run('equalize', '-j1', 'whole.png', '--output-dir', folder)
            self.assertEqual(first.wait(timeout=60), 1)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(os.listdir(folder), ['whole.png'])


if __name__ == '__main__':
    unittest.main()
