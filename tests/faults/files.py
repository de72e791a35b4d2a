#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""files.py GPUHISTO [LIBRARY.so] [unittest arguments]: files that fail, change or fill up under the program."""
import ctypes
import os
import shutil
import stat
import subprocess
import unittest

from common import (DATA, FLOWER, LANDSCAPE, PROGRAM, ROSE, SCAN, ENVIRONMENT, InFolder, content_of, gray_png, limited,
                    needs_library, run, write)

# One of every format that is read in its own way; each larger than a buffer of the program or the fault comes early.
IMAGES = [os.path.join(DATA, name) for name in ('landscape.jpg', 'flower.jpg', 'scan.png', 'bricks.png', 'cutout.png', 'rose.ppm')]
COMMANDS = (['stats', '--format', 'json'], ['hist'], ['plot', '--to', 'svg'], ['equalize', '--to', 'png'])


def command_on(command, name):
    return [*command, name, 'out.png'] if command[0] == 'equalize' else [*command, name]


@needs_library
class Reading(InFolder):
    def copy(self, name):
        return shutil.copy(name, os.path.basename(name))

    def test_an_error_half_way_is_one_line_and_no_result(self):
        for image in IMAGES:
            name = self.copy(image)
            size = os.path.getsize(name)
            for at in (0, 1, 20, size // 2, size - 1):
                for command in COMMANDS:
                    done = run(*command_on(command, name), fault='read error %d' % at, file=name)
                    self.assertEqual(done.returncode, 1, (name, at, command, done.stdout))
                    self.assertOneLine(done, name.encode(), b'input/output error')
                    self.assertFalse(os.path.exists('out.png'))

    def test_an_error_is_no_damage_to_be_tolerated(self):
        name = self.copy(LANDSCAPE)
        done = run('stats', '--tolerate-damage', name, fault='read error 200000', file=name)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'input/output error', done.stderr)

    def test_the_others_of_a_batch_are_done(self):
        names = [self.copy(name) for name in (ROSE, SCAN, FLOWER)]
        plain = run('hist', names[0], names[2]).stdout
        done = run('hist', *names, fault='read error 5000', file=names[1])
        self.assertEqual(done.returncode, 1)
        self.assertOneLine(done, b'scan.png')
        rows = [line for line in plain.splitlines() if not line.startswith(b',')]
        self.assertEqual([line for line in done.stdout.splitlines() if not line.startswith(b',')], rows)

    def test_a_list_that_fails_is_told(self):
        write('list', b'\n'.join([ROSE.encode()] * 1000))
        for at in (0, 100, 10000):
            done = run('stats', '--files-from', 'list', fault='read error %d' % at, file='list')
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(b'--files-from list: input/output error', done.stderr)

    def test_a_table_that_fails_is_told(self):
        write('t.json', run('hist', '--format', 'json', FLOWER).stdout)
        for command in ('merge', 'plot'):
            done = run(command, 't.json', fault='read error 3000', file='t.json')
            self.assertEqual((done.returncode, done.stdout), (1, b''), done.stderr)
            self.assertOneLine(done, b't.json: input/output error')

    def test_a_file_cut_while_it_is_read_is_an_error(self):
        for image in IMAGES:
            size = os.path.getsize(image)
            for at in (size // 3, size // 2, size - 100):
                name = self.copy(image)
                done = run('stats', name, fault='read truncate %d' % at, file=name)
                self.assertEqual(done.returncode, 1, (name, at, done.stdout))
                self.assertOneLine(done, name.encode())

    def test_a_file_replaced_while_it_is_read_counts_as_it_was(self):
        for image in IMAGES:
            name = self.copy(image)
            plain = run('hist', name).stdout
            write(name + '.new', content_of(image)[::-1])
            done = run('hist', name, fault='read replace %d' % (os.path.getsize(image) // 2), file=name)
            self.assertEqual((done.returncode, done.stdout), (0, plain), done.stderr)

    def test_short_and_interrupted_calls_change_nothing(self):
        for image in (ROSE, SCAN, FLOWER):
            plain = run('hist', image).stdout
            for fault in ('read short 1', 'write short 1'):
                self.assertEqual(run('hist', image, fault=fault).stdout, plain, fault)
        run('equalize', SCAN, 'plain.png')
        self.assertEqual(run('equalize', SCAN, 'short.png', fault='write short 1').returncode, 0)
        self.assertEqual(content_of('short.png'), content_of('plain.png'))


class Inputs(InFolder):
    def as_somebody(self):
        os.chmod('.', 0o755)
        if os.geteuid() == 0:
            return lambda: (os.setgroups([]), os.setuid(65534))
        return None

    def test_unreadable(self):
        write('locked.png', gray_png(4, 4, 7))
        os.chmod('locked.png', 0)
        for command in COMMANDS:
            done = run(*command_on(command, 'locked.png'), preexec_fn=self.as_somebody())
            self.assertEqual(done.returncode, 1)
            self.assertOneLine(done, b'locked.png: permission denied')

    def test_a_folder(self):
        os.mkdir('folder.png')
        for command in COMMANDS:
            done = run(*command_on(command, 'folder.png'))
            self.assertEqual(done.returncode, 1)
            self.assertOneLine(done, b'folder.png: is a folder')

    def test_a_fifo_whose_writer_leaves(self):
        os.mkfifo('fifo.png')
        content = gray_png(64, 64, 7)
        for command in COMMANDS:
            for part in (b'', content[:50]):
                process = subprocess.Popen([PROGRAM, *command_on(command, 'fifo.png')], stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, env=ENVIRONMENT)
                with open('fifo.png', 'wb') as file:
                    file.write(part)
                _, err = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 1)
                self.assertRegex(err, rb'\Agpuhisto: fifo.png: [^\n]+\n\Z')
                self.assertFalse(os.path.exists('out.png'))

    def test_devices(self):
        for name, words in (('/dev/null', b'the file is empty'), ('/dev/zero', b'not an image')):
            for command in COMMANDS:
                done = run(*command_on(command, name))
                self.assertEqual(done.returncode, 1, name)
                self.assertOneLine(done, name.encode() + b': ' + words)


class Writing(InFolder):
    def setUp(self):
        super().setUp()
        run('equalize', LANDSCAPE, 'whole.png')

    def outputs(self):
        """-> each command that writes a file, and that file."""
        return ((['equalize', LANDSCAPE, 'disk/out.png'], 'disk/out.png'),
                (['equalize', '--to', 'pnm', LANDSCAPE, 'disk/out.ppm'], 'disk/out.ppm'),
                (['equalize', '--to', 'jpeg', LANDSCAPE, 'disk/out.jpg'], 'disk/out.jpg'),
                (['hist', *[FLOWER] * 9, '-o', 'disk/out.csv'], 'disk/out.csv'),
                (['stats', '--format', 'json', *[FLOWER] * 99, '-o', 'disk/out.json'], 'disk/out.json'),
                (['plot', FLOWER, '-o', 'disk/out.png'], 'disk/out.png'),
                (['plot', FLOWER, '-o', 'disk/out.svg'], 'disk/out.svg'))

    def expect_full(self, command, name, **more):
        write(name, b'old')
        done = run(*command, **more)
        self.assertEqual(done.returncode, 1, (command, done.stderr))
        lines = [line for line in done.stderr.splitlines() if b'not kept in the output' not in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertRegex(lines[0], b'cannot write ' + name.encode() + b': (no space left on device|file too large|input/output error)')
        self.assertEqual((content_of(name), os.listdir('disk')), (b'old', [os.path.basename(name)]))
        os.unlink(name)

    @needs_library
    def test_no_space_after_any_share(self):
        os.mkdir('disk')
        for command, name in self.outputs():
            for at in (0, 1, 1000, 5000):
                self.expect_full(command, name, fault='write full %d' % at)
            self.expect_full(command, name, fault='fsync fail 1')
        size = os.path.getsize('whole.png')
        for at in range(size // 9, size, size // 9):
            self.expect_full(['equalize', LANDSCAPE, 'disk/out.png'], 'disk/out.png', fault='write full %d' % at)
        # The last byte fits.
        self.assertEqual(run('equalize', LANDSCAPE, 'disk/out.png', fault='write full %d' % size).returncode, 0)
        self.assertEqual(content_of('disk/out.png'), content_of('whole.png'))

    def test_a_small_disk(self):
        os.mkdir('disk')
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.mount(b'none', b'disk', b'tmpfs', 0, b'size=64k') != 0:
            self.skipTest('may not mount a small disk')
        self.addCleanup(libc.umount, os.path.abspath('disk').encode())
        for command, name in self.outputs()[:3]:
            self.expect_full(command, name)
        # Of a batch what fits is there, whole.
        run('equalize', SCAN, 'plain.png')
        os.makedirs('in')
        for i in range(9):
            shutil.copy(ROSE, 'in/%d.ppm' % i)
        done = run('equalize', '--output-dir', 'disk', '-r', 'in')
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'no space left on device', done.stderr)
        run('equalize', ROSE, 'rose.ppm')
        for base, _, names in os.walk('disk'):
            for name in names:
                self.assertEqual(content_of(os.path.join(base, name)), content_of('rose.ppm'), name)

    def test_a_limit_on_the_size_of_files(self):
        os.mkdir('disk')
        for command, name in self.outputs():
            self.expect_full(command, name, preexec_fn=limited(FSIZE=1500))

    def test_where_nothing_may_be_written(self):
        os.mkdir('disk', 0o555)
        os.chmod('.', 0o755)
        leave = (lambda: (os.setgroups([]), os.setuid(65534))) if os.geteuid() == 0 else None
        for command, name in self.outputs():
            done = run(*command, preexec_fn=leave)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b'cannot write ' + name.encode() + b': permission denied', done.stderr)
        os.makedirs('in')
        shutil.copy(ROSE, 'in')
        done = run('equalize', '--output-dir', 'disk', '-r', 'in', preexec_fn=leave)
        self.assertEqual((done.returncode, os.listdir('disk')), (1, []), done.stderr)

    def test_links_fifos_and_devices_stay_what_they_are(self):
        os.mkdir('disk')
        for command, name in self.outputs():
            run(*command)
            whole = content_of(name)
            os.unlink(name)
            write('real', b'old')
            os.symlink('../real', name)
            self.assertEqual(run(*command).returncode, 0)
            self.assertEqual((os.path.islink(name), content_of('real')), (True, whole))
            os.unlink(name)
            os.mkfifo(name)
            process = subprocess.Popen([PROGRAM, *command], stderr=subprocess.DEVNULL, env=ENVIRONMENT)
            self.assertEqual(content_of(name), whole)
            self.assertEqual(process.wait(20), 0)
            self.assertTrue(stat.S_ISFIFO(os.stat(name).st_mode))
            os.unlink(name)


if __name__ == '__main__':
    unittest.main()
