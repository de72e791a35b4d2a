#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sandbox.py GPUHISTO PROBE [unittest arguments]: --sandbox refuses what it says, and changes no result."""
import ctypes
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PROBE = map(os.path.abspath, sys.argv[1:3])
del sys.argv[1:3]
DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'data')
# Most things a sandbox refuses are done without one: only so do the others tell anything.
REFUSED = {
    'read /etc/passwd': 'EACCES', 'read elsewhere': 'EACCES', 'write elsewhere': 'EACCES', 'write the image': 'EACCES',
    'list /': 'EACCES', 'remove a file': 'EACCES', 'change a mode': 'EPERM', 'open a socket': 'EPERM',
    'start a program': 'EPERM', 'signal another process': 'EPERM', 'signal another thread': 'EPERM', 'queue a signal': 'EPERM',
    'limit another process': 'EPERM', 'slow another process': 'EPERM', 'move another process': 'EPERM', 'share memory': 'EPERM',
    'be traced': 'EPERM', 'type into the terminal': 'EPERM',
    'call what is too new': 'ENOSYS'}
BY_THE_KERNEL_ANYWAY = ('type into the terminal', 'call what is too new')
OF_LANDLOCK = {name for name, error in REFUSED.items() if error == 'EACCES'}


def landlock_version():
    return ctypes.CDLL(None).syscall(444, None, 0, 1)


def run(*arguments, **more):
    more.setdefault('timeout', 60)
    return subprocess.run([PROGRAM, *arguments], capture_output=True, **more)


def gray_tiff(width, height, pixels):
    entries = ((256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, 8), (278, height), (279, len(pixels)))
    return (struct.pack('<2sHI', b'II', 42, 8 + len(pixels)) + pixels + struct.pack('<H', len(entries)) +
            b''.join(struct.pack('<HHII', tag, 4, 1, value) for tag, value in entries) + struct.pack('<I', 0))


@unittest.skipIf(landlock_version() < 1, 'this kernel has no Landlock')
class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        shutil.copytree(DATA, 'in')
        os.mkdir('out')
        with open('probe.victim', 'w'):
            pass

    def probed(self, *arguments, image='in/scan.png', **environment):
        """-> what each attempt of the probe came to, and how the program ended."""
        done = run(*arguments, env={**os.environ, 'LD_PRELOAD': PROBE, 'PROBE_IMAGE': image,
                                    'PROBE_ELSEWHERE': 'probe.victim', **environment})
        lines = [line.split(': ')[1:] for line in done.stderr.decode().splitlines() if line.startswith('probe: ')]
        return dict(lines), done


class Refused(InFolder):
    def test_by_every_command(self):
        run('stats', 'in/scan.png', '--format', 'json', '-o', 'in/table.json')
        for arguments, image in ((('stats', 'in/scan.png'), 'in/scan.png'),
                                 (('hist', 'in/scan.png', '-o', 'out/t.csv', '--plot', 'out/p.png'), 'in/scan.png'),
                                 (('equalize', 'in/scan.png', 'out/e.png'), 'in/scan.png'),
                                 (('equalize', 'in/scan.png', '--output-dir', 'out'), 'in/scan.png'),
                                 (('plot', 'in/scan.png', '-o', 'out/p.svg'), 'in/scan.png'),
                                 (('merge', 'in/table.json'), 'in/table.json')):
            with self.subTest(command=arguments):
                result, done = self.probed(*arguments, '--sandbox', image=image)
                self.assertEqual(REFUSED, result)
                self.assertEqual(0, done.returncode, done.stderr)

    def test_only_by_the_sandbox(self):
        result, done = self.probed('stats', 'in/scan.png')
        self.assertEqual(set(REFUSED), set(result))
        self.assertEqual({'done'}, {result[name] for name in REFUSED if name not in BY_THE_KERNEL_ANYWAY})
        self.assertEqual(0, done.returncode)

    def test_in_every_thread(self):
        for device in ('cpu', 'emulated'):
            with self.subTest(device=device):
                result, _ = self.probed('stats', '-j4', '--device', device, '--sandbox=best-effort',
                                        'in/cutout.png', 'in/rose.ppm', 'in/scan.png')
                self.assertEqual(REFUSED, result)


class Reached(InFolder):
    def expect_read(self, names, *arguments, **more):
        done = run('stats', '--sandbox', '--format', 'csv', '--no-header', *arguments, **more)
        read = {line.split(',')[0] for line in done.stdout.decode().splitlines() if ',ok,' in line} - {''}
        self.assertEqual(set(names), read, done.stderr)
        return done

    def test_what_is_named_and_nothing_else(self):
        os.symlink('../in/rose.ppm', 'out/link')
        self.expect_read(['out/link', 'in/scan.png'], 'out/link', 'in/scan.png')
        done = self.expect_read([], 'in', 'missing')  # a folder without -r, and what is not there: told as ever
        self.assertEqual(run('stats', 'in', 'missing').stderr, done.stderr)
        outside = os.path.abspath('probe.victim')
        os.symlink(outside, 'in/victim.png')
        done = run('stats', '-r', 'in', '--sandbox')
        self.assertEqual(1, done.returncode)
        self.assertRegex(done.stderr, rb'\Agpuhisto: in/victim.png: permission denied\ngpuhisto: permission may be denied by --sandbox: .*\n\Z')

    def test_what_a_list_names(self):
        with open('list', 'w') as file:
            file.write('%s/scan.png\nin/rose.ppm\n' % os.path.abspath('in'))
        self.expect_read([os.path.abspath('in/scan.png'), 'in/rose.ppm'], '--files-from', 'list')

    def test_of_a_list_from_a_pipe_what_is_below_here(self):
        outside = os.path.join(DATA, 'rose.ppm')
        done = self.expect_read(['in/scan.png'], '--files-from', '-', input=('in/scan.png\n%s\n' % outside).encode())
        self.assertIn(b'rose.ppm: permission denied', done.stderr)
        self.expect_read(['in/scan.png', outside], '--files-from', '-', '-r', os.path.dirname(outside) + '/rose.ppm',
                         input=b'in/scan.png\n')

    def test_modules_are_there(self):
        with open('in/gray.tif', 'wb') as file:
            file.write(gray_tiff(2, 2, b'\x01\x02\x03\x04'))
        self.expect_read(['in/gray.tif'], 'in/gray.tif')

    def test_outputs_go_where_links_lead(self):
        os.mkdir('far')
        os.symlink('../far/result.png', 'out/link.png')
        self.assertEqual(0, run('equalize', 'in/scan.png', 'out/link.png', '--sandbox').returncode)
        self.assertTrue(os.path.islink('out/link.png') and os.path.isfile('far/result.png'))
        self.assertEqual(0, run('stats', 'in/scan.png', '-o', '/dev/null', '--sandbox').returncode)
        self.assertEqual(0, run('stats', 'in/scan.png', '-o', 'new', '--sandbox').returncode)

    def test_an_output_folder_is_made(self):
        self.assertEqual(0, run('equalize', '-r', 'in', '--output-dir', 'a/b', '--sandbox', '-q').returncode)
        self.assertTrue(os.path.isfile('a/b/in/scan.png'))


class Identical(InFolder):
    def test_results(self):
        for number, arguments in enumerate((
                ('stats', '-r', 'in', '--format', 'json'), ('stats', '-r', 'in', '--device', 'emulated', '--format', 'csv'),
                ('hist', 'in/flower.jpg'), ('plot', 'in/flower.jpg'), ('plot', 'in/flower.jpg', '--to', 'png'),
                ('plot', 'in/flower.jpg', '--to', 'svg'), ('equalize', 'in/flower.jpg', '-'),
                ('equalize', '-j2', 'in/bricks.png', '-'))):
            with self.subTest(command=arguments):
                environment = {**os.environ, 'LC_ALL': 'C.UTF-8'}
                without, within = (run(*arguments, *flags, env=environment) for flags in ((), ('--sandbox',)))
                self.assertEqual((0, without.stdout, without.stderr), (within.returncode, within.stdout, within.stderr))


class Modes(InFolder):
    def test_a_gpu_is_refused(self):
        for arguments in (['--device', 'gpu'], ['--method', 'per-block'], ['--policy', 'replicas=1']):
            done = run('stats', 'in/scan.png', '--sandbox', *arguments)
            self.assertEqual((2, b''), (done.returncode, done.stdout))
            self.assertIn(b'--sandbox leaves no way to a GPU', done.stderr)
        done = run('stats', 'in/scan.png', '--sandbox', env={**os.environ, 'GPUHISTO_DEVICE': 'gpu'})
        self.assertIn(b'GPUHISTO_DEVICE=gpu: --sandbox', done.stderr)

    def test_another_word_is_refused(self):
        done = run('stats', 'in/scan.png', '--sandbox=maybe')
        self.assertEqual(2, done.returncode)
        self.assertIn(b"'maybe' is not a way of --sandbox", done.stderr)

    def test_a_kernel_that_cannot(self):
        for lacking, words in (('landlock', b'does not limit files'), ('seccomp', b'does not filter system calls')):
            with self.subTest(lacking=lacking):
                result, done = self.probed('stats', 'in/scan.png', '--sandbox', PROBE_WITHOUT=lacking)
                self.assertEqual(({}, 2, b''), (result, done.returncode, done.stdout))
                self.assertIn(words, done.stderr)
                result, done = self.probed('stats', 'in/scan.png', '--sandbox=best-effort', PROBE_WITHOUT=lacking)
                self.assertEqual(0, done.returncode)
                self.assertIn(words, done.stderr)
                refused = {name for name, what in result.items() if what != 'done'} - set(BY_THE_KERNEL_ANYWAY)
                rest = OF_LANDLOCK if lacking == 'seccomp' else set(REFUSED) - OF_LANDLOCK
                self.assertLessEqual(rest - set(BY_THE_KERNEL_ANYWAY), refused)


if __name__ == '__main__':
    unittest.main()
