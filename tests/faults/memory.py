#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""memory.py GPUHISTO [LIBRARY.so] [unittest arguments]: little memory, small stacks, few descriptors: the right result or one line."""
import concurrent.futures
import os
import re
import shutil
import unittest

from common import (DATA, FLOWER, LANDSCAPE, PROGRAM, ROSE, SCAN, InFolder, Measured, content_of, gray_png, limited, needs_library, run,
                    write)

MOST = 2000  # allocations that fail, each in a run of its own
needs_emulated = unittest.skipUnless(os.path.exists(os.path.join(os.path.dirname(PROGRAM), '../lib/gpuhisto/gpuhisto_emulated.so')),
                                     'there is no emulated device')


@needs_library
class Allocations(InFolder):
    def setUp(self):
        super().setUp()
        write('in.png', gray_png(20, 20, 7))
        write('in.pgm', b'P5 4 4 255\n' + bytes(range(16)))
        write('in.jpg', content_of(FLOWER))

    def how_many(self, command):
        done = run(*command, fault='alloc count 0', env={'FAULT_COUNT': 'count'})
        self.assertEqual(done.returncode, 0, done.stderr)
        return int(content_of('count'))

    def attempt(self, job):
        """One run in which an allocation fails -> what is wrong with its outcome, or None."""
        command, output, fault, whole = job
        if output:
            folder = fault.replace(' ', '-')
            os.mkdir(folder)
            output = write(os.path.join(folder, output), b'old')
            command = [output if word == 'OUT' else word for word in command]
        try:
            done = run(*command, fault=fault, timeout=30)
        except Exception as error:  # no end
            return '%s: %s: %s' % (fault, command[0], error)
        result, left = done.stdout, []
        if output:
            result, left = content_of(output), os.listdir(folder)
            shutil.rmtree(folder)
        right = done.returncode == 0 and result == whole
        lines = done.stderr.splitlines()
        codes, words = (1,), b'gpuhisto: .*memory'
        if 'emulated' in command:  # it may be the device that tells, or the loader, whose reasons are its own
            codes, words = (1, 4), words + b'|gpuhisto: .*the module does not load'
        told = done.returncode in codes and lines and all(re.match(words, line) for line in lines)
        if (right or told) and (not output or len(left) == 1) and (not told or not output or result == b'old'):
            return None
        return '%s: %s: exit %d, stderr %r, result %r, left %r' % (fault, command[0], done.returncode, done.stderr[:200],
                                                                   result[:60], left)

    def fail_each(self, command, output=None, first=1):
        plain = [output if word == 'OUT' else word for word in command]
        count = min(self.how_many(plain), first + MOST)
        done = run(*plain)
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        whole = content_of(output) if output else done.stdout
        # Without the first, which the C++ runtime keeps for exceptions to be thrown in when nothing else is left, no
        # program in that language can tell that memory is short.
        faults = (['once %d' % at for at in range(first, count + 1)] +
                  ['from %d' % at for at in range(max(first, 2), count + 1, 3)])
        with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count())) as pool:
            outcomes = pool.map(self.attempt, [(command, output, 'alloc ' + fault, whole) for fault in faults])
            wrong = [text for text in outcomes if text]
        self.assertFalse(wrong, '%d of %d runs:\n%s' % (len(wrong), len(faults), '\n'.join(wrong[:20])))
        print('%s: %d runs' % (command[0], len(faults)), flush=True)

    def test_stats(self):
        self.fail_each(['stats', '-j', '2', 'in.png', 'in.pgm'])

    def test_hist(self):
        self.fail_each(['hist', '-j', '2', 'in.jpg', 'in.png'])

    def test_equalize(self):
        self.fail_each(['equalize', '-j', '2', 'in.pgm', 'OUT'], 'out.png')

    def test_plot(self):
        self.fail_each(['plot', 'in.pgm', '-o', 'OUT'], 'out.svg')


    @needs_emulated
    def test_stats_on_a_device(self):
        # What comes before the devices, the other tests have. Small images share a piece: a shortage that one of them meets
        # must not leave the others waiting.
        command = ['stats', '-j', '2', 'in.pgm', 'in.pgm', 'in.png', 'in.png', 'in.png']
        self.fail_each([*command, '--device', 'emulated'], first=self.how_many([*command, '--device', 'cpu']) - 300)


class Limits(InFolder):
    IMAGES = [os.path.join(DATA, name) for name in sorted(os.listdir(DATA)) if not name.endswith('.md')]

    def same_as_without(self, **limits):
        """Every command's result is what it is without the limit."""
        for command in (['stats', *self.IMAGES], ['hist', LANDSCAPE], ['equalize', '--to', 'png', LANDSCAPE, '-'],
                        ['plot', '--to', 'png', FLOWER], ['plot', FLOWER], ['merge', 'table.json'], ['--help']):
            for threads in ([] if command[0] in ('merge', '--help') else ['-j', '1'], []):
                done = run(*command, *threads, preexec_fn=limited(**limits))
                plain = run(*command, *threads)
                self.assertEqual((done.returncode, done.stderr), (0, plain.stderr), (command, limits))
                self.assertEqual(done.stdout, plain.stdout, (command, limits))

    def setUp(self):
        super().setUp()
        write('table.json', run('hist', '--format', 'json', FLOWER, SCAN).stdout)

    @needs_library  # a sanitizer takes terabytes of addresses, and more of the stack
    def test_small_stacks(self):
        for kibibytes in (96, 128, 256):
            self.same_as_without(STACK=kibibytes << 10)
            done = run('equalize', '-j', '3', '--output-dir', 'out', *self.IMAGES, preexec_fn=limited(STACK=kibibytes << 10))
            self.assertEqual(done.returncode, 0, done.stderr)

    @needs_library
    def test_little_address_space(self):
        self.same_as_without(AS=256 << 20)
        # More than there is: told, and by its own name.
        write('large.pgm', b'P5 20000 20000 255\n')
        with open('large.pgm', 'r+b') as file:
            file.truncate(400000000 + 19)
        done = run('equalize', 'large.pgm', 'out.png', preexec_fn=limited(AS=256 << 20))
        self.assertEqual(done.returncode, 1)
        self.assertOneLine(done, b'large.pgm: not enough memory')
        self.assertEqual(run('stats', 'large.pgm', preexec_fn=limited(AS=256 << 20)).returncode, 0)

    @needs_library  # a sanitizer takes more memory
    @needs_emulated
    def test_a_mask_on_a_device(self):
        head, row = b'P5 6000 4000 255\n', bytes(i >> 2 & 255 for i in range(6000))
        write('image.pgm', head + row * 4000)
        write('mask.pgm', head + bytes(i & 2 for i in range(6000)) * 4000)
        command = ['stats', '-j', '1', '--format', 'csv', '--mask', 'mask.pgm', 'image.pgm', '--device']
        cpu, device = Measured(*command, 'cpu'), Measured(*command, 'emulated')
        self.assertEqual((device.code, device.out), (0, cpu.out))
        self.assertLess(device.mebibytes, cpu.mebibytes + 48)  # pieces of 4 MiB, on both sides; not 16 and more

    def test_64_descriptors(self):
        self.same_as_without(NOFILE=64)
        os.mkdir('in')
        for i in range(200):
            shutil.copy(ROSE, 'in/%d.ppm' % i)
        for command in (['stats', '-r', 'in'], ['hist', '-r', 'in']):
            done = run(*command, '-j', '200', preexec_fn=limited(NOFILE=64))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, run(*command).stdout, b''))
        done = run('equalize', '-j', '200', '--output-dir', 'out', '-r', 'in', preexec_fn=limited(NOFILE=64))
        self.assertEqual((done.returncode, done.stderr, len(os.listdir('out/in'))), (0, b'', 200))


if __name__ == '__main__':
    unittest.main()
