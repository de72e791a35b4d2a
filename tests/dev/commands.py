#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What each command of ./dev does, says and refuses, in a small tree (small_tree.py)."""
import contextlib
import os
import re
import sys
import time
import unittest

sys.dont_write_bytecode = True
from small_tree import SOURCE, SmallTree, write

COMMANDS = ('setup', 'build', 'run', 'test', 'fuzz', 'bench', 'package', 'bundle', 'isa', 'generate', 'format')


class Case(unittest.TestCase):
    def setUp(self):
        self.tree = SmallTree()
        self.addCleanup(self.tree.remove)

    def dev(self, *arguments, exit_code=0, **options):
        done = self.tree.dev(*arguments, **options)
        self.assertEqual(exit_code, done.returncode, done.stdout + (done.stderr or ''))
        return done

    def quiet(self, *arguments):
        done = self.dev(*arguments)
        self.assertEqual(('', ''), (done.stdout, done.stderr))

    def refused(self, *arguments, exit_code=2):
        """One line, nothing done."""
        done = self.dev(*arguments, exit_code=exit_code)
        self.assertEqual('', done.stdout)
        self.assertRegex(done.stderr, r'\Adev: [^\n]+\n\Z')
        self.assertFalse(os.path.exists(self.tree.path('build')))
        self.assertEqual('', self.tree.read('asked'))
        return done.stderr

    def says(self, pattern, *arguments):
        done = self.dev(*arguments)
        self.assertRegex(done.stderr, pattern)
        return done


class Usage(Case):
    def test_alone_and_help_list_every_command(self):
        alone = self.dev()
        self.assertEqual('', alone.stderr)
        for command in COMMANDS:
            self.assertRegex(alone.stdout, r'\n  %s\b' % command)
        for arguments in ('help',), ('-h',), ('--help',), ('build', '--help'), ('fuzz', '-h'), ('format', '--help'):
            self.assertEqual(alone.stdout, self.dev(*arguments).stdout)
        with open(os.path.join(SOURCE, 'dev')) as file:
            cases = set(re.findall(r'^  (\w+)\) ', file.read().split('case $command in')[-1], re.MULTILINE))
        self.assertEqual(set(COMMANDS), cases)

    def test_what_is_unknown_is_refused_in_a_line(self):
        self.assertIn("'frobnicate'", self.refused('frobnicate'))
        for arguments in (('setup', '--frobnicate'), ('setup', '--gpu', 'abacus'), ('build', 'it'), ('build', '--gpu'),
                          ('build', '--gpu', 'abacus'), ('build', '--all-archs'), ('test', 'frobnicate'), ('fuzz', '--frobnicate'),
                          ('fuzz', 'frobnicate'), ('fuzz', 'words', '--seconds'), ('fuzz', 'words', '--seconds', 'ten'),
                          ('package', '--frobnicate'), ('package', 'a', 'b'), ('bundle', '--frobnicate'), ('bundle', 'a', 'b'),
                          ('isa', 'it'), ('generate', 'it'), ('format', 'it')):
            with self.subTest(arguments):
                self.refused(*arguments)


class Setup(Case):
    def test_nothing_missing_is_quiet(self):
        for arguments in (), ('--fuzz',), ('--engines',), ('--gpu', 'hip'):
            self.quiet('setup', *arguments)
        self.assertEqual('', self.tree.read('asked'))

    def test_what_is_missing_is_installed_and_told(self):
        write(self.tree.path('missing'), 'cmake\nlibtiff-dev\n')
        done = self.says(r'\Adev: installing: cmake libtiff-dev\ndev: everything is installed\n\Z', 'setup')
        self.assertEqual('', done.stdout)
        self.assertRegex(self.tree.read('asked'), r'\Aapt-get update\napt-get install -y \S+ cmake libtiff-dev\n\Z')
        self.quiet('setup')

    def test_services_that_come_along_are_left_off(self):
        write(self.tree.path('missing'), 'munge\n')
        self.says(r'\Adev: installing: munge\ndev: everything is installed\n\Z', 'setup', '--engines')
        self.assertRegex(self.tree.read('asked'), r' munge\ninvoke-rc.d munge stop\nupdate-rc.d munge disable\n\Z')

    def test_a_failure_says_why(self):
        write(self.tree.path('missing'), 'cmake\n')
        write(self.tree.path('no_network'), '')
        self.assertIn('apt says why', self.dev('setup', exit_code=1).stderr)

    def test_the_compiler_for_nvidia_is_not_to_be_had(self):
        self.assertIn('NVIDIA', self.refused('setup', '--gpu', 'cuda', exit_code=1))


class Build(Case):
    def test_says_what_it_built_and_then_nothing(self):
        self.says(r'\Adev: building gpuhisto .*\ndev: built .*/a tree/build/release/bin/gpuhisto\n\Z', 'build')
        start = time.monotonic()
        self.quiet('build')
        self.assertLess(time.monotonic() - start, 5)
        write(self.tree.path('program.sh'), '#!/bin/sh\necho another\n')
        self.says(r'\Adev: built .*\n\Z', 'build')
        self.assertEqual('another\n', self.dev('run').stdout)

    def test_a_failure_says_why(self):
        write(self.tree.path('program.sh'), 'if\n')
        done = self.dev('build', exit_code=1)
        self.assertIn('program.sh', done.stderr)
        self.assertNotIn('built', done.stderr)

    def test_a_terminal_shows_progress_and_then_nothing(self):
        for wanted in r'\Adev: building.*\ndev: built [^\n]*\n\Z', r'\A\Z':
            try:
                ours, theirs = os.openpty()
            except OSError as error:
                self.skipTest('no terminal: %s' % error)
            with os.fdopen(ours, 'rb', buffering=0) as terminal:
                self.dev('build', terminal=theirs)
                os.close(theirs)
                seen = b''
                with contextlib.suppress(OSError):  # a terminal that nobody holds any more ends so
                    while piece := terminal.read(4096):
                        seen += piece
            left = re.sub(r'[^\n]*\r\x1b\[K', '', seen.decode().replace('\r\n', '\n'))
            self.assertRegex(left, re.compile(wanted, re.DOTALL))

    def test_modules_for_gpus_stay(self):
        self.says('built', 'build', '--gpu', 'hip', '--gpu', 'cuda')
        self.quiet('build')
        cache = self.tree.read('build', 'release', 'CMakeCache.txt')
        for line in 'GPUHISTO_HIP:UNINITIALIZED=ON', 'GPUHISTO_CUDA:UNINITIALIZED=ON', 'CMAKE_HIP_ARCHITECTURES':
            self.assertIn(line, cache)


class Run(Case):
    def test_arguments_input_folder_and_exit_code_are_the_programs(self):
        words = ['a b', '', '*', '--help', '-h']
        done = self.dev('run', 'x', *words, stdin='and input')
        self.assertEqual(self.tree.outside + '\n' + ''.join('[%s]\n' % word for word in ['x', *words]) + 'and input', done.stdout)
        done = self.dev('run', 'fail', exit_code=3)
        self.assertEqual('', done.stderr)


class Test(Case):
    def test_builds_and_runs_what_was_asked_for(self):
        self.assertRegex(self.dev('test', '-R', 'good').stdout, r'100% tests passed, 0 tests failed out of 1\b')
        self.assertTrue(os.path.exists(self.tree.path('build', 'release', 'bin', 'gpuhisto')))
        self.assertIn('1 tests failed out of 2', self.dev('test', 'asan', exit_code=8).stdout)
        self.assertTrue(os.path.exists(self.tree.path('build', 'asan', 'bin', 'gpuhisto')))

    def test_ci_has_every_module_and_fuzzing(self):
        done = self.dev('test', '-R', 'good', more={'CI': 'true'})
        self.assertEqual('dev: building the tests (release)\n', done.stderr)
        cache = self.tree.read('build', 'release', 'CMakeCache.txt')
        for flag in 'CUDA', 'HIP', 'FUZZ_TESTS', 'WERROR':
            self.assertRegex(cache, r'(?m)^GPUHISTO_%s:\w+=ON$' % flag)
        self.assertTrue(os.path.exists(self.tree.path('build', 'fuzz', 'bin', 'fuzz_words')))

    def test_no_test_is_a_failure(self):
        self.assertIn('No tests were found', self.dev('test', '-R', 'frobnicate', exit_code=8).stderr)


class Fuzz(Case):
    def test_one_target_for_a_second(self):
        self.assertEqual('fuzz_words for 1 s\n', self.says('building the fuzz', 'fuzz', 'words', '--seconds', '1').stdout)
        done = self.dev('fuzz')
        self.assertEqual(('fuzz_words for 60 s\n', ''), (done.stdout, done.stderr))

    def test_a_find_is_a_failure(self):
        write(self.tree.path('tests', 'fuzz', 'finds'), '')
        self.assertIn('dev: failed: words\n', self.dev('fuzz', 'words', '--seconds', '1', exit_code=1).stderr)


class Bench(Case):
    def test_help_builds_nothing(self):
        for arguments, wanted in ((('bench', '--help'), 'bench --help\n'), (('bench', 'gpu', '-h'), 'bench gpu --help\n')):
            self.assertEqual(wanted, self.dev(*arguments).stdout)
        self.assertFalse(os.path.exists(self.tree.path('build')))

    def test_arguments_are_handed_on(self):
        build = self.tree.path('build', 'release')
        self.assertEqual('bench --build %s --only start\n' % build, self.dev('bench', '--only', 'start').stdout)


class Package(Case):
    def test_anew_only_when_something_is_newer(self):
        self.says(r'dev: made .*/build/packages/gpuhisto-draw_1_any.deb\ndev: made .*/gpuhisto_1_any.deb\n\Z', 'package')
        self.quiet('package')
        time.sleep(0.02)
        write(self.tree.path('docs', 'amd-isa.md'), 'another\n')
        self.says(r'\Adev: made', 'package')
        self.says(r'made here/gpuhisto_1_any.deb', 'package', 'here')
        self.assertTrue(os.path.exists(os.path.join(self.tree.outside, 'here', 'gpuhisto_1_any.deb')))

    def test_what_is_missing_takes_part(self):
        self.dev('build')
        write(self.tree.path('missing'), 'libboost-context-dev\n')
        self.says(r'\Adev: installing: libboost-context-dev\ndev: building', 'package')


class Bundle(Case):
    def test_into_a_new_folder_and_again(self):
        for _ in range(2):
            self.says(r'dev: \d+ MiB in here; start its run.sh\n\Z', 'bundle', 'here')
        self.assertEqual(['each_call.py', 'run.sh'], sorted(os.listdir(os.path.join(self.tree.outside, 'here'))))

    def test_what_others_put_there_stays(self):
        folder = os.path.join(self.tree.outside, 'mine')
        write(os.path.join(folder, 'letter'), '')
        self.assertIn('mine', self.refused('bundle', folder))
        self.assertEqual(['letter'], os.listdir(folder))


class Made(Case):
    def made(self, command, file, kept):
        """A second time it is quiet and touches nothing; what differs is made anew and told."""
        self.dev('build')
        self.dev(command)
        before = os.stat(self.tree.path(file)).st_mtime_ns
        self.quiet(command)
        self.assertEqual((before, kept), (os.stat(self.tree.path(file)).st_mtime_ns, self.tree.read(file)))
        time.sleep(0.02)
        write(self.tree.path(file), 'something else\n')
        done = self.dev(command)
        self.assertRegex(done.stderr, r'\Adev: (made|formatted) .*%s\n\Z' % file)
        self.assertEqual(kept, self.tree.read(file))

    def test_isa(self):
        self.made('isa', 'docs/amd-isa.md', 'a table\n')

    def test_generate(self):
        self.made('generate', 'app/generated/gpuhisto.bash', 'made of bash\n')

    def test_format(self):
        self.made('format', 'app/main.cpp', 'as it should be\n')

    def test_a_failure_leaves_what_was_there(self):
        write(self.tree.path('program.sh'), '#!/bin/sh\necho half\nexit 1\n')
        self.dev('generate', exit_code=1)
        self.assertEqual('made of man\n', self.tree.read('app', 'generated', 'gpuhisto.1'))
        write(self.tree.path('kernels', 'tools', 'isa.py'), 'print("half")\nraise SystemExit(1)\n')
        self.dev('isa', exit_code=1)
        self.assertEqual('a table\n', self.tree.read('docs', 'amd-isa.md'))
        self.assertEqual([], [name for name in os.listdir(self.tree.path('app', 'generated')) if name.endswith('.new')])


if __name__ == '__main__':
    unittest.main()
