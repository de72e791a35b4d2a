#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""bench/run.py: what becomes of measured times, and of programs that are missing."""
import contextlib
import csv
import io
import os
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, 'bench'))
import data_sets
import run


def measured(title, **samples):
    """A comparison of samples (wall, CPU, MB) that no program was started for."""
    comparison = run.Comparison(title, '', [], 0)
    comparison.samples = samples
    return comparison


class Results(unittest.TestCase):
    COMPARISONS = [measured('one', ours=[(0.1, 0.2, 8), (0.3, 0.2, 8), (0.2, 0.2, 8)], slow=[(0.8, 0.7, 40)],
                            fast=[(0.05, 0.05, 2)]),
                   measured('two', ours=[(1, 2, 3)], theirs=[(2, 2, 3)])]

    def test_csv(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.csv')
            run.write_csv(path, self.COMPARISONS)
            with open(path, encoding='utf-8', newline='') as file:
                rows = list(csv.DictReader(file))
        self.assertEqual([(row['program'], row['rounds'], row['wall_ms'], row['wall_share_of_gpuhisto']) for row in rows[:3]],
                         [('ours', '3', '200.00', '1.000'), ('slow', '1', '800.00', '4.000'), ('fast', '1', '50.00', '0.250')])
        self.assertEqual(rows[1]['peak_rss_mb'], '40.0')

    def test_picture_shows_speeds_higher_than_gpuhistos_too(self):
        svg = xml.dom.minidom.parseString(run.picture(self.COMPARISONS))
        titles = [node.firstChild.data for node in svg.getElementsByTagName('title')]
        titles = [title.split(',')[0] + title.split(':')[-1] for title in titles]
        self.assertEqual(titles, ['ours 100.0 %', 'slow 25.0 %', 'fast 400.0 %', 'ours 100.0 %', 'theirs 50.0 %'])
        heights = [float(node.parentNode.getAttribute('height')) for node in svg.getElementsByTagName('title')]
        self.assertAlmostEqual(heights[2] / heights[1], 16, delta=0.2)

    def test_missing_programs_are_said(self):
        words = io.StringIO()
        with contextlib.redirect_stdout(words):
            self.assertFalse(run.have('no-such-program'))
            self.assertTrue(run.have('sh'))
        self.assertEqual(words.getvalue(), '\nskipped: no-such-program is not here\n')
        self.assertEqual(run.pipe('cat -u', 'no-such-program', 'wc', source='x'), ['no-such-program'])

    def test_figures_follow_the_programs_in_the_csv(self):
        words, one = io.StringIO(), measured('one', ours=[(0.1, 0.2, 8)])
        with contextlib.redirect_stdout(words), tempfile.TemporaryDirectory() as folder:
            one.figure('scaling', 1.96, '>= 0.95')
            run.write_csv(os.path.join(folder, 'a.csv'), [one])
            with open(os.path.join(folder, 'a.csv'), encoding='utf-8', newline='') as file:
                rows = list(csv.DictReader(file))
        self.assertEqual(words.getvalue(), '\nscaling: 1.96 (wanted: >= 0.95)\n')
        self.assertEqual((rows[1]['program'], rows[1]['figure'], rows[1]['wanted']), ('scaling', '1.96', '>= 0.95'))

    def test_other_counts_end_the_measurement(self):
        counts = data_sets.table('value,luma\n0,1\n1,3\n', ('luma',))
        self.assertEqual(counts, {'luma': [1, 3]})
        with contextlib.redirect_stdout(io.StringIO()):
            data_sets.check('peer', {'luma': [1, 3], 'red': [4, 0]}, counts)
        with self.assertRaisesRegex(SystemExit, 'peer counts other luma values'):
            data_sets.check('peer', {'luma': [1, 2]}, counts)
        with self.assertRaisesRegex(SystemExit, 'mean 2.000000, gpuhisto\'s is 1.000000'):
            data_sets.check_mean('peer', 1, 2, 0.1)

    def test_links_are_as_many_as_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, 'one.png')
            with open(source, 'wb') as file:
                file.write(b'x')
            data_sets.link_many(os.path.join(folder, 'many'), source, 2500)
            parts = [len(names) for _, _, names in os.walk(os.path.join(folder, 'many'))]
        self.assertEqual(sorted(parts), [0, 500, 1000, 1000])

    def test_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "it's a $file")
            with open(path, 'w', encoding='utf-8') as file:
                file.write('b\na\n')
            command = run.pipe('cat', 'sort -r', 'sort', source=path)
            self.assertEqual(subprocess.run(command, check=True, capture_output=True, text=True).stdout, 'a\nb\n')


if __name__ == '__main__':
    unittest.main()
