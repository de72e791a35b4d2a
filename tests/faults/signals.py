#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""signals.py GPUHISTO [unittest arguments]: ended at random moments, every output is the old file or the whole new one.

The moments depend on GPUHISTO_TEST_SEED, which is printed.
"""
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from common import ENVIRONMENT, LANDSCAPE, PROGRAM, ROSE, SCAN, InFolder, content_of, gray_png, run, write

SEED = int(os.environ.get('GPUHISTO_TEST_SEED') or random.SystemRandom().randrange(1 << 32))
MOMENTS = 100


class Ended(InFolder):
    def setUp(self):
        super().setUp()
        self.random = random.Random('%d %s' % (SEED, self.id()))
        print('GPUHISTO_TEST_SEED=%d' % SEED, flush=True)

    def measure(self, command):
        """How long the program lives: the least of several, since a busy machine only adds."""
        self.life = 30
        for _ in range(4):
            started = time.monotonic()
            self.assertEqual(run(*command).returncode, 0)
            self.life = min(self.life, time.monotonic() - started)

    def end(self, command, number):
        """Sends the signal at a random moment of the program's life; -> whether it died by it."""
        process = subprocess.Popen([PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT)
        time.sleep(self.random.uniform(0, 1.1 * self.life))
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
        self.assertIn(process.returncode, (0, -number), err)
        return process.returncode != 0

    def one_output(self, number):
        command = ['equalize', LANDSCAPE, 'out.png']
        self.measure(command)
        whole = content_of('out.png')
        died = 0
        for _ in range(MOMENTS):
            write('out.png', b'old')
            died += self.end(command, number)
            self.assertIn(content_of('out.png'), (b'old', whole))
            if number != signal.SIGKILL:
                self.assertEqual(os.listdir('.'), ['out.png'])
        self.assertGreater(died, MOMENTS // 10)

    def a_batch(self, number):
        os.mkdir('in')
        for i in range(12):
            shutil.copy((ROSE, SCAN)[i % 2], 'in/%d%s' % (i, ('.ppm', '.png')[i % 2]))
        names = sorted(os.listdir('in'))
        command = ['equalize', '-j', '3', '--output-dir', 'out', *['in/' + name for name in names]]
        self.measure(command)
        whole = {name: content_of('out/in/' + name) for name in names}
        died = 0
        for _ in range(MOMENTS):
            shutil.rmtree('out')
            os.makedirs('out/in')
            old = self.random.sample(names, 4)
            for name in old:
                write('out/in/' + name, b'old')
            died += self.end(command, number)
            left = os.listdir('out/in')
            if number != signal.SIGKILL:
                self.assertLessEqual(set(left), set(names))
            self.assertLessEqual(set(old), set(left))
            for name in set(left) & set(names):
                self.assertIn(content_of('out/in/' + name), (whole[name], b'old') if name in old else (whole[name],), name)
        self.assertGreater(died, MOMENTS // 10)


for name in ('SIGINT', 'SIGTERM', 'SIGKILL'):
    for kind in ('one_output', 'a_batch'):
        def test(self, kind=kind, number=getattr(signal, name)):
            getattr(self, kind)(number)
        setattr(Ended, 'test_%s_%s' % (kind, name), test)


def status_of(process):
    """-> what the system tells of a process, by name."""
    with open('/proc/%d/status' % process) as file:
        return dict(line.rstrip('\n').split(':\t', 1) for line in file if ':\t' in line)


class FirstProcess(InFolder):
    """As the first process of a container, which a signal that it does not handle, or no longer, does not end."""
    AS_FIRST = ['unshare', '--user', '--map-root-user', '--pid', '--fork']

    def setUp(self):
        super().setUp()
        if not shutil.which('unshare') or not os.path.exists('/proc/thread-self/children'):
            self.skipTest('no process can be made the first one here: no unshare, or no list of children')
        tried = subprocess.run([*self.AS_FIRST, 'true'], capture_output=True)
        if tried.returncode != 0:
            self.skipTest('no process can be made the first one here: ' + tried.stderr.decode().strip())
        write('a.png', gray_png(4, 4, 7))
        os.mkfifo('fifo.png')

    def first_process(self, parent):
        """-> its number out here, once it handles SIGTERM: before that it cannot be ended."""
        for _ in range(2000):
            with open('/proc/%d/task/%d/children' % (parent, parent)) as file:
                for child in map(int, file.read().split()):
                    status = status_of(child)
                    handles = int(status['SigCgt'], 16) >> (signal.SIGTERM - 1) & 1
                    if handles and status['Name'] == os.path.basename(PROGRAM)[:15]:
                        return child
            time.sleep(0.005)
        self.fail('it did not start')

    def end(self, *command, when=lambda: True):
        """Sends SIGTERM once `when` is true."""
        process = subprocess.Popen([*self.AS_FIRST, PROGRAM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=ENVIRONMENT)
        for end in (process.stdout.close, process.stderr.close, process.kill):
            self.addCleanup(end)
        first = self.first_process(process.pid)
        self.addCleanup(lambda: process.poll() is None and os.kill(first, signal.SIGKILL))
        for _ in range(4000):
            if when() or process.poll() is not None:
                break
            time.sleep(0.002)
        os.kill(first, signal.SIGTERM)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, err)

    def waits(self):
        time.sleep(0.3)
        return True

    def test_a_single_input(self):
        self.end('stats', 'fifo.png', when=self.waits)

    def test_a_batch(self):
        for command in (['stats', '--format', 'json', '-o', 'out.json', 'a.png', 'fifo.png'],
                        ['equalize', '--output-dir', 'out', 'fifo.png']):
            self.end(*command, when=self.waits)
            self.assertEqual(sorted(os.listdir('.')), ['a.png', 'fifo.png'], command)

    def test_amid_the_writing_of_a_single_image(self):
        width, height = 3000, 2000
        write('big.ppm', b'P6 %d %d 255\n' % (width, height) + random.Random(SEED).randbytes(3 * width * height))
        self.end('equalize', 'big.ppm', 'out.png', when=lambda: any(name.startswith('.out.png.') for name in os.listdir('.')))
        self.assertEqual(sorted(os.listdir('.')), ['a.png', 'big.ppm', 'fifo.png'])


if __name__ == '__main__':
    unittest.main()
