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

from common import ENVIRONMENT, LANDSCAPE, PROGRAM, ROSE, SCAN, InFolder, content_of, run, write

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


if __name__ == '__main__':
    unittest.main()
