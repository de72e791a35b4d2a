#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands of ./dev in this tree, whose preset release was just built: from another folder and by a link. What could
take minutes on a machine with other compilers is only tried where CI built everything."""
import os
import shutil
import subprocess
import tempfile
import time
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
in_ci = unittest.skipUnless(os.environ.get('CI') == 'true', 'only where CI=true: it may have to build for minutes')


class ThisTree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.link = os.path.join(self.folder, 'link')
        os.symlink(os.path.join(SOURCE, 'dev'), self.link)

    def dev(self, *arguments, command=None):
        done = subprocess.run([command or self.link, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return done

    def quiet(self, *arguments, command=None):
        done = self.dev(*arguments, command=command)
        self.assertEqual(('', ''), (done.stdout, done.stderr))

    def test_build_has_nothing_to_do(self):
        self.dev('build')  # whatever was edited since
        start = time.monotonic()
        self.quiet('build')
        self.assertLess(time.monotonic() - start, 10)

    def test_run(self):
        shutil.copy(os.path.join(SOURCE, 'data', 'flower.jpg'), self.folder)
        self.assertIn('480 x 360', self.dev('run', 'stats', 'flower.jpg').stdout)

    def test_generate_changes_nothing(self):
        self.quiet('generate')

    @unittest.skipUnless(shutil.which('clang-format'), 'clang-format is not installed')
    def test_format_changes_nothing(self):
        """Of a copy, since a test must not edit the sources."""
        copy = os.path.join(self.folder, 'copy')
        for name in ('app', 'lib', 'kernels', 'tests', 'bench'):
            shutil.copytree(os.path.join(SOURCE, name), os.path.join(copy, name), ignore=shutil.ignore_patterns('seeds', '__pycache__'))
        for name in ('dev', '.clang-format'):
            shutil.copy(os.path.join(SOURCE, name), copy)
        self.quiet('format', command=os.path.join(copy, 'dev'))

    def test_bench_tells_what_it_takes(self):
        for arguments in ('bench', '--help'), ('bench', 'gpu', '--help'):
            self.assertIn('--only', self.dev(*arguments).stdout)

    @in_ci
    def test_fuzz_one_target_for_a_second(self):
        if not os.path.exists(os.path.join(SOURCE, 'build', 'fuzz', 'bin', 'fuzz_stats')):
            self.skipTest('the fuzz targets are not built')
        self.assertRegex(self.dev('fuzz', 'stats', '--seconds', '1').stdout, r'\Astats: \d+ executions')

    @in_ci
    def test_bundle(self):
        self.assertRegex(self.dev('bundle', 'here').stderr, r'dev: \d+ MiB in here; start its run.sh\n\Z')
        program = os.path.join(self.folder, 'here', 'bin', 'gpuhisto')
        self.assertIn('gpuhisto_emulated', subprocess.run([program, '--version'], check=True, stdout=subprocess.PIPE, text=True).stdout)
        self.assertTrue(os.path.exists(os.path.join(self.folder, 'here', 'run.sh')))


if __name__ == '__main__':
    unittest.main()
