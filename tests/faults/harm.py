#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""harm.py GPUHISTO [unittest arguments]: what a script or a glob gets wrong costs no file and counts nothing else."""
import os
import shutil
import unittest

from common import SCAN, InFolder, run, write


class Harm(InFolder):
    def setUp(self):
        super().setUp()
        os.mkdir('in')
        for name in ('a.png', 'b.png', 'in/i.png'):
            shutil.copy(SCAN, name)

    def refused(self, text, *arguments):
        """Exit code 2, one line that says why, and all files as they were."""
        before = {name: os.stat(name) for name in os.listdir('.')}
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, b''), arguments)
        self.assertIn(text.encode(), done.stderr)
        self.assertEqual(before, {name: os.stat(name) for name in os.listdir('.')}, arguments)

    def test_an_empty_value_is_not_none(self):
        for option in ('--output-dir', '--to', '--background', '--max-memory', '--device', '--policy', '--files-from', '--threads'):
            self.refused(option + ' needs a value, and this one is empty', 'equalize', option, '', 'a.png', 'b.png')
        for option in ('--shard', '--max-pixels', '--method', '--output', '--include', '--max-seconds', '--percentiles'):
            self.refused(option + ' needs a value, and this one is empty', 'stats', option, '', 'a.png')
        self.refused('--plot needs a value, and this one is empty', 'hist', '--plot', '', 'a.png')

    def test_the_next_word_is_not_the_value(self):
        self.refused('--output-dir needs a value', 'equalize', '--output-dir=', 'a.png', 'b.png')
        self.refused('--max-pixels needs a value', 'stats', '--max-pixels=', '--total-only', 'a.png')

    def test_two_lists_are_not_one(self):
        write('list', b'a.png\n')
        self.refused('--files-from is given twice', 'stats', '--files-from', 'list', '--files-from', 'list')
        self.refused('--shard is given twice', 'stats', '--shard', '1/2', '--shard', '2/2', 'a.png')

    def test_no_table_is_added_twice(self):
        write('table.json', run('stats', '--format', 'json', 'a.png').stdout)
        self.refused('in/../table.json is named twice', 'merge', 'table.json', 'in/../table.json')
        self.refused('standard input can be read only once', 'merge', '-', '-')

    def test_no_input_becomes_a_table_or_a_plot(self):
        os.symlink('a.png', 'link.png')
        write('list', b'a.png\n')
        write('table.json', run('stats', '--format', 'json', 'b.png').stdout)
        for arguments in (['stats', '-o', 'a.png', 'b.png', 'a.png'], ['stats', '-o', 'link.png', 'a.png'],
                          ['stats', '--files-from', 'list', '-o', 'list'], ['hist', 'a.png', '-o', './a.png'],
                          ['bench', '--input', 'a.png', '--plot', 'a.png'], ['bench', '--input', 'a.png', '-o', 'link.png'],
                          ['hist', '--plot', 'a.png', 'a.png'], ['plot', 'a.png', '-o', 'a.png'],
                          ['merge', '-o', 'table.json', 'table.json']):
            self.refused('would replace the input', *arguments)
        write('new.txt', b'old')
        self.assertEqual(run('stats', '-o', 'new.txt', 'a.png').returncode, 0)

    def test_what_lies_beside_images_is_in_nobodys_way(self):
        for name in ('i.txt', 'i.xml', 'labels.json', 'labels.csv'):
            write('in/' + name, b'no image')
        done = run('equalize', '--output-dir', 'out', '-r', 'in')
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        self.assertEqual([names for _, _, names in os.walk('out') if names], [['i.png']])
        shutil.copy('a.png', 'in/i.bmp')  # a PNG by content
        self.refused('would both become', 'equalize', '--to', 'png', '--output-dir', 'out', '-r', 'in')

    def test_an_image_of_no_bytes_is_not_passed_over(self):
        for name in ('in/empty.jpg', 'in/notes.txt'):
            write(name, b'')
        done = run('stats', '-r', 'in')
        self.assertEqual((done.returncode, done.stderr), (1, b'gpuhisto: in/empty.jpg: the file is empty\n'))
        self.assertIn(b'1 ok, 1 failed, 1 skipped', done.stdout)


if __name__ == '__main__':
    unittest.main()
